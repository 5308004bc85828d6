import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitService
import ZoneKitSwissCoin
import ZoneKitWire

/// `zonekit purge`: removes rows for good that were deleted long ago.
enum PurgeVerb {
  private static let usualAge = "30d"

  static let spec = VerbSpec(
    "purge", "", summary: "remove for good the rows that were deleted long ago",
    details: """
      Asks the running server, or changes the store of a stopped one. A row stays as long as a row refers to it that stays.
      Objects that no row names go too. The removals are in row_deletions for 30 days; later purges forget them, and a
      device that was away for longer fetches everything anew.
      """,
    options: [
      OptionSpec("--older-than", "TIME", help: "how long ago a row was deleted, such as 12h (default: \(usualAge))"),
      OptionSpec("--account", "EMAIL", help: "only the rows of this account, by e-mail address or identifier"),
      OptionSpec("--dry-run", help: "only say what would go"),
    ],
    examples: ["zonekit purge --older-than 30d --dry-run"], run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    _ = try words.operands()
    let age = words.value("--older-than") ?? usualAge
    guard let span = TimeSpan(age) else { throw .usage("--older-than takes a time such as 30d or 12h, not \(age)") }
    let desk = TableDesk(of: DataDirectory(words.dataDirectory), app: SwissCoin.tables)
    let isDryRun = words.has("--dry-run")
    let operation = TableAdministration.purgeRows(
      user: words.value("--account"), before: SystemClock.wall.advanced(byMilliseconds: -span.milliseconds),
      isDryRun: isDryRun)
    let accounts = try ExitFailure.from { () throws(StoresError) in try desk.perform(operation) }
    if accounts.isEmpty, let user = operation.user { throw .usage("there is no account \(user)") }
    if words.wantsJSON {
      for account in accounts {
        let start = [JSON.Member("event", "purge"), JSON.Member("dryRun", .bool(isDryRun))]
        Console.print(JSON.object(start + (account.object ?? [])).text())
      }
    } else {
      Console.print(text(accounts, isDryRun: isDryRun))
    }
    return 0
  }

  /// A line for each table, with the rows of all accounts.
  private static func text(_ accounts: [JSON], isDryRun: Bool) -> String {
    var names: [String] = []
    var counts: [String: Int64] = [:]
    func add(_ name: String, _ count: Int64) {
      if counts[name] == nil { names.append(name) }
      counts[name, default: 0] += count
    }
    for account in accounts {
      for table in account["tables"]?.array ?? [] {
        add(table["name"]?.string ?? "", table["removed"]?.integer ?? 0)
      }
      add("objects", account["objects"]?.integer ?? 0)
      add("conflicts", account["conflicts"]?.integer ?? 0)
    }
    guard !names.isEmpty else { return "no accounts" }
    let heading = isDryRun ? "WOULD GO" : "REMOVED"
    return TextTable([["TABLE", heading]] + names.map { [$0, String(counts[$0] ?? 0)] }).text
  }
}
