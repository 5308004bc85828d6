import Testing
import ZoneKitRecords
import ZoneKitTables

@Suite struct `a filter of rows` {
  private let table = Samples.table

  private func holds(_ filter: RowFilter, _ values: [Name: RowValue]) -> Bool {
    filter.isFulfilled(by: Samples.row(values), of: table)
  }

  @Test func `matches no row by comparing with null, also if it is negated`() {
    for comparison in RowFilter.Comparison.allCases {
      let filter = RowFilter.compare("count", comparison, .int4(1))
      #expect(!holds(filter, [:]) && !holds(.not(filter), [:]))
    }
    for filter in [RowFilter.isIn("count", [.int4(1)]), .like("name", LikePattern("%", ignoresCase: false))] {
      #expect(!holds(filter, [:]) && !holds(.not(filter), [:]))
    }
    #expect(holds(.test("count", .null), [:]) && !holds(.not(.test("count", .null)), [:]))
  }

  @Test func `combines true, false and unknown as SQL does`() {
    let yes = RowFilter.test(.id, .null)
    let no = RowFilter.test(.id, .notNull)
    let unknown = RowFilter.compare("count", .equal, .int4(1))
    let all: [(RowFilter, RowFilter, Bool)] = [
      (yes, yes, true), (yes, no, false), (yes, unknown, false), (no, unknown, false), (unknown, unknown, false),
    ]
    for (first, second, expected) in all { #expect(holds(.all([first, second]), [:]) == expected) }
    #expect(holds(.not(.all([no, unknown])), [:]))
    #expect(!holds(.not(.all([yes, unknown])), [:]))
    #expect(holds(.any([unknown, yes]), [:]))
    #expect(!holds(.any([unknown, no]), [:]) && !holds(.not(.any([unknown, no])), [:]))
    #expect(holds(.all([]), [:]) && !holds(.any([]), [:]))
  }

  @Test func `compares values by their type`() {
    let row: [Name: RowValue] = ["name": .text("b"), "amount": .float8(2), "is_new": .bool(true)]
    #expect(holds(.compare("name", .greater, .text("B")), row))
    #expect(
      holds(.compare("amount", .lessOrEqual, .float8(2)), row) && !holds(.compare("amount", .less, .float8(2)), row))
    #expect(holds(.compare("is_new", .notEqual, .bool(false)), row))
    #expect(holds(.test("is_new", .true), row) && !holds(.test("is_new", .false), row))
    #expect(holds(.isIn("name", [.text("a"), .text("b")]), row) && !holds(.isIn("name", []), row))
  }

  @Test(arguments: [
    ("Ben%", "Ben Ny", true), ("ben%", "Ben", false), ("%n", "Ben", true), ("B_n", "Ben", true), ("B_n", "Been", false),
    ("%e%e%", "eel", true), ("100\\%", "100%", true), ("100\\%", "1000", false), ("", "", true), ("%", "", true),
    ("_", "", false), ("a%b%c", "aXbXbXc", true), ("\\", "\\", true),
  ])
  func `takes percent signs and underscores in patterns`(pattern: String, text: String, fits: Bool) {
    #expect(LikePattern(pattern, ignoresCase: false).fits(text) == fits)
  }

  @Test func `ignores case where the pattern does`() {
    #expect(LikePattern("BEN%", ignoresCase: true).fits("benny") && LikePattern("ä", ignoresCase: true).fits("Ä"))
  }
}

@Suite struct `a query of rows` {
  private let table = Samples.table

  private func names(_ order: [RowQuery.Order]) -> [String] {
    let rows = [("a", nil), ("b", 2), ("c", 1), ("d", nil), ("e", 2)] as [(String, Int32?)]
    let all = rows.enumerated().map { index, row in
      Samples.row([
        .id: .uuid(Samples.id(UInt64(9 - index))), "name": .text(row.0), "count": row.1.map { .int4($0) } ?? .null,
      ])
    }
    return RowQuery(order: order).sorted(all, of: table).map { $0["name", table].text ?? "" }
  }

