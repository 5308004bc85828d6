import ZoneKitCloud
import ZoneKitRecords

extension ZoneStoreTrial {
  /// Compares the answers to generated queries with what `RecordQuery` states, in a small zone, in one that is large enough
  /// for indexes, and after changes of it.
  mutating func checkQueries(_ reopen: (consuming Store) throws -> Store) throws {
    var samples = QuerySamples()
    expect(
      try store.matches(RecordQuery("Note", isCounted: true), in: notes), RecordMatches(count: 0), "a query of no zone")
    expect(try store.matches(RecordQuery("Note"), in: notes), RecordMatches(), "a query of no zone, not counted")
    for count in [40, 1_010] {
      stageQueried(samples.records(upTo: count, in: self))
      try expectMatches(&samples, 12, "staged")
      commit()
      try expectMatches(&samples, 30, "committed")
    }
    stageQueried(samples.changes(in: self))
    try expectMatches(&samples, 12, "changed")
    commit()
    try self.reopen(reopen)
    try expectMatches(&samples, 12, "reopened")
    for key in QuerySamples.keys {
      // The condition that most records fulfil is no help, so that the order counts.
      let query = RecordQuery(
        "Note", where: .not(.isMissing(.recordName)),
        order: [RecordQuery.Order(key, isDescending: true, missingFirst: true)], offset: 3, limit: 5, isCounted: true)
      try expectMatch(query, among: samples, "the order of \(key)")
    }
  }

  private mutating func stageQueried(_ records: [StoredRecord]) {
    var header = header("Notes", sequence: records.last?.sequence ?? 0, databaseSequence: 1)
    header.recordCount = Int(header.sequence)
    store.stage(ZoneTransition(header: header, records: records), in: notes)
  }

  private mutating func expectMatches(_ samples: inout QuerySamples, _ count: Int, _ what: String) throws {
    for _ in 0..<count {
      let query = samples.query()
      try expectMatch(query, among: samples, what)
    }
  }

  /// Compares entries and not pages, because stores lay out the bytes of a page in different ways.
  private mutating func expectMatch(_ query: RecordQuery, among samples: QuerySamples, _ what: String) throws {
    let wanted = try query.matches(among: samples.present.values)
    let found = try store.matches(query, in: notes)
    expect(found.count, wanted.count, "\(what), the number of \(query)")
    expect(found.moreComing, wanted.moreComing, "\(what), whether more is coming of \(query)")
    expect(found.page.changes, wanted.page.changes, "\(what), the records of \(query)")
    expect(found.page.rows.map(\.version), wanted.page.rows.map(\.version), "\(what), the versions of \(query)")
  }
}

/// Records and queries with values that repeat, are missing, or are hard to compare.
struct QuerySamples {
  static let keys: [RecordKey] = [
    .recordName, .createdAt, .modifiedAt, .createdBy, .modifiedBy, .parent, .share, .field("text"), .field("number"),
    .field("amount"), .field("time"), .field("raw"), .target("owner"), .field("none"),
  ]
  /// Keys that are computed from the fields of records.
  static let computedKeys: [RecordKey] = [.distance("place", places[0]), .distance("place", places[3])]

  /// All records and tombstones, by name.
  private(set) var present: [Name: StoredRecord] = [:]
  private var numbers = SplitMix64(seed: 42)
  private var sequence: Int64 = 0

