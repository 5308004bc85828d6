import ZoneKitRecords
import ZoneKitService
import struct ZoneKitStorage.SystemGenerator
import ZoneKitSwissCoin
import ZoneKitWire

/// `zonekit account`: the accounts of the tables.
enum AccountVerb {
  static let spec = VerbSpec(
    "account", "add|list|remove|revoke|orphans [EMAIL]",
    summary: "add, list and remove the accounts of a server's tables",
    details: """
      Asks the running server, or changes the store of a stopped one. add prints a password of its own unless --password is
      given, and takes passwords of any length. --id makes the rows that another server keeps for an account fit. remove
      ends the account, its sessions and channels, and removes its rows and objects; its access tokens are refused from
      then on. revoke only ends its sessions: nobody can continue one, and access tokens are valid until they run out.
      orphans lists the rows and objects of accounts that do not exist, and removes them with --remove.
      """,
    options: [
      OptionSpec("--password", "TEXT", help: "the password of a new account (default: a random one)"),
      OptionSpec("--id", "UUID", help: "the identifier of a new account (default: a random one)"),
      OptionSpec("--remove", help: "remove for good what orphans lists"),
    ],
    examples: [
      "zonekit account add mara@example.test --password secret", "zonekit account list",
      "zonekit account orphans --remove",
    ],
    run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    guard let action = words.operands.first else { throw .usage("add, list, remove, revoke or orphans is missing") }
    // Accounts can be added before a server runs for the first time.
    let data = action == "add" ? DataDirectory(words.dataDirectory) : try words.existingData()
    let desk = AccountDesk(of: data, app: data.tables(usually: SwissCoin.tables))
    for option in ["--password", "--id"] where action != "add" && words.has(option) {
      throw .usage("\(option) is for account add")
    }
    if action != "orphans", words.has("--remove") { throw .usage("--remove is for account orphans") }
    switch action {
    case "list":
      _ = try words.operands("list")
      try list(desk, asJSON: words.wantsJSON)
    case "add":
      let email = try words.operands("add", "EMAIL")[1]
      var generator = SystemGenerator()
      let password = words.value("--password") ?? Base64.encodeForURL(RandomIdentifier.bytes(12, using: &generator))
      guard !password.isEmpty else { throw .usage("--password must not be empty") }
      let id = try words.value("--id").map { (text) throws(ExitFailure) in
        guard let id = UUID(text) else { throw .usage("--id must be a UUID, not \(text)") }
        return id
      }
      try perform(.add(email: email, password: password, id: id), with: desk)
      let line: JSON = ["event": "accountAdded", "email": .string(email), "password": .string(password)]
      Console.print(words.wantsJSON ? line.text() : "added \(email) with the password \(password)")
    case "remove":
      let email = try words.operands("remove", "EMAIL")[1]
      try perform(.remove(email), with: desk)
      report("accountRemoved", "removed \(email)", email, asJSON: words.wantsJSON)
    case "revoke":
      let email = try words.operands("revoke", "EMAIL")[1]
      try perform(.endSessions(email), with: desk)
      report("sessionsEnded", "ended all sessions of \(email)", email, asJSON: words.wantsJSON)
    case "orphans":
      _ = try words.operands("orphans")
      try orphans(words)
    default:
      let suggestion = Suggestion.text(for: action, among: ["add", "list", "remove", "revoke", "orphans"])
      throw .usage("account takes add, list, remove, revoke or orphans, not \(action)\(suggestion)")
    }
    return 0
  }

  private static func perform(_ operation: AccountAdministration, with desk: AccountDesk) throws(ExitFailure) {
    try ExitFailure.from { () throws(StoresError) in try desk.perform(operation) }
  }

  private static func report(_ event: String, _ text: String, _ email: String, asJSON: Bool) {
    let line: JSON = ["event": .string(event), "email": .string(email)]
    Console.print(asJSON ? line.text() : text)
  }

  private static func orphans(_ words: Invocation) throws(ExitFailure) {
    let isRemoval = words.has("--remove")
    let found = try ExitFailure.from { () throws(StoresError) in
      let data = DataDirectory(words.dataDirectory)
      return try TableDesk(of: data, app: data.tables(usually: SwissCoin.tables))
        .perform(.removeOrphans(isDryRun: !isRemoval))
    }
    let counts = found.map { report in
      let tables = report["tables"]?.array ?? []
      return (
        user: report["user"]?.string ?? "",
        rows: tables.reduce(0) { $0 + ($1["rows"]?.integer ?? 0) + ($1["deleted"]?.integer ?? 0) },
        objects: report["objects"]?.integer ?? 0, conflicts: report["conflicts"]?.integer ?? 0
      )
    }
    guard !words.wantsJSON else {
      for count in counts {
        let line: JSON = [
          "event": "orphan", "user": .string(count.user), "rows": .integer(count.rows),
          "objects": .integer(count.objects), "conflicts": .integer(count.conflicts), "removed": .bool(isRemoval),
        ]
        Console.print(line.text())
      }
      return
    }
    guard !counts.isEmpty else { return Console.print("no rows or objects of accounts that do not exist") }
    let rows = counts.map { [$0.user, String($0.rows), String($0.objects), String($0.conflicts)] }
    Console.print(TextTable([["ACCOUNT", "ROWS", "OBJECTS", "CONFLICTS"]] + rows).text(within: Console.columns))
    Console.print(isRemoval ? "removed" : "zonekit account orphans --remove removes them for good")
  }

  private static func list(_ desk: AccountDesk, asJSON: Bool) throws(ExitFailure) {
    let accounts = try ExitFailure.from { () throws(StoresError) in try desk.list() }
    if asJSON {
      for account in accounts {
        Console.print(JSON.object([JSON.Member("event", "account")] + (account.object ?? [])).text())
      }
      return
    }
    let rows = accounts.map { account in
      [
        account["email"]?.string ?? "", account["id"]?.string ?? "", account["lastSignInAt"]?.string ?? "never",
        String(account["sessions"]?.integer ?? 0),
      ]
    }
    Console.print(
      rows.isEmpty
        ? "no accounts" : TextTable([["EMAIL", "ID", "SIGNED IN", "SESSIONS"]] + rows).text(within: Console.columns))
  }
}