  @Test func `sorts by its terms, then by the key, and null last unless descending`() {
    #expect(names([]) == ["e", "d", "c", "b", "a"])
    #expect(names([RowQuery.Order("count")]) == ["c", "e", "b", "d", "a"])
    #expect(names([RowQuery.Order("count", isDescending: true)]) == ["d", "a", "e", "b", "c"])
    #expect(names([RowQuery.Order("count", nullsFirst: true)]) == ["d", "a", "c", "e", "b"])
    #expect(
      names([RowQuery.Order("count", isDescending: true, nullsFirst: false), RowQuery.Order("name")])
        == ["b", "e", "c", "a", "d"])
  }

  @Test func `of a fetch is a range of stamps`() {
    let times = (WallTime(milliseconds: 5), WallTime(milliseconds: 9))
    var query = RowQuery(
      filters: [
        .compare(.updatedAt, .greater, .timestamp(times.0)), .compare(.updatedAt, .lessOrEqual, .timestamp(times.1)),
      ],
      order: [RowQuery.Order(.updatedAt), RowQuery.Order(.id)])
    #expect(query.plan(for: table) == .stamps(after: times.0, through: times.1, isExact: true))
    query.filters.append(.test("name", .notNull))
    #expect(query.plan(for: table) == .stamps(after: times.0, through: times.1, isExact: false))
    query.order = [RowQuery.Order(.updatedAt, isDescending: true)]
    #expect(query.plan(for: table) == .table)
    query.filters = [
      .compare(.updatedAt, .greaterOrEqual, .timestamp(times.0)), .compare(.updatedAt, .less, .timestamp(times.1)),
    ]
    query.order = [RowQuery.Order(.updatedAt)]
    let range = (WallTime(milliseconds: 4), WallTime(milliseconds: 8))
    #expect(query.plan(for: table) == .stamps(after: range.0, through: range.1, isExact: true))
  }

  @Test func `that reads on in the order of the stamps tells what the client has received`() {
    let (x, y) = (WallTime(milliseconds: 5), WallTime(milliseconds: 9))
    func received(_ filters: RowFilter..., order: [RowQuery.Order] = [RowQuery.Order(.updatedAt)]) -> WallTime? {
      RowQuery(filters: filters, order: order).receivedStamp(in: table)
    }
    let after = RowFilter.compare(.updatedAt, .greater, .timestamp(x))
    let beyondKey = RowFilter.compare(.id, .greater, .uuid(Samples.id(1)))
    let keyset = RowFilter.any([after, .all([.compare(.updatedAt, .equal, .timestamp(x)), beyondKey])])
    #expect(received(after) == x)
    #expect(received(keyset) == x)
    #expect(received(.test("name", .notNull), .all([keyset])) == x)
    #expect(received(after, .compare(.updatedAt, .greater, .timestamp(y))) == y)
    #expect(received(.any([after, .compare(.updatedAt, .greater, .timestamp(y))])) == x)
    #expect(received(.compare(.updatedAt, .greaterOrEqual, .timestamp(y))) == WallTime(milliseconds: 8))
    #expect(received(keyset, order: [RowQuery.Order(.updatedAt, nullsFirst: true), RowQuery.Order(.id)]) == x)
    #expect(received(.any([after, beyondKey])) == nil, "rows before the stamp may be meant")
    #expect(received(.not(after)) == nil && received() == nil)
    #expect(received(.compare(.updatedAt, .less, .timestamp(x))) == nil)
    #expect(received(after, order: []) == nil)
    #expect(received(after, order: [RowQuery.Order(.updatedAt, isDescending: true)]) == nil)
    #expect(received(after, order: [RowQuery.Order(.id), RowQuery.Order(.updatedAt)]) == nil)
  }

  @Test func `with conditions on the key looks rows up`() {
    let first = RowKey([Samples.id(1)])
    let second = RowKey([Samples.id(2)])
    #expect(RowQuery(filters: [.compare(.id, .equal, .uuid(Samples.id(1)))]).plan(for: table) == .keys([first]))
    let values: [RowValue] = [.uuid(Samples.id(2)), .uuid(Samples.id(1)), .uuid(Samples.id(2))]
    #expect(RowQuery(filters: [.isIn(.id, values)]).plan(for: table) == .keys([first, second]))
    #expect(RowQuery(filters: [.not(.compare(.id, .equal, .uuid(Samples.id(1))))]).plan(for: table) == .table)
    let pairs = Table.pairs("pairs", Column("a_id", .uuid), Column("b_id", .uuid))
    let a = RowFilter.compare("a_id", .equal, .uuid(Samples.id(1)))
    #expect(RowQuery(filters: [a]).plan(for: pairs) == .table)
    #expect(
      RowQuery(filters: [a, .isIn("b_id", values)]).plan(for: pairs)
        == .keys([RowKey([Samples.id(1), Samples.id(1)]), RowKey([Samples.id(1), Samples.id(2)])]))
  }
}
