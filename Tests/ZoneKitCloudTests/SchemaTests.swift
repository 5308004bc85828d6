import ZoneKitRecords
import Testing
import ZoneKitCloud

@Suite struct `the schema` {
  /// A value as it comes, the type that the schema has, and what is kept; nil where it does not fit.
  struct Fit: Sendable {
    var sent: FieldValue
    var isTyped: Bool
    var first: FieldValue
    var kept: FieldValue?

    static func guessed(_ sent: FieldValue, after first: FieldValue, is kept: FieldValue?) -> Fit {
      Fit(sent: sent, isTyped: false, first: first, kept: kept)
    }

    static func typed(_ sent: FieldValue, after first: FieldValue, is kept: FieldValue?) -> Fit {
      Fit(sent: sent, isTyped: true, first: first, kept: kept)
    }
  }

  static let time = FieldValue.timestamp(WallTime(milliseconds: 1))
  static let place = FieldValue.location(Location(latitude: 1, longitude: 2))

  static let fits: [Fit] = [
    .guessed(.int64(3), after: .double(1), is: .double(3)),
    .guessed(.int64(3), after: time, is: .timestamp(WallTime(milliseconds: 3))),
    .guessed(.double(3.9), after: time, is: .timestamp(WallTime(milliseconds: 3))),
    .guessed(.double(-3.9), after: time, is: .timestamp(WallTime(milliseconds: -3))),
    .guessed(.double(1e300), after: time, is: nil),
    .guessed(.double(0x1p63), after: time, is: nil),
    .guessed(.double(-0x1p63), after: time, is: .timestamp(WallTime(milliseconds: .min))),
    .guessed(.double(3), after: .int64(1), is: nil),
    .guessed(.string("aGk="), after: .bytes([]), is: .bytes([0x68, 0x69])),
    .guessed(.string("aGk="), after: .encryptedBytes([]), is: .encryptedBytes([0x68, 0x69])),
    .guessed(.string("aGk"), after: .bytes([]), is: nil),
    .guessed(.string("-7"), after: .int64(1), is: .int64(-7)),
    .guessed(.string("2.5"), after: .double(1), is: .double(2.5)),
    .guessed(.string("inf"), after: .double(1), is: nil),
    .guessed(.string("7"), after: time, is: .timestamp(WallTime(milliseconds: 7))),
    .guessed(.string("seven"), after: .int64(1), is: nil),
    .guessed(.string("x"), after: .reference(Reference(recordName: "a")), is: nil),
    .guessed(.int64(1), after: .string(""), is: nil),
    .guessed(place, after: .string(""), is: nil),
    .guessed(.int64List([1, 2]), after: .doubleList([]), is: .doubleList([1, 2])),
    .guessed(
      .doubleList([1.5, 2]), after: .timestampList([]),
      is: .timestampList([WallTime(milliseconds: 1), WallTime(milliseconds: 2)])),
    .guessed(.stringList(["aGk=", ""]), after: .bytesList([]), is: .bytesList([[0x68, 0x69], []])),
    .guessed(.stringList(["1", "x"]), after: .int64List([]), is: nil),
    .guessed(.stringList(["1"]), after: .int64List([]), is: .int64List([1])),
    .guessed(.int64List([1]), after: .locationList([]), is: nil),
    .guessed(.int64List([1]), after: .int64(1), is: nil),
    .guessed(.unknownList, after: .referenceList([]), is: .referenceList([])),
    .guessed(.unknownList, after: .string(""), is: nil),
    .guessed(.unknownList, after: .unknownList, is: .unknownList),
    .typed(.unknownList, after: .stringList(["a"]), is: .stringList([])),
    .typed(.stringList(["a"]), after: .unknownList, is: .stringList(["a"])),
    .guessed(.int64List([4]), after: .unknownList, is: .int64List([4])),
    .guessed(.int64(4), after: .unknownList, is: nil),
    .typed(.int64(3), after: .double(1), is: nil),
    .typed(.stringList([]), after: .int64List([]), is: nil),
    .typed(.string("aGk="), after: .bytes([]), is: nil),
  ]