  private static let texts = ["", "a", "B", "b", "ab\"c\\", "it's", "é", "e\u{301}", "😀", "a\nb", "Z", "10", "9"]
  private static let tags = ["", "red", "redder", "Green", "blue", "é", "e\u{301}"]
  private static let sentences = ["Buy milk, bread", "MILK is white", "no-one", "42 apples", "Brot kaufen"]
  private static let words = ["milk", "bread", "white", "no", "one", "42", "kaufen", "mil"]
  static let places = [
    Location(latitude: 52.52, longitude: 13.405), Location(latitude: 52.521, longitude: 13.41),
    Location(latitude: 48.137, longitude: 11.575), Location(latitude: -33.87, longitude: 151.21),
    Location(latitude: 90, longitude: 0), Location(latitude: 0, longitude: 179.9),
    Location(latitude: 0, longitude: -179.9),
  ]
  private static let pieces = ["a", "B", "\"", "\\", "_", "%", "10", "S", "it"]
  private static let amounts = [0, 0.1, 0.2, 0.1 + 0.2, -1.5, 1e300, 2.2250738585072014e-308, 3, 12_345_678.9, 1 / 3.0]

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &numbers)]
  }

  /// Records up to that number.
  mutating func records<Store>(upTo count: Int, in trial: ZoneStoreTrial<Store>) -> [StoredRecord] {
    (present.count..<count).map { record(Name("r\($0)"), in: trial) }
  }

  /// Changes of some records, some of which are removed.
  mutating func changes<Store>(in trial: ZoneStoreTrial<Store>) -> [StoredRecord] {
    (0..<30).map { number in
      let name = Name("r\(number * 7)")
      guard number % 3 == 0, let before = present[name] else { return record(name, in: trial) }
      sequence += 1
      let tombstone = trial.tombstone(name, sequence, type: before.recordType)
      present[name] = tombstone
      return tombstone
    }
  }

  private mutating func record<Store>(_ name: Name, in trial: ZoneStoreTrial<Store>) -> StoredRecord {
    sequence += 1
    var record = trial.record(name, sequence, type: present[name]?.recordType ?? (sequence % 5 == 0 ? "Item" : "Note"))
    var fields = Fields()
    if Bool.random(using: &numbers) { fields["text"] = .string(pick(Self.texts)) }
    if Int.random(in: 0..<5, using: &numbers) > 0 {
      fields["number"] = .int64(Int64.random(in: -3...3, using: &numbers))
    }
    if Int.random(in: 0..<5, using: &numbers) > 0 { fields["amount"] = .double(pick(Self.amounts)) }
    if Bool.random(using: &numbers) {
      fields["time"] = .timestamp(WallTime(milliseconds: Int64.random(in: 0...9, using: &numbers)))
    }
    if Int.random(in: 0..<4, using: &numbers) > 0 {
      let target = Name("o/\(Int.random(in: 0..<4, using: &numbers))")
      fields["owner"] = .reference(Reference(recordName: target, action: .none))
    }
    addComputed(to: &fields)
    record.fields = EncodedFields(fields)
    record.created = Authorship(
      at: WallTime(milliseconds: Int64.random(in: 1_000...1_009, using: &numbers)),
      author: Author(userRecordName: pick(["_ann", "_mum"])))
    record.modified.author = Author(userRecordName: pick(["_ann", "_mum"]))
    if Bool.random(using: &numbers) { record.parent = Name("r\(Int.random(in: 0..<3, using: &numbers))") }
    present[name] = record
    return record
  }

  private mutating func addComputed(to fields: inout Fields) {
    if Bool.random(using: &numbers) { fields["raw"] = .bytes([UInt8.random(in: 0...3, using: &numbers)]) }
    if Int.random(in: 0..<3, using: &numbers) > 0 {
      fields["tags"] = .stringList((0..<Int.random(in: 0...3, using: &numbers)).map { _ in pick(Self.tags) })
    }
    if Bool.random(using: &numbers) { fields["sentence"] = .string(pick(Self.sentences)) }
    if Int.random(in: 0..<3, using: &numbers) > 0 { fields["place"] = .location(pick(Self.places)) }
  }

  /// A query. One in three begins after a record.
  mutating func query() -> RecordQuery {
    let keys = Self.keys + Self.keys + Self.computedKeys
    let order = (0..<Int.random(in: 0...2, using: &numbers)).map { _ in
      RecordQuery.Order(
        pick(keys), isDescending: Bool.random(using: &numbers), missingFirst: Bool.random(using: &numbers))
    }
    var query = RecordQuery(
      pick(["Note", "Note", "Item", "it's"]), where: condition(depth: 2), order: order,
      offset: pick([0, 0, 0, 3, 60, 5_000]), limit: pick([0, 1, 7, 200, .max]), isCounted: Bool.random(using: &numbers))
    if Int.random(in: 0..<3, using: &numbers) == 0 {
      query.offset = 0
      query.after = place(in: query)
    }
    return query
  }

  /// The place of a record, or one between two records.
  private mutating func place(in query: RecordQuery) -> RecordQuery.Position? {
    let names = present.keys.sorted()
    guard !names.isEmpty, let record = present[pick(names)], let fields = try? record.fields.decoded() else {
      return nil
    }
    var place = query.position(of: RecordSight(record, fields))
    switch Int.random(in: 0..<4, using: &numbers) {
    case 0: place.recordName = nil
    case 1: place.recordName = ""
    default: break
    }
    return place
  }

  private mutating func condition(depth: Int) -> RecordCondition {
    switch Int.random(in: -5..<(depth > 0 ? 9 : 5), using: &numbers) {
    case -5: return .isNear("place", pick(Self.places), metres: pick([0, 500, 600_000, 2e7, 1e9]))
    case -4:
      let words = (0..<Int.random(in: 0...2, using: &numbers)).map { _ in pick(Self.words) }
      return .hasWords(pick(["sentence", "text", "none", nil]), words, all: Bool.random(using: &numbers))
    case -3: return .elements(pick(["tags", "tags", "text", "none"]), listCondition())
    case -2: return .beginsWith(pick(Self.keys), pick(Self.texts + Self.pieces + ["r1", "\u{10FFFF}", "a\u{D7FF}"]))
    case -1:
      return .contains(.field("text"), (0..<Int.random(in: 1...2, using: &numbers)).map { _ in pick(Self.pieces) })
    case 0: return .all([])
    case 1: return .isMissing(pick(Self.keys))
    case 2:
      let key = pick(Self.keys)
      return .isIn(key, (0..<Int.random(in: 0...3, using: &numbers)).map { _ in value(of: key) })
    case 3, 4:
      let key = pick(Self.keys)
      return .compare(key, pick(RecordCondition.Comparison.allCases), value(of: key))
    case 5: return .not(condition(depth: depth - 1))
    case 8: return .isNotTrue(condition(depth: depth - 1))
    case 6: return .any((0..<Int.random(in: 0...3, using: &numbers)).map { _ in condition(depth: depth - 1) })
    default: return .all((0..<Int.random(in: 1...3, using: &numbers)).map { _ in condition(depth: depth - 1) })
    }
  }

  private mutating func listCondition() -> ListCondition {
    let values = (0..<Int.random(in: 0...2, using: &numbers)).map { _ in RecordValue.text(Name(pick(Self.tags))) }
    switch Int.random(in: 0..<3, using: &numbers) {
    case 0: return .hasAll(values)
    case 1: return .hasAny(values)
    default: return .hasOneBeginning(pick(["", "red", "é", "G"]))
    }
  }

  private mutating func value(of key: RecordKey) -> RecordValue {
    switch key {
    case .createdBy, .modifiedBy: .text(pick(["_ann", "_mum", "_nobody"]))
    case .parent, .share: .text(Name("r\(Int.random(in: 0..<3, using: &numbers))"))
    case .field("raw"): .text(Name(Base64.encode([UInt8.random(in: 0...3, using: &numbers)])))
    case .createdAt: .integer(Int64.random(in: 1_000...2_100, using: &numbers))
    case .distance: .number(0)
    case .recordName: .text(Name("r\(Int.random(in: 0..<1_010, using: &numbers))"))
    case .modifiedAt: .integer(Int64.random(in: 1_000...2_100, using: &numbers))
    case .field("text"): .text(Name(pick(Self.texts)))
    case .field("amount"): .number(pick(Self.amounts))
    case .field: .integer(Int64.random(in: -3...9, using: &numbers))
    case .target: .text(Name("o/\(Int.random(in: 0..<4, using: &numbers))"))
    }
  }
}
