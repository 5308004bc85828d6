import Testing
import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitTableServer

private typealias T = TestRows

/// Sums the amounts of an account's things.
private struct Sum: FunctionState {
  private var amounts: [UUID: Double] = [:]

  mutating func put(_ row: Row, of table: Name) {
    guard let id = row[.id, T.table].uuid else { return }
    amounts[id] = row[.deletedAt, T.table] == .null ? row["amount", T.table].number : nil
  }

  mutating func remove(_ key: RowKey, from table: Name) { amounts[key.parts[0]] = nil }

  func answer(to argument: JSON, for account: UUID) throws(FunctionError) -> JSON {
    .integer(Int64(amounts.values.reduce(0, +)))
  }
}

@Suite struct `a function of rows` {
  private let all = RowQuery(filters: [.test(.id, .notNull)])

  private func test() -> T {
    var test = T()
    var app = T.app
    app.functions = [TableFunction("sum", reading: ["things"]) { Sum() }]
    test.server = RowServer(app: app)
    return test
  }

  /// The answer to a call, the rows that were read for it, and the number of its turns.
  private func call(_ test: inout T) -> (answer: String, rows: Int, turns: Int) {
    test.zones.store.counts.reset()
    for turn in 1...50 {
      guard case .submit(let transaction, let database, let caller) = test.server.call("sum", [0x30], from: test.caller)
      else { return ("refused", 0, turn) }
      test.zones.transact(
        transaction, ticket: Ticket(1), in: database, from: caller, at: test.now, using: &test.generator)
      for case .transacted(_, let result) in test.zones.endTurn(using: &test.generator) {
        guard case .answered(let answer) = test.server.callProgress(after: result) else { continue }
        let text = (try? answer.get()).map { String(decoding: $0, as: UTF8.self) }
        return (text ?? "\(answer)", test.zones.store.counts.rows, turn)
      }
    }
    return ("no end", test.zones.store.counts.rows, 50)
  }

  private func expect(
    _ answer: String, rows: Int, turns: Int = 1, of test: inout T, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let called = call(&test)
    #expect(called.answer == answer, comment, sourceLocation: sourceLocation)
    #expect(called.rows == rows && called.turns == turns, comment, sourceLocation: sourceLocation)
  }

  @Test func `reads the rows that changed since the last call of the account, and no others`() {
    var test = test()
    expect("0", rows: 0, of: &test)
    _ = test.write((1...40).map { T.thing($0, "a", ["amount": .float8(1)]) })
    expect("40", rows: 40, of: &test)
    test.caller = RowCaller(.account(T.ben))
    _ = test.write([T.thing(100, "a", ["amount": .float8(7)])])
    expect("7", rows: 1, of: &test, "another account has a sum of its own")
    test.caller = RowCaller(.account(T.mara))
    expect("40", rows: 0, of: &test, "nothing has changed")
    _ = test.write([T.thing(1, "a", ["amount": .float8(3)])])
    expect("42", rows: 1, of: &test, "one row has changed")
    let first = RowQuery(filters: [.compare(.id, .equal, .uuid(T.id(1)))])
    _ = test.ask(.update("things", RowContent([.deletedAt: .timestamp(test.now)]), first))
    expect("39", rows: 1, of: &test, "one row was deleted")
    _ = test.ask(.delete("things", RowQuery(filters: [.compare(.id, .less, .uuid(T.id(11)))])))
    expect("30", rows: 10, of: &test, "tombstones are read too")
  }

  @Test func `is carried out in slices of rows, between which others are served`() {
    var test = test()
    test.server.limits.functionRows = 16
    _ = test.write((1...40).map { T.thing($0, "a", ["amount": .float8(1)]) })
    expect("40", rows: 40, turns: 3, of: &test)
    expect("40", rows: 0, of: &test)
  }

  @Test func `begins anew where tombstones that it did not see are gone`() {
    var test = test()
    _ = test.write((1...20).map { T.thing($0, "a", ["amount": .float8(1)]) })
    expect("20", rows: 20, of: &test)
    _ = test.ask(.delete("things", RowQuery(filters: [.compare(.id, .less, .uuid(T.id(6)))])))
    test.zones.administer(
      .purgeTombstones(ZoneID(zoneName: "Things"), before: test.now.advanced(byMilliseconds: 100_000)),
      ticket: Ticket(2), in: T.app.database(of: T.mara), from: Caller(user: Name(T.mara.text)), at: test.now,
      using: &test.generator)
    _ = test.zones.endTurn(using: &test.generator)
    expect("15", rows: 15, of: &test)
  }
}
