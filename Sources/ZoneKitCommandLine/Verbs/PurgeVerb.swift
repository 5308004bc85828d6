import ZoneKitDeviceHost
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitService
import ZoneKitTables
import ZoneKitWire

/// `zonekit purge`: removes for good what was deleted long ago: rows, documents, and the tombstones of records.
enum PurgeVerb {
  static let spec = VerbSpec(
    "purge", "", summary: "remove for good what was deleted long ago",
    details: """
      Without --app, the app is that whose data is in DIR.

      Asks the running server, or changes the store of a stopped one.

      \(rowApp): a row stays as long as a row refers to it
      that stays. Objects that no row names go too. The removals are in row_deletions for 30 days; later purges forget them,
      and a device that was away for longer fetches everything anew.

      \(documentApp): deleted documents and old conflicts become tombstones, and old
      tombstones are forgotten. A device that was away for longer than the tombstones are kept fetches everything anew, and
      keeps its unsent edits.

      \(zoneApp): old tombstones of the records of all zones are
      forgotten. A device that was away for longer fetches everything anew, and keeps its unsent edits. An app that is not
      listed is meant by --container.
      """,
    options: [
      OptionSpec(
        "--app", "NAME", help: "the app: \(rowApp) or \(documentApp)", kind: .word([rowApp, documentApp])),
      OptionSpec("--older-than", "TIME", help: "\(rowApp): how long ago a row was deleted, such as 12h (default: 30d)"),
      OptionSpec(
        "--account", "EMAIL", help: "\(rowApp): only the rows of this account, by e-mail address or identifier"),
      OptionSpec("--deleted", "TIME", help: "\(documentApp): how long ago a document was deleted (default: 30d)"),
      OptionSpec("--conflicts", "TIME", help: "\(documentApp): the age of the conflicts that go (default: 90d)"),
      OptionSpec(
        "--tombstones", "TIME", help: "\(documentApp), zones: the age of the tombstones that go (default: 90d)"),
      OptionSpec("--user", "USER", help: "\(documentApp), zones: only the data of this account"),
      OptionSpec("--container", "NAME", help: "zones: the container, instead of --app"),
      OptionSpec("--yes", help: "confirm the purge, which is asked for on a terminal"),
      OptionSpec("--dry-run", help: "only say what would go"),
    ],
    examples: [
      "zonekit purge --older-than 30d --dry-run", "zonekit purge --app diet-log --deleted 7d --yes",
      "zonekit purge --app NannyAndMe --tombstones 60d --yes",
    ], run: run)

  private static let rowOptions = ["--older-than", "--account"]
  private static let documentOptions = ["--deleted", "--conflicts"]
  private static let sharedOptions = ["--tombstones", "--user"]

  private static let rowApp = AppTable.all.filter(\.hasTables).map(\.name).joined(separator: ", ")
  private static let documentApp = AppTable.all.filter { $0.documents != nil }.map(\.name).joined(separator: ", ")

