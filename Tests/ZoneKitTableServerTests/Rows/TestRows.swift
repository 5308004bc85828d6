import ZoneKitCloud
import ZoneKitRecords
import ZoneKitMemoryStores
import ZoneKitStoreConformance
import ZoneKitTableServer
import ZoneKitTables

/// A server of rows under test, over stores in memory: one request, one turn.
struct TestRows {
  static let table = Table.owned(
    "things", quiet: 300,
    [
      Column("name", .text, isRequired: true), Column("amount", .float8, default: .float8(0)),
      Column("parent_id", .uuid, refersTo: .to("things")),
    ])
  static let parts = Table.parts(
    "parts", of: "thing_id",
    [Column("thing_id", .uuid, isRequired: true, refersTo: .owner("things")), Column("number", .int4)])
  static let profiles = Table(
    "profiles", key: [.id], ownership: .account(column: .id),
    columns: [Column(.id, .uuid, isRequired: true), Column("display_name", .text, default: .text("Me"))]
      + Table.stampColumns)
  static let app = TableApp(
    name: "test", container: "com.example.test", environment: .development, zone: "Things",
    schema: TableSchema([profiles, table, parts]), profile: TableApp.Profile(table: "profiles", name: "display_name"))

  static func id(_ number: UInt64) -> UUID { UUID(high: 0xA000, low: number) }
  static let mara = UUID(high: 1, low: 1)
  static let ben = UUID(high: 2, low: 2)

  var server = RowServer(app: app)
  var zones = ZoneServer(store: CountingZoneStore(MemoryZoneStore()))
  var accounts = MemoryAccountStore()
  var generator = SplitMix64(seed: 1)
  var now = WallTime(milliseconds: 1_777_878_489_000)
  var caller = RowCaller(.account(mara))
  /// The changes of the last request in tables that make events.
  private(set) var changes: [AccountChanges] = []

  /// How often the last request was evaluated.
  private(set) var evaluations = 0

  mutating func ask(_ request: RowRequest, _ demands: RowDemands = RowDemands()) -> RowResponse {
    changes = []
    evaluations = 0
    zones.store.counts.reset()
    switch server.receive(request, demands: demands, from: caller, at: now, accounts: &accounts, using: &generator) {
    case .answer(let response): return response
    case .submit(let transaction, let database, let caller):
      var submission = zones.submission(of: transaction, ticket: Ticket(1), in: database, from: caller, at: now)
      evaluations = 1
      while case .needs(let needs) = zones.offer(&submission, using: &generator) {
        zones.prefetch(needs)
        evaluations += 1
      }
      _ = accounts.commit()
      for case .transacted(_, let result) in zones.endTurn(using: &generator) {
        let answer = server.answer(to: result)
        changes = answer.changes
        return answer.response
      }
      return .refused(RowError(.notServed, "there was no answer"))
    }
  }

  /// A content of the table of things.
  static func thing(_ number: UInt64, _ name: String?, _ more: [Name: RowValue] = [:]) -> RowContent {
    var content = RowContent([.id: .uuid(id(number))])
    if let name { content["name"] = .text(name) }
    for (column, value) in more { content[column] = value }
    return content
  }

  mutating func write(
    _ rows: [RowContent], in table: Name = "things", _ resolution: RowWrite.Resolution = .merge,
    _ demands: RowDemands = RowDemands()
  ) -> RowResponse { ask(.write(table, RowWrite(rows, resolution: resolution)), demands) }

  /// All rows of a table, in the order of their stamps.
  mutating func rows(of table: Name = "things", _ query: RowQuery = RowQuery(order: [RowQuery.Order(.updatedAt)]))
    -> [Row]
  {
    guard case .done(let result) = ask(.read(table, query, isHead: false)) else { return [] }
    switch result.rows {
    case .rows(let rows): return rows
    case .page(let page, let owner):
      let table = OwnTable(table)?.table ?? Self.app.schema.table(table) ?? Self.table
      return page.changes.compactMap { change in
        guard case .saved(let record) = change else { return nil }
        return try? Row.read(
          fields: record.fields, updatedAt: record.modified.at, deviceID: record.modified.author.deviceID, of: table,
          owner: owner
        ).row
      }
    }
  }

  /// The names of all things that live.
  mutating func names() -> [String] {
    rows().filter { $0[.deletedAt, Self.table] == .null }.compactMap { $0["name", Self.table].text }
  }
}

extension RowResponse {
  /// The error without the state of the feed, which each error of a transaction has.
  var error: RowError? {
    guard case .refused(var error) = self else { return nil }
    error.feed = nil
    return error
  }
  var errorFeed: RowFeed? { if case .refused(let error) = self { error.feed } else { nil } }
  var result: RowResult? { if case .done(let result) = self { result } else { nil } }
  var verdicts: [RowVerdict] { result?.verdicts ?? [] }
  var rows: [Row] { if case .rows(let rows)? = result?.rows { rows } else { [] } }
}
