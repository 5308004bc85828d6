import Testing
import ZoneKitMemoryStores
import ZoneKitRecords

@testable import ZoneKitCloud

@Suite struct `a query` {
  private var cloud = TestCloud.withNotes()

  private static let berlin = Location(latitude: 52.52, longitude: 13.405)
  private static let munich = Location(latitude: 48.137, longitude: 11.575)

  init() {
    _ = cloud.modify([
      .create(
        "a",
        [.typed("count", .int64(3)), .typed("title", .string("Buy Milk")), .typed("place", .location(Self.berlin))]),
      .create(
        "b", [.typed("count", .int64(1)), .typed("title", .string("Brot")), .typed("tags", .stringList(["x", "yy"]))]),
      .create(
        "c", [.typed("count", .int64(2)), .typed("place", .location(Self.munich)), .typed("ratio", .double(0.5))]),
      .create(
        "d",
        [.typed("to", .reference(Reference(recordName: "a"))), .typed("at", .timestamp(WallTime(milliseconds: 9)))]),
      .create("e", type: "Other", [.typed("count", .int64(3))]),
    ])
  }

  private mutating func ask(_ request: QueryRecords) -> Result<QueriedRecords, CloudError> {
    switch cloud.ask(.queryRecords([request])) {
    case .queries(let results):
      switch results.first {
      case .records(let records)?: return .success(records)
      case .failed(let error)?: return .failure(error)
      case nil: return .failure(CloudError(.internalError, "no result"))
      }
    case .failure(let error): return .failure(error)
    default: return .failure(CloudError(.internalError, "not the answer to a query"))
    }
  }

  private mutating func names(
    _ filters: [CloudQuery.Filter] = [], sortedBy sort: [CloudQuery.Sort] = []
  ) throws -> [Name] {
    let query = CloudQuery("Note", where: filters, sortedBy: sort)
    return try ask(QueryRecords(query, in: cloud.notes)).get().names
  }

  private mutating func error(_ filter: CloudQuery.Filter) -> CloudErrorCode? {
    guard case .failure(let error) = ask(QueryRecords(CloudQuery("Note", where: [filter]), in: cloud.notes)) else {
      return nil
    }
    return error.code
  }

  private static func field(
    _ comparator: CloudQuery.Comparator, _ name: Name, _ value: FieldValue, isTyped: Bool = true,
    distance: Double? = nil
  ) -> CloudQuery.Filter {
    CloudQuery.Filter(comparator, .field(name), value, isTyped: isTyped, distance: distance)
  }

  /// A filter, and the notes that it finds.
  static let cases: [(filter: CloudQuery.Filter, found: [Name])] = [
    (field(.equals, "count", .int64(3)), ["a"]),
    (field(.equals, "count", .double(3)), ["a"]),
    (field(.equals, "count", .string("3"), isTyped: false), ["a"]),
    (field(.equals, "at", .int64(9), isTyped: false), ["d"]),
    (field(.notEquals, "count", .int64(3)), ["b", "c", "d"]),
    (field(.lessThan, "count", .int64(2)), ["b"]),
    (field(.lessThanOrEquals, "count", .int64(2)), ["b", "c"]),
    (field(.greaterThan, "count", .double(1.5)), ["a", "c"]),
    (field(.greaterThanOrEquals, "title", .string("Buy")), ["a"]),
    (field(.isIn, "count", .int64List([1, 2, 7])), ["b", "c"]),
    (field(.isNotIn, "count", .int64List([1, 2])), ["a", "d"]),
    (field(.isIn, "count", .unknownList), []),
    (field(.beginsWith, "title", .string("B")), ["a", "b"]),
    (field(.beginsWith, "title", .string("b")), []),
    (field(.notBeginsWith, "title", .string("Bu")), ["b", "c", "d"]),
    (field(.containsAllTokens, "title", .string("milk BUY")), ["a"]),
    (field(.containsAllTokens, "title", .string("milk brot")), []),
    (field(.containsAnyTokens, "title", .string("milk brot")), ["a", "b"]),
    (CloudQuery.Filter(.containsAnyTokens, nil, .string("yy milk")), ["a", "b"]),
    (field(.near, "place", .location(berlin), distance: 1_000), ["a"]),
    (field(.near, "place", .location(berlin), distance: 600_000), ["a", "c"]),
    (field(.listContains, "tags", .string("yy")), ["b"]),
    (field(.notListContains, "tags", .string("yy")), ["a", "c", "d"]),
    (field(.listContainsAll, "tags", .stringList(["x", "yy"])), ["b"]),
    (field(.notListContainsAll, "tags", .stringList(["x", "z"])), ["a", "b", "c", "d"]),
    (field(.listContainsAny, "tags", .stringList(["z", "x"])), ["b"]),
    (field(.notListContainsAny, "tags", .stringList(["z", "x"])), ["a", "c", "d"]),
    (field(.listMemberBeginsWith, "tags", .string("y")), ["b"]),
    (field(.notListMemberBeginsWith, "tags", .string("q")), ["a", "b", "c", "d"]),
    (field(.equals, "to", .reference(Reference(recordName: "a"))), ["d"]),
    (field(.equals, "to", .string("a")), ["d"]),
    (field(.equals, "unheardOf", .int64(3)), []),
    (CloudQuery.Filter(.equals, .system(.recordName), .reference(Reference(recordName: "b"))), ["b"]),
    (CloudQuery.Filter(.isIn, .system(.recordName), .stringList(["b", "d", "z"])), ["b", "d"]),
    (
      CloudQuery.Filter(.greaterThan, .system(.createdTimestamp), .timestamp(WallTime(milliseconds: 5))),
      ["a", "b", "c", "d"]
    ),
    (CloudQuery.Filter(.equals, .system(.createdUserRecordName), .string("_x")), []),
  ]

