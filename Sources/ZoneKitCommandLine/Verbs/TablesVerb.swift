import ZoneKitRecords
import ZoneKitService
import ZoneKitSwissCoin

/// `zonekit tables`: the rows of accounts.
enum TablesVerb {
  static let spec = VerbSpec(
    "tables", "", summary: "count the rows of a server's tables",
    details: """
      Asks the running server, or reads the store of a stopped one. For each account and table it prints whether changes
      make events, the rows that live, those that are deleted and not purged yet, and the newest stamp. Of tables of your own,
      which belong to no account, it prints the rows.
      """,
    options: [OptionSpec("--account", "EMAIL", help: "only the rows of this account, by e-mail address or identifier")],
    examples: ["zonekit tables --account mara@example.test"], run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    _ = try words.operands()
    let data = try words.existingData()
    let user = words.value("--account")
    if data.tables(usually: SwissCoin.tables) == .own { return try showOwn(in: data, of: user, words) }
    let desk = TableDesk(of: data, app: SwissCoin.tables)
    let accounts = try ExitFailure.from { () throws(StoresError) in try desk.tables(of: user) }
    if accounts.isEmpty, let user { throw .usage("there is no account \(user)") }
    guard !words.wantsJSON else {
      for account in accounts {
        Console.print(JSON.object([JSON.Member("event", "tables")] + (account.object ?? [])).text())
      }
      return 0
    }
    if accounts.isEmpty { Console.print("no accounts") }
    for account in accounts {
      Console.print("\(account["email"]?.string ?? "") \(account["user"]?.string ?? "")")
      let rows = (account["tables"]?.array ?? []).map { table in
        [
          table["name"]?.string ?? "", table["live"]?.bool == true ? "live" : "pull",
          String(table["rows"]?.integer ?? 0), String(table["deleted"]?.integer ?? 0),
          table["newest"]?.string ?? "never",
        ]
      }
      Console.print(TextTable([["TABLE", "EVENTS", "ROWS", "DELETED", "NEWEST"]] + rows).text(within: Console.columns))
    }
    return 0
  }

  /// Shows the rows of a user's own tables.
  private static func showOwn(in data: DataDirectory, of user: String?, _ words: Invocation) throws(ExitFailure)
    -> Int32
  {
    if user != nil { throw .usage("--account is about the rows of an app; tables of your own belong to no account") }
    let tables = try ExitFailure.from { () throws(StoresError) in try data.ownTables() }
    guard !words.wantsJSON else {
      let rows = tables.map { table -> JSON in ["name": .string(table.name), "rows": .integer(Int64(table.rows))] }
      Console.print((["event": "tables", "tables": .array(rows)] as JSON).text())
      return 0
    }
    let rows = tables.map { [$0.name, String($0.rows)] }
    Console.print(TextTable([["TABLE", "ROWS"]] + rows).text(within: Console.columns))
    return 0
  }
}
