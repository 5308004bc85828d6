import Testing
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitWire

@Suite struct `a client's request for rows` {
  private static let things = Table.owned(
    "things",
    [
      Column("name", .text), Column("count", .int4), Column("is_new", .bool), Column("amount", .float8),
      Column("order", .text), Column("odd \"name\", é", .text),
    ])
  private static let pairs = Table.pairs("pairs", Column("a_id", .uuid), Column("b_id", .uuid))
  private static let schema = TableSchema([things, pairs])
  private static let sender = SupabaseSender(key: "k", token: "t", deviceID: "D-1")

  private func call(_ request: RowRequest, _ demands: RowDemands = RowDemands()) throws -> RowCall {
    let table = try #require(Self.schema.table(request.table))
    let client = ClientRequest(request, demands, of: table, from: Self.sender)
    return try RowCall(WireTrip.received(client), schema: Self.schema)
  }

  /// A condition on the column `order` stands in brackets, because it would be an order outside.
  private func plain(_ query: RowQuery) -> RowQuery {
    var query = query
    query.filters = query.filters.map { Self.column(of: $0) == "order" ? .all([$0]) : $0 }
    return query
  }

  private static func column(of filter: RowFilter) -> Name? {
    switch filter {
    case .compare(let column, _, _), .isIn(let column, _), .like(let column, _), .test(let column, _): column
    case .not(let opposite): column(of: opposite)
    case .all, .any: nil
    }
  }

  // MARK: Random requests

  private func text(using generator: inout SplitMix64) -> String {
    let parts = ["a", "é", " ", ",", "(", ")", "\"", "\\", "+", "%", "&", "=", ".", "null", "\n", "#", "😀"]
    return (0..<Int.random(in: 0...4, using: &generator)).map { _ in parts[Int(generator.next() % 17)] }.joined()
  }

  private func value(of type: ColumnType, using generator: inout SplitMix64) -> RowValue {
    switch type {
    case .text: .text(text(using: &generator))
    case .uuid: .uuid(UUID(using: &generator))
    case .timestamp: .timestamp(WallTime(milliseconds: Int64(generator.next() % 4_000_000_000_000)))
    case .bool: .bool(Bool.random(using: &generator))
    case .float8: .float8(Double(Int64(bitPattern: generator.next()) % 1_000_000) / 64)
    case .int4: .int4(Int32(truncatingIfNeeded: generator.next()))
    }
  }

  private func filter(depth: Int, using generator: inout SplitMix64) -> RowFilter {
    if depth > 0, Int.random(in: 0..<3, using: &generator) == 0 {
      let count = Int.random(in: 1...3, using: &generator)
      let filters = (0..<count).map { _ in filter(depth: depth - 1, using: &generator) }
      let combined: RowFilter = Bool.random(using: &generator) ? .all(filters) : .any(filters)
      return Bool.random(using: &generator) ? combined : .not(combined)
    }
    let column = Self.things.columns[Int(generator.next() % UInt64(Self.things.columns.count))]
    let simple: RowFilter
    switch Int.random(in: 0..<6, using: &generator) {
    case 0:
      let values = (0..<Int.random(in: 0...3, using: &generator)).map { _ in value(of: column.type, using: &generator) }
      simple = .isIn(column.name, values)
    case 1 where column.type == .text:
      simple = .like(column.name, LikePattern(text(using: &generator), ignoresCase: Bool.random(using: &generator)))
    case 2: simple = .test(column.name, column.type == .bool ? .unknown : .notNull)
    default:
      let comparison = RowFilter.Comparison.allCases[Int(generator.next() % 6)]
      simple = .compare(column.name, comparison, value(of: column.type, using: &generator))
    }
    return Bool.random(using: &generator) ? simple : .not(simple)
  }

  private func query(using generator: inout SplitMix64) -> RowQuery {
    var query = RowQuery()
    query.filters = (0..<Int.random(in: 1...3, using: &generator)).map { _ in filter(depth: 3, using: &generator) }
    for column in Self.things.columns.prefix(Int.random(in: 0...9, using: &generator)) {
      let nulls: Bool? = Bool.random(using: &generator) ? nil : Bool.random(using: &generator)
      query.order.append(
        RowQuery.Order(column.name, isDescending: Bool.random(using: &generator), nullsFirst: nulls))
    }
    if Bool.random(using: &generator) { query.limit = Int.random(in: 0...300, using: &generator) }
    query.offset = Int.random(in: 0...3, using: &generator)
    if Bool.random(using: &generator) {
      query.selection = .columns(
        Self.things.columns.prefix(Int.random(in: 1...9, using: &generator)).map {
          RowSelection.Column(
            $0.name, alias: Bool.random(using: &generator) ? "x y\"" : nil, isText: Bool.random(using: &generator))
        })
    }
    return query
  }

  private func content(using generator: inout SplitMix64) -> RowContent {
    var content = RowContent([:])
    for column in Self.things.columns where Int.random(in: 0..<4, using: &generator) > 0 {
      content[column.name] = Bool.random(using: &generator) ? .null : value(of: column.type, using: &generator)
    }
    return content
  }

  @Test func `that reads is read by the server as it was written`() throws {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<2_000 {
      let query = query(using: &generator)
      let call = try call(.read("things", query, isHead: false))
      #expect(call.request == .read("things", plain(query), isHead: false))
    }
  }

