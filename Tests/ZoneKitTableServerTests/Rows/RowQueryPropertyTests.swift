import Testing
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitTableServer

private typealias T = TestRows

/// The answers to generated queries, compared with what the evaluator of rows makes of all rows.
@Suite struct `a query of rows` {
  private static let texts = ["", "a", "Ab", "ab", "b%", "é", "it's", "a,b(c)"]

  /// Things, some of which refer to others, and parts.
  private func account(_ numbers: inout SplitMix64) -> T {
    var test = T()
    for number in 0..<60 as Range<UInt64> {
      var content = T.thing(number, Self.texts[Int.random(in: 0..<Self.texts.count, using: &numbers)])
      if Bool.random(using: &numbers) { content["amount"] = .float8([0, 0.1, -2, 1e9][Int(number % 4)]) }
      if number > 3, Bool.random(using: &numbers) { content["parent_id"] = .uuid(T.id(number % 4)) }
      if number % 7 == 0 { content[.deletedAt] = .timestamp(WallTime(milliseconds: Int64(number % 3))) }
      if number % 5 == 0 { content[.changedBy] = .text("d\(number % 3):\(number)") }
      #expect(test.write([content]).error == nil)
    }
    return test
  }

  private func value(of column: Column, _ numbers: inout SplitMix64, among rows: [Row]) -> RowValue? {
    let row = rows[Int.random(in: 0..<rows.count, using: &numbers)]
    let value = row[column.name, T.table]
    return value == .null ? nil : value
  }

  private func filter(_ numbers: inout SplitMix64, depth: Int, among rows: [Row]) -> RowFilter {
    let column = T.table.columns[Int.random(in: 0..<T.table.columns.count, using: &numbers)]
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &numbers) {
    case 0: return .test(column.name, Bool.random(using: &numbers) ? .null : .notNull)
    case 1:
      let values = (0..<Int.random(in: 0...3, using: &numbers)).compactMap { _ in
        value(of: column, &numbers, among: rows)
      }
      return .isIn(column.name, values)
    case 2:
      let pattern = ["a%", "%b", "A_", "é", "%"][Int.random(in: 0..<5, using: &numbers)]
      return .like("name", LikePattern(pattern, ignoresCase: Bool.random(using: &numbers)))
    case 3, 4:
      guard let value = value(of: column, &numbers, among: rows) else { return .all([]) }
      let comparisons = RowFilter.Comparison.allCases
      return .compare(column.name, comparisons[Int.random(in: 0..<comparisons.count, using: &numbers)], value)
    case 5: return .not(filter(&numbers, depth: depth - 1, among: rows))
    case 6:
      return .any(
        (0..<Int.random(in: 0...2, using: &numbers)).map { _ in filter(&numbers, depth: depth - 1, among: rows) })
    default:
      return .all(
        (0..<Int.random(in: 0...2, using: &numbers)).map { _ in filter(&numbers, depth: depth - 1, among: rows) })
    }
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `finds what the evaluator finds among all rows, in its order`(seed: UInt64) {
    var numbers = SplitMix64(seed: seed)
    var test = account(&numbers)
    let all = test.rows()
    #expect(all.count == 60)
    for _ in 0..<60 {
      let filters = (0..<Int.random(in: 0...2, using: &numbers)).map { _ in
        filter(&numbers, depth: 2, among: all)
      }
      let order = (0..<Int.random(in: 0...2, using: &numbers)).map { _ in
        RowQuery.Order(
          T.table.columns[Int.random(in: 0..<T.table.columns.count, using: &numbers)].name,
          isDescending: Bool.random(using: &numbers), nullsFirst: Bool.random(using: &numbers))
      }
      let query = RowQuery(
        filters: filters, order: order, limit: [nil, 1, 5, 0][Int.random(in: 0..<4, using: &numbers)],
        offset: [0, 0, 2][Int.random(in: 0..<3, using: &numbers)])
      let wanted = query.sorted(all.filter { query.isFulfilled(by: $0, of: T.table) }, of: T.table)
      let shown = Array(wanted.dropFirst(query.offset).prefix(query.limit ?? 1_000))
      #expect(test.rows(of: "things", query) == shown, "\(query)")
      let counted = test.ask(.read("things", query, isHead: false), RowDemands(countsRows: true))
      if query.offset > wanted.count {
        #expect(counted.error == .beyondEnd(offset: query.offset, count: wanted.count), "\(query)")
      } else {
        #expect(counted.result?.total == wanted.count, "\(query)")
      }
      let single = test.ask(.read("things", query, isHead: false), RowDemands(isSingle: true))
      if wanted.count != 1 { #expect(single.error == .notOne(wanted.count), "\(query)") }
    }
  }

  @Test func `reads no more rows than it answers, whichever order or condition it has`() {
    var test = T()
    let things = (1...600).map { T.thing($0, "n\($0 % 300)", ["amount": .float8(Double($0 % 7))]) }
    #expect(test.write(things).error == nil)
    let mine: RowFilter = .compare(.ownerID, .equal, .uuid(T.mara))
    let queries: [(RowQuery, Int)] = [
      (RowQuery(limit: 1), 1),
      (RowQuery(filters: [mine], order: [RowQuery.Order("amount", isDescending: true)], limit: 5), 5),
      (RowQuery(filters: [.compare("name", .equal, .text("n7"))]), 2),
      (RowQuery(filters: [.not(.compare("name", .greater, .text("n1")))], order: [RowQuery.Order("name")]), 4),
      (RowQuery(filters: [.like("name", LikePattern("n29_", ignoresCase: false))]), 22),
      (RowQuery(filters: [.like("name", LikePattern("%9", ignoresCase: true))], limit: 1), 256),
      (RowQuery(order: [RowQuery.Order(.updatedAt, isDescending: true)], limit: 3), 3),
    ]
    for (query, most) in queries {
      #expect(test.ask(.read("things", query, isHead: false)).error == nil)
      #expect(test.zones.store.counts.rows <= most && test.evaluations <= 3, "\(query)")
    }
    _ = test.ask(.read("things", RowQuery(limit: 1), isHead: true), RowDemands(countsRows: true))
    #expect(test.zones.store.counts.rows == 1, "counting reads no rows")
    let change = RowRequest.update("things", RowContent(["name": .text("x")]), queries[2].0)
    #expect(test.ask(change).verdicts == [.updated, .updated])
    #expect(test.zones.store.counts.rows == 2, "a change reads the rows that it finds")
  }
}