  @Test(arguments: cases.indices) func `finds the records that fulfil its filter`(_ index: Int) throws {
    var test = self
    let (filter, found) = Self.cases[index]
    #expect(try test.names([filter]) == found, "\(filter)")
  }

  static let refused: [CloudQuery.Filter] = [
    field(.equals, "count", .string("3")), field(.equals, "count", .string("three"), isTyped: false),
    field(.beginsWith, "count", .string("3")), field(.near, "count", .location(berlin), distance: 1),
    field(.near, "place", .location(berlin)), field(.near, "place", .int64(1), distance: 1),
    field(.isIn, "count", .int64(3)), field(.listContains, "count", .int64(3)), field(.equals, "tags", .string("x")),
    field(.lessThan, "to", .reference(Reference(recordName: "a"))), field(.equals, "place", .location(berlin)),
    field(.listContains, "tags", .int64(3)), field(.containsAllTokens, "count", .string("3")),
    CloudQuery.Filter(.equals, nil, .int64(3)), CloudQuery.Filter(.equals, .system(.createdTimestamp), .string("x")),
  ]

  @Test(arguments: refused.indices) func `with a value that does not fit is refused`(_ index: Int) {
    var test = self
    #expect(test.error(Self.refused[index]) == .invalidArguments, "\(Self.refused[index])")
  }