  private static let zoneApp = AppTable.all.filter(\.hasZones).map(\.name).joined(separator: ", ")

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    _ = try words.operands()
    let data = try words.existingData()
    if let name = words.value("--container") {
      guard !words.has("--app") else { throw .usage("--container and --app exclude each other") }
      try refuse(rowOptions, words, of: rowApp, "container \(name)")
      try refuse(documentOptions, words, of: documentApp, "container \(name)")
      try purge(zonesOf: Name(name), data, words)
      return 0
    }
    let app = try app(words, data)
    switch app.cloud {
    case .tables(let tables):
      try refuse(documentOptions, words, of: documentApp, app.name)
      try refuse(sharedOptions, words, of: "\(documentApp), \(zoneApp)", app.name)
      try purge(rowsOf: tables, data, words)
    case .documents(let documents, _):
      try refuse(rowOptions, words, of: rowApp, app.name)
      try purge(documents, data, words)
    case .zones:
      try refuse(rowOptions, words, of: rowApp, app.name)
      try refuse(documentOptions, words, of: documentApp, app.name)
      try purge(zonesOf: app.container, data, words)
    }
    return 0
  }

  /// The app that `--app` names, otherwise the only one that has data in the folder, otherwise the first one.
  private static func app(_ words: Invocation, _ data: DataDirectory) throws(ExitFailure) -> DeviceApp {
    let known = AppTable.apps(in: data)
    if let name = words.value("--app") {
      let own = known.filter { $0.describingFile != nil && $0.isNamed(name) }
      return if let app = own.first { app } else { try AppTable.app(named: name) }
    }
    let present = known.filter { data.hasData(of: $0) }
    guard present.count <= 1 else {
      let names = present.map(\.fullName).joined(separator: " and ")
      throw .usage("\(words.dataDirectory) has data of \(names); name one of them with --app")
    }
    return present.first ?? AppTable.all[0]
  }

  /// Refuses options that have no effect on an app.
  private static func refuse(
    _ options: [String], _ words: Invocation, of others: String, _ app: String
  ) throws(ExitFailure) {
    guard let option = options.first(where: words.has) else { return }
    throw .usage("\(option) goes with the data of \(others), not of \(app)")
  }

  /// The milliseconds of an option that takes a time.
  private static func age(_ option: String, default usual: String, _ words: Invocation) throws(ExitFailure) -> Int64 {
    let text = words.value(option) ?? usual
    guard let span = TimeSpan(text) else { throw .usage("\(option) takes a time such as 30d or 12h, not \(text)") }
    return span.milliseconds
  }

  // MARK: Rows

  private static func purge(
    rowsOf app: TableApp, _ data: DataDirectory, _ words: Invocation
  ) throws(ExitFailure) {
    let age = try age("--older-than", default: "30d", words)
    let isDryRun = words.has("--dry-run")
    let operation = TableAdministration.purgeRows(
      user: words.value("--account"), before: SystemClock.wall.advanced(byMilliseconds: -age), isDryRun: isDryRun)
    if !isDryRun { try words.confirm("purge removes deleted rows for good") }
    let accounts = try ExitFailure.from { () throws(StoresError) in
      try TableDesk(of: data, app: app).perform(operation)
    }
    if accounts.isEmpty, let user = operation.user { throw .usage("there is no account \(user)") }
    guard words.wantsJSON else { return Console.print(text(accounts, isDryRun: isDryRun)) }
    for account in accounts { Console.print(json(account.object ?? [], isDryRun: isDryRun)) }
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
    return TextTable([["TABLE", heading(isDryRun)]] + names.map { [$0, String(counts[$0] ?? 0)] }).text(
      within: Console.columns)
  }

  // MARK: Documents

  private static func purge(
    _ app: DocumentApp, _ data: DataDirectory, _ words: Invocation
  ) throws(ExitFailure) {
    let (now, isDryRun) = (SystemClock.wall, words.has("--dry-run"))
    let purge = DocumentPurge(
      deleted: try age("--deleted", default: "30d", words), conflicts: try age("--conflicts", default: "90d", words),
      tombstones: try age("--tombstones", default: "90d", words), isDryRun: isDryRun, at: now)
    if !isDryRun { try words.confirm("purge removes documents for good") }
    let reports = try ExitFailure.from { () throws(StoresError) in
      try DocumentDesk(of: data, app: app).perform(purge, of: words.value("--user").map { Name($0) }, at: now)
    }
    guard words.wantsJSON else { return Console.print(text(reports, isDryRun: isDryRun)) }
    for (user, report) in reports {
      let counts = counts(of: report).map { JSON.Member($0.name, .integer(Int64($0.count))) }
      Console.print(json([JSON.Member("user", .string(user.text))] + counts, isDryRun: isDryRun))
    }
  }

  private static func text(_ reports: [(user: Name, report: DocumentPurgeReport)], isDryRun: Bool) -> String {
    guard !reports.isEmpty else { return "no documents" }
    let header = ["USER"] + counts(of: DocumentPurgeReport()).map { $0.name.uppercased() }
    let rows = reports.map { user, report in [user.text] + counts(of: report).map { String($0.count) } }
    return "\(heading(isDryRun))\n\(TextTable([header] + rows).text(within: Console.columns))"
  }

  private static func counts(of report: DocumentPurgeReport) -> [(name: String, count: Int)] {
    [("documents", report.documents), ("conflicts", report.conflicts), ("tombstones", report.tombstones)]
  }

  // MARK: Zones

  private static func purge(
    zonesOf container: Name, _ data: DataDirectory, _ words: Invocation
  ) throws(ExitFailure) {
    let age = try age("--tombstones", default: "90d", words)
    let (time, isDryRun) = (SystemClock.wall.advanced(byMilliseconds: -age), words.has("--dry-run"))
    let desk = ZoneDesk(of: data, container: container)
    let plan = try ExitFailure.from { () throws(StoresError) in
      try desk.plan(before: time, of: words.value("--user").map { Name($0) })
    }
    if !isDryRun {
      try words.confirm("purge forgets deleted records for good")
      try ExitFailure.from { () throws(StoresError) in try desk.perform(plan, before: time) }
    }
    guard words.wantsJSON else { return Console.print(text(plan, isDryRun: isDryRun)) }
    for report in plan {
      let members = [
        JSON.Member("user", .string(report.zone.database.user.text)),
        JSON.Member("environment", .string(report.zone.database.environment.rawValue)),
        JSON.Member("zone", .string(report.zone.zoneName.text)),
        JSON.Member("tombstones", .integer(Int64(report.tombstones))),
      ]
      Console.print(json(members, isDryRun: isDryRun))
    }
  }

  private static func text(_ plan: [ZoneDesk.Report], isDryRun: Bool) -> String {
    guard !plan.isEmpty else { return "no zones" }
    let rows = plan.map { report in
      let database = report.zone.database
      return [database.user.text, database.environment.rawValue, report.zone.zoneName.text, String(report.tombstones)]
    }
    let table = TextTable([["USER", "ENVIRONMENT", "ZONE", "TOMBSTONES"]] + rows)
    return "\(heading(isDryRun))\n\(table.text(within: Console.columns))"
  }

  // MARK: Output

  private static func heading(_ isDryRun: Bool) -> String { isDryRun ? "WOULD GO" : "REMOVED" }

  private static func json(_ members: [JSON.Member], isDryRun: Bool) -> String {
    JSON.object([JSON.Member("event", "purge"), JSON.Member("dryRun", .bool(isDryRun))] + members).text()
  }
}