  @Test(arguments: fits)
  func `corrects guesses and refuses what does not fit`(fit: Fit) throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.perform(.create("first", [.typed("f", fit.first)]))
    let change = NamedFieldChange("f", .set(fit.sent, isTyped: fit.isTyped, isEncrypted: false))
    let result = cloud.perform(.create("n", [change]))
    #expect(try result.record?.fields.decoded()["f"] == fit.kept)
    if fit.kept == nil {
      let wanted =
        "Invalid value, expected type \(fit.first.type.rawValue) for field f of Note, got "
        + fit.sent.type.rawValue
      #expect(result.error == CloudError(.invalidArguments, wanted))
    }
  }

  @Test(arguments: FieldType.allCases)
  func `is made up of the first value of a field`(type: FieldType) throws {
    var cloud = TestCloud.withNotes()
    let value = Self.sample(of: type)
    let sent = cloud.uploaded(value, for: AssetPlace(recordName: "n", fieldName: "f"))
    #expect(try cloud.perform(.create("n", [.typed("f", sent)])).record?.fields.decoded()["f"] == value)
    let other: FieldValue = type == .string ? .int64(1) : .string("other")
    let refused = cloud.perform(.create("m", [.typed("f", other)]))
    #expect(refused.error?.code == .invalidArguments)
    #expect(cloud.perform(.create("m", type: "List", [.typed("f", other)])).error == nil)
  }

  @Test func `gives an empty list its type with the first element, for good`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.perform(.create("a", [.guessed("f", .unknownList)]))
    _ = cloud.perform(.create("b", [.guessed("f", .stringList(["x"]))]))
    #expect(cloud.perform(.create("c", [.typed("f", .int64List([1]))])).error?.code == .invalidArguments)
    #expect(
      try cloud.perform(.create("c", [.guessed("f", .unknownList)])).record?.fields.decoded()["f"] == .stringList([]))
  }

  @Test func `is seen by later operations of the same batch, and not left behind by refused ones`() {
    var cloud = TestCloud.withNotes()
    let results = cloud.modify([
      .create("a", [.typed("f", .int64(1)), .typed("1", .int64(1))]), .create("b", [.typed("f", .string("x"))]),
      .create("c", [.typed("f", .int64(1))]), .create("d", [.guessed("g", .unknownList)]),
      .create("e", [.typed("g", .doubleList([1]))]), .create("f", [.typed("g", .stringList(["x"]))]),
    ])
    #expect(results.map { $0.error == nil } == [false, true, false, true, true, false])
    #expect(cloud.perform(.create("h", [.typed("g", .doubleList([]))])).error == nil)
  }

  @Test(arguments: ["1a", "_a", "a-b", "", "a b", "\u{E9}", String(repeating: "a", count: 256)])
  func `refuses illegal field names`(name: String) {
    var cloud = TestCloud.withNotes()
    for change in [NamedFieldChange.typed(Name(name), .int64(1)), NamedFieldChange(Name(name), .clear)] {
      let error = cloud.perform(.create("n", [change])).error
      #expect(error?.code == .invalidArguments && error?.reason.hasPrefix("field name \(name) of Note") == true)
    }
  }

  @Test func `takes names of 255 characters, digits and underscores in`() {
    var cloud = TestCloud.withNotes()
    let names = [Name(String(repeating: "a", count: 255)), "a_1", "Z"]
    #expect(cloud.perform(.create("n", names.map { .typed($0, .int64(1)) })).error == nil)
  }

  @Test func `names the field of a value that cannot be read`() {
    var cloud = TestCloud.withNotes()
    let change = NamedFieldChange("f", .malformed("Invalid value, expected type TIMESTAMP."))
    let wanted = CloudError(.invalidArguments, "field f of Note: Invalid value, expected type TIMESTAMP.")
    #expect(cloud.perform(.create("n", [change])).error == wanted)
  }

  @Test func `keeps what an update does not mention, and clears what it takes away`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.perform(.create("n", [.typed("a", .int64(1)), .typed("b", .int64(2)), .typed("c", .stringList([]))]))
    let changes = [NamedFieldChange("a", .clear), NamedFieldChange("x", .clear), .typed("d", .int64(4))]
    _ = cloud.perform(RecordOperation(.forceUpdate, recordName: "n", fields: changes))
    let wanted = Fields(
      [("b", .int64(2)), ("c", .stringList([])), ("d", .int64(4))].map { (name: Name, value: FieldValue) in
        Field(name: name, value: value)
      })
    #expect(try cloud.fields(of: "n") == wanted)
  }

  @Test func `carries the mark of encryption along`() throws {
    var cloud = TestCloud.withNotes()
    let change = NamedFieldChange("a", .set(.string("x"), isTyped: true, isEncrypted: true))
    _ = cloud.perform(.create("n", [change]))
    #expect(try cloud.fields(of: "n")?.sorted.first?.isEncrypted == true)
  }

  @Test func `takes a record of one megabyte in and not one more byte`() {
    var cloud = TestCloud.withNotes()
    let frame = #"{"f":{"type":"STRING","value":""}}"#.utf8.count
    let text = String(repeating: "x", count: (1 << 20) - frame)
    #expect(cloud.perform(.create("n", [.typed("f", .string(text))])).record?.fields.utf8.count == 1 << 20)
    let error = cloud.perform(.create("m", [.typed("f", .string(text + "x"))])).error
    #expect(error == CloudError(.limitExceeded, "record m has 1048577 bytes of fields, at most 1048576 are allowed"))
  }

  private static func sample(of type: FieldType) -> FieldValue {
    switch type {
    case .string: .string("x")
    case .int64: .int64(1)
    case .double: .double(1.5)
    case .bytes: .bytes([1])
    case .encryptedBytes: .encryptedBytes([1])
    case .timestamp: time
    case .reference: .reference(Reference(recordName: "x"))
    case .location: place
    case .stringList: .stringList(["x"])
    case .int64List: .int64List([1])
    case .doubleList: .doubleList([1])
    case .bytesList: .bytesList([[1]])
    case .timestampList: .timestampList([WallTime(milliseconds: 1)])
    case .referenceList: .referenceList([Reference(recordName: "x")])
    case .locationList: .locationList([Location(latitude: 1, longitude: 2)])
    case .asset: .asset(TestCloud.asset(1))
    case .assetList: .assetList([TestCloud.asset(1), TestCloud.asset(2)])
    case .unknownList: .unknownList
    }
  }
}
