import ZoneKitRecords
import ZoneKitSync
import Testing

/// Which fields of a record differ, and how they are shown.
struct DiagnosisDifferenceTests {
  private static let recordID = RecordID(recordName: "R", zoneID: ZoneID(zoneName: "Z"))

  private static func content(_ fields: [Name: FieldValue], parent: Name? = nil) -> RecordContent {
    RecordContent(
      fields: EncodedFields(
        Fields(
          fields.keys.sorted().compactMap { name in
            fields[name].map { Field(name: name, value: $0) }
          })), parent: parent)
  }

  private static func difference(
    _ first: RecordContent?, _ second: RecordContent?, _ cloud: RecordContent?
  ) throws -> RecordDifference? {
    try RecordDifference(of: recordID, type: "T", first: first, second: second, cloud: cloud)
  }

  @Test func `three equal versions, and three missing ones, are no difference`() throws {
    let content = Self.content(["a": .int64(1)], parent: "P")
    #expect(try Self.difference(content, content, content) == nil)
    #expect(try Self.difference(nil, nil, nil) == nil)
  }

  @Test func `only fields that differ are named, in order, the parent among them`() throws {
    let first = Self.content(["a": .int64(1), "b": .string("x"), "c": .int64(3)], parent: "P")
    let second = Self.content(["a": .int64(1), "b": .string("y")], parent: "Q")
    let difference = try #require(try Self.difference(first, second, second))
    #expect(difference.fields == ["(parent)", "b", "c"])
    #expect(difference.first == ["P", "x", "3"])
    #expect(difference.second == ["Q", "y", nil])
    #expect(difference.cloud == ["Q", "y", nil])
  }

  @Test func `a field whose text is JSON is named by its items and members`() throws {
    func items(_ text: String) -> RecordContent { Self.content(["items": .string(text), "n": .int64(1)]) }
    let first = items(#"[{"_id":"1","name":"Oats","unit":"g","q":60},{"_id":"2","name":"Milk","q":5}]"#)
    let second = items(#"[{"_id":"1","name":"Oats","unit":"cup","q":60},{"_id":"3","name":"Tea","q":5}]"#)
    let difference = try #require(try Self.difference(first, second, first))
    let fields: [Name] = [
      #"items["Milk"]._id"#, #"items["Milk"].name"#, #"items["Milk"].q"#, #"items["Oats"].unit"#,
      #"items["Tea"]._id"#, #"items["Tea"].name"#, #"items["Tea"].q"#,
    ]
    #expect(difference.fields == fields)
    #expect(difference.first == ["2", "Milk", "5", "g", nil, nil, nil])
    #expect(difference.second == [nil, nil, nil, "cup", "3", "Tea", "5"])
    let twins = items(#"[{"_id":"1","name":"Oats","q":1},{"_id":"2","name":"Oats","q":2}]"#)
    let others = items(#"[{"_id":"1","name":"Oats","q":1},{"_id":"2","name":"Oats","q":3}]"#)
    #expect(try Self.difference(twins, others, others)?.fields == ["items[2].q"])
    let listed = Self.content(["items": .stringList([#"{"_id":"1","name":"Oats","q":1}"#])])
    let changedList = Self.content(["items": .stringList([#"{"_id":"1","name":"Oats","q":2}"#])])
    #expect(try Self.difference(listed, changedList, listed)?.fields == [#"items["Oats"].q"#])
    let nested = Self.content(["goals": .string(#"{"a":{"b":1},"c":null}"#)])
    let changed = Self.content(["goals": .string(#"{"a":{"b":2},"c":null}"#)])
    #expect(try Self.difference(nested, changed, changed)?.fields == ["goals.a.b"])
    let spaced = Self.content(["goals": .string(#"{"a":{"b":1}, "c":null}"#)])
    #expect(try Self.difference(nested, spaced, spaced)?.fields == ["goals"])
  }

  @Test func `a record that one of the three lacks differs in its presence only, where the others agree`() throws {
    let content = Self.content(["a": .int64(1)])
    let difference = try #require(try Self.difference(nil, content, content))
    #expect(difference.fields == [])
    #expect(difference.first == nil)
    #expect(difference.second == [])
    #expect(difference.cloud == [])
  }

  @Test func `values of other types, and encrypted ones, are not alike`() throws {
    let plain = Self.content(["a": .int64(1)])
    var hidden = Fields()
    hidden.set(Field(name: "a", value: .int64(1), isEncrypted: true))
    let encrypted = RecordContent(fields: EncodedFields(hidden))
    #expect(try Self.difference(plain, encrypted, plain)?.fields == ["a"])
    #expect(try Self.difference(plain, Self.content(["a": .double(1)]), plain)?.fields == ["a"])
  }

  @Test(arguments: [
    (FieldValue.timestamp(WallTime(milliseconds: 0)), "1970-01-01T00:00:00.000Z"), (.bytes([1, 2, 3]), "3 bytes"),
    (.reference(Reference(recordName: "R2")), "-> R2"), (.int64(-5), "-5"), (.stringList(["a", "b"]), "[\"a\",\"b\"]"),
    (.string(String(repeating: "s", count: 60)), String(repeating: "s", count: 60)),
    (.string(String(repeating: "s", count: 61)), String(repeating: "s", count: 59) + "…"),
  ])
  func `a value is shown in short`(value: FieldValue, text: String) throws {
    #expect(try Self.difference(Self.content(["a": value]), Self.content([:]), nil)?.first == [text])
  }

  @Test func `a record whose text is damaged is an error`() {
    let damaged = RecordContent(fields: EncodedFields(canonical: Array("{\"a\":".utf8)))
    #expect(throws: StoreError.self) { try Self.difference(damaged, nil, nil) }
  }
}