  @Test func `holds all of its filters`() throws {
    var test = self
    #expect(
      try test.names([Self.field(.greaterThan, "count", .int64(1)), Self.field(.lessThan, "count", .int64(3))]) == ["c"]
    )
  }

  @Test func `orders records by values, and those without a value last`() throws {
    var test = self
    #expect(try test.names(sortedBy: [CloudQuery.Sort(.field("count"))]) == ["b", "c", "a", "d"])
    #expect(try test.names(sortedBy: [CloudQuery.Sort(.field("count"), isAscending: false)]) == ["a", "c", "b", "d"])
    let place = CloudQuery.Sort(.field("place"), relativeLocation: Self.munich)
    #expect(try test.names(sortedBy: [place]) == ["c", "a", "b", "d"])
    #expect(
      try test.names(sortedBy: [CloudQuery.Sort(.system(.recordName), isAscending: false)]) == ["d", "c", "b", "a"])
  }

  @Test func `of an unknown type finds no type, and of a known one no records`() throws {
    var test = self
    guard case .failure(let error) = test.ask(QueryRecords(CloudQuery("Nothing"), in: test.cloud.notes)) else {
      Issue.record("the type is not refused")
      return
    }
    #expect(error.code == .unknownItem)
    #expect(try test.names([Self.field(.equals, "count", .int64(99))]) == [])
  }

  // MARK: Pages

  /// The pages of a query.
  private mutating func pages(_ request: QueryRecords) throws -> [QueriedRecords] {
    var request = request
    var pages: [QueriedRecords] = []
    repeat {
      pages.append(try ask(request).get())
      request.marker = pages.last?.marker
    } while request.marker != nil && pages.count < 50
    return pages
  }

  @Test(arguments: 1...5) func `has each record on one page, and no marker on the last`(_ limit: Int) throws {
    var test = self
    let query = CloudQuery("Note", sortedBy: [CloudQuery.Sort(.field("count"))])
    let pages = try test.pages(QueryRecords(query, in: test.cloud.notes, limit: limit))
    #expect(pages.flatMap(\.names) == ["b", "c", "a", "d"])
    #expect(pages.map(\.count) == (0..<(3 + limit) / limit).map { min(limit, 4 - $0 * limit) })
  }

  @Test func `goes on where it was although records before and behind it change`() throws {
    var test = self
    let query = CloudQuery("Note", sortedBy: [CloudQuery.Sort(.field("count"))])
    var request = QueryRecords(query, in: test.cloud.notes, limit: 2)
    request.marker = try test.ask(request).get().marker
    _ = test.cloud.modify([
      RecordOperation(.forceDelete, recordName: "b"),
      .create("new", [.typed("count", .int64(0))]), .create("next", [.typed("count", .int64(4))]),
    ])
    #expect(try test.pages(request).flatMap(\.names) == ["a", "next", "d"])
  }

  @Test func `refuses a marker of another query and a damaged one`() throws {
    var test = self
    let request = QueryRecords(CloudQuery("Note"), in: test.cloud.notes, limit: 1)
    let marker = try #require(try test.ask(request).get().marker)
    for (type, text) in [
      ("Other", marker), ("Note", "x" + marker), ("Note", "!"), ("Note", String(marker.dropLast(4))),
    ] {
      let other = QueryRecords(CloudQuery(Name(type)), in: test.cloud.notes, limit: 1, marker: text)
      guard case .failure(let error) = test.ask(other) else {
        Issue.record("marker \(text) of \(type) is taken")
        continue
      }
      #expect(error.code == .invalidArguments)
    }
  }

  @Test func `over all zones merges their records, and pages never repeat or leave out one`() throws {
    var test = self
    for zone in ["Alpha", "Zulu"] {
      _ = test.cloud.ask(.modifyZones([.create(ZoneID(zoneName: Name(zone)))]))
      let operations = (0..<3).map {
        RecordOperation.create(Name("\(zone)-\($0)"), [.typed("count", .int64(Int64($0)))])
      }
      let same = RecordOperation.create("a", [.typed("count", .int64(3))])
      _ = test.cloud.ask(
        .modifyRecords(
          ModifyRecords(zoneID: ZoneID(zoneName: Name(zone)), operations: operations + [same], isAtomic: false)))
    }
    let query = CloudQuery("Note", sortedBy: [CloudQuery.Sort(.field("count"))])
    let whole = try test.pages(QueryRecords(query, in: nil))
    let expected: [Name] = [
      "Alpha-0", "Zulu-0", "Alpha-1", "b", "Zulu-1", "Alpha-2", "c", "Zulu-2", "a", "a", "a", "d",
    ]
    #expect(whole.flatMap(\.names) == expected)
    #expect(
      whole.flatMap(\.runs).suffix(4).map(\.zoneID.zoneName) == ["Zulu", "Alpha", "Notes", "Zulu"] || whole.count == 1)
    for limit in 1...4 {
      #expect(
        try test.pages(QueryRecords(query, in: nil, limit: limit)).flatMap(\.names) == expected, "pages of \(limit)")
    }
  }

  @Test func `of a custom zone has the token of its feed, and of the default zone none`() throws {
    var test = self
    #expect(
      try test.ask(QueryRecords(CloudQuery("Note"), in: test.cloud.notes)).get().token == test.cloud.changes().token)
    _ = test.cloud.ask(
      .modifyRecords(ModifyRecords(zoneID: .defaultZone, operations: [.create("x")], isAtomic: false)))
    #expect(try test.ask(QueryRecords(CloudQuery("Note"))).get().token == nil)
  }

  @Test func `of several fails one by one`() {
    var test = self
    let answer = test.cloud.ask(
      .queryRecords([
        QueryRecords(CloudQuery("Nothing"), in: test.cloud.notes),
        QueryRecords(CloudQuery("Note"), in: test.cloud.notes),
      ]))
    guard case .queries(let results) = answer, results.count == 2, case .failed = results[0],
      case .records(let records) = results[1]
    else {
      Issue.record("the answer is \(answer)")
      return
    }
    #expect(records.count == 4)
  }

  @Test func `has a text from which the same query is read`() throws {
    for (filter, _) in Self.cases {
      let query = CloudQuery(
        "Note", where: [filter, filter],
        sortedBy: [
          CloudQuery.Sort(.field("place"), isAscending: false, relativeLocation: Self.berlin),
          CloudQuery.Sort(.system(.parent)),
        ])
      #expect(CloudQuery(try JSON(parsing: query.text)) == query)
    }
  }
}

extension QueriedRecords {
  /// The names of the records.
  var names: [Name] { runs.flatMap { $0.page.changes.map(\.recordName) } }
}
