import ZoneKitRecords
import ZoneKitService
import ZoneKitSwissCoin

/// `zonekit tables`: the rows of accounts.
enum TablesVerb {
  static let spec = VerbSpec(
    "tables", "", summary: "count the rows of a server's tables",
    details: """
      Asks the running server, or reads the store of a stopped one. For each account and table it prints whether changes
      make events, the rows that live, those that are deleted and not purged yet, and the newest stamp.
      """,
    options: [OptionSpec("--account", "EMAIL", help: "only the rows of this account, by e-mail address or identifier")],
    examples: ["zonekit tables --account mara@example.test"], run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    _ = try words.operands()
    let desk = TableDesk(of: try words.existingData(), app: SwissCoin.tables)
    let user = words.value("--account")
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
}
