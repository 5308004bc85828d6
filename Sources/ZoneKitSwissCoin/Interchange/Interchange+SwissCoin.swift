import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

extension DeviceApp.Interchange {
  /// Swiss Coin's file format: all rows in one file, in the form of the server's interface.
  static var swissCoin: DeviceApp.Interchange {
    DeviceApp.Interchange(
      summary: "rows of tables, as the server writes them; amounts in francs, times in ISO 8601. owner_id, updated_at "
        + "and changed_by are ignored, and columns that are missing get their defaults",
      example: #"{"version":1,"app":"SwissCoin","tables":{"persons":[{"id":"4ba7b810-9dad-41d1-80b4-00c04fd430c8","#
        + #""name":"Ben","created_at":"2026-11-21T06:06:01Z","edited_at":"2026-11-21T06:06:01Z"}]}}"#,
      check: check, merge: merge, export: export)
  }

  @Sendable private static func check(_ file: [UInt8]) throws(AppRefusal) { _ = try CoinFile(parsing: file) }

  @Sendable private static func merge(_ file: [UInt8], into view: AppView) throws -> AppAnswer {
    let file = try CoinFile(parsing: file)
    var book = Book()
    try book.read(SwissCoin.schema.tables.map(\.name), from: view)
    let plan = CoinImport(file, into: book, account: view.account.flatMap { UUID($0.text) })
    return AppAnswer(edits: plan.edits, lines: { plan.lines }, members: { _ in plan.members })
  }

  @Sendable private static func export(
    _ selection: DeviceApp.Selection, _ view: AppView
  ) throws -> DeviceApp.Export {
    if case .named(let name) = selection {
      throw AppRefusal("Swiss Coin exports all rows in one file; leave out the profile \(name)")
    }
    let owner = try Me.id(in: view) ?? UUID(high: 0, low: 0)
    var rows: [CoinRow] = []
    for table in SwissCoin.schema.tables {
      for record in try view.store.records(ofType: table.name) {
        guard var row = try CoinRow(record, owner: owner) else { continue }
        if view.account == nil { row[.ownerID] = .null }
        rows.append(row)
      }
    }
    return DeviceApp.Export(files: [
      DeviceApp.Export.File(name: "SwissCoin.json", text: CoinFile.document(of: rows, at: view.wall))
    ])
  }
}