  @Test func `that writes, changes or removes is read by the server as it was written`() throws {
    var generator = SplitMix64(seed: 4)
    for _ in 0..<500 {
      let rows = (0..<Int.random(in: 0...4, using: &generator)).map { _ in content(using: &generator) }
      let resolutions: [RowWrite.Resolution] = [.merge, .refuse, .ignore]
      let write = RowWrite(rows, resolution: resolutions[Int(generator.next() % 3)])
      let written = try call(.write("things", write))
      #expect(written.request == .write("things", write))
      #expect(written.preferences.returning == .representation && written.preferences.wantsVerdicts)
      let filters = RowQuery(filters: [filter(depth: 2, using: &generator)])
      let columns = content(using: &generator)
      let expected = plain(filters)
      #expect(try call(.update("things", columns, filters)).request == .update("things", columns, expected))
      #expect(try call(.delete("things", filters)).request == .delete("things", expected))
    }
  }

  @Test func `with conditions that have no part is one that the server understands`() throws {
    let row = Row(Self.things.columns.map { $0.name == .id ? .uuid(UUID(high: 1, low: 2)) : .null })
    let filters: [RowFilter] = [
      .all([]), .any([]), .not(.all([])), .not(.any([])), .any([.all([])]), .all([.any([])]),
      .not(.not(.compare(.id, .equal, .uuid(UUID(high: 1, low: 2))))), .not(.not(.any([]))), .any([.not(.all([]))]),
    ]
    for filter in filters {
      guard case .read(_, let query, _) = try call(.read("things", RowQuery(filters: [filter]), isHead: false)).request
      else { continue }
      #expect(
        query.isFulfilled(by: row, of: Self.things) == filter.isFulfilled(by: row, of: Self.things), "\(filter)")
    }
  }

  @Test func `states what it asks of the answer, and who sends it`() throws {
    let demands = [
      RowDemands(countsRows: true), RowDemands(isSingle: true), RowDemands(rowLimit: 3), RowDemands(),
    ]
    for demand in demands {
      #expect(try call(.read("things", RowQuery(), isHead: true), demand).demands == demand)
    }
    let request = ClientRequest(
      .read("things", RowQuery(), isHead: false), RowDemands(), of: Self.things, from: Self.sender)
    let credentials = SupabaseCredentials(try WireTrip.received(request))
    #expect(credentials.key == "k" && credentials.bearer == "t" && credentials.deviceID == "D-1")
    var anonymous = request
    anonymous.fields = SupabaseSender(key: "k").fields
    let nobody = SupabaseCredentials(try WireTrip.received(anonymous))
    #expect(nobody.key == "k" && nobody.bearer == nil && nobody.deviceID == nil)
  }

  // MARK: Answers

  private func outcome(_ response: RowResponse, to request: RowRequest) throws -> RowOutcome {
    var kept = KeptRows()
    let reply = try call(request).reply(response, keeping: &kept)
    return RowOutcome(try WireTrip.received(reply), of: Self.things)
  }

  @Test func `has an answer that the client reads as the server wrote it`() throws {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<300 {
      let rows = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        Row(
          Self.things.columns.map {
            Bool.random(using: &generator) ? .null : value(of: $0.type, using: &generator)
          })
      }
      let feed = RowFeed(
        incarnation: generator.next(), newest: WallTime(milliseconds: 17), horizon: WallTime(milliseconds: -1),
        earlier: [
          nil, ZoneEnding(.purged, at: WallTime(milliseconds: 5)), ZoneEnding(.deleted),
        ].prefix(Int.random(in: 0...3, using: &generator)).map { RowFeed.Life(generator.next(), $0) })
      let verdicts = rows.map { _ in RowVerdict.allCases[Int(generator.next() % 5)] }
      let read = RowResult(.rows(rows), feed: feed)
      #expect(try outcome(.done(read), to: .read("things", RowQuery(), isHead: false)) == .done(read))
      var written = read
      written.verdicts = verdicts
      let write = RowRequest.write("things", RowWrite([], resolution: .merge))
      #expect(try outcome(.done(written), to: write) == .done(written))
    }
  }

  @Test(arguments: RowError.Kind.allCases)
  func `has a refusal that the client reads with its status, its code and its pause`(kind: RowError.Kind) throws {
    var error = RowError(kind, "no", details: "because", hint: "well")
    error.rowCount = 3
    let answered = try outcome(.refused(error), to: .read("things", RowQuery(), isHead: false))
    #expect(answered == RowOutcome(.refused(error)))
    guard case .refused(let refusal) = answered else { return }
    #expect(refusal.message == "no: because" && refusal.status == error.status && refusal.code == error.code)
  }

  @Test(arguments: [
    "HTTP/1.1 502 x\r\nContent-Length: 4\r\n\r\noops", "HTTP/1.1 429 x\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 413 x\r\nContent-Length: 12\r\n\r\n{\"code\":413}",
  ])
  func `has an answer of something else that the client reads by its status`(text: String) throws {
    var parser = HTTPResponseParser()
    guard case .response(let answer)? = parser.receive(Array(text.utf8)).first,
      case .refused(let refusal) = RowOutcome(answer, of: Self.things)
    else { return #expect(Bool(false)) }
    #expect(refusal.status == answer.status && refusal.retryAfter == (answer.status == 429 ? 7 : nil))
  }

  @Test(arguments: ["[", "[1]", "[{\"id\":\"x\"}]", "7"])
  func `has an unreadable answer that counts as lost`(body: String) throws {
    let answer = try WireTrip.received(HTTPReply(status: 200, body: Array(body.utf8)))
    guard case .unanswered(.answerLost) = RowOutcome(answer, of: Self.things) else { return #expect(Bool(false)) }
  }
}
