import ZoneKitRecords
import Testing

struct EncodedFieldsTests {
  @Test func `the text of fields is JSON with sorted names and no blanks`() {
    var fields = Fields()
    fields["title"] = .string("Mi\"lk")
    fields["count"] = .int64(3)
    fields["share"] = .double(2)
    fields.set(Field(name: "secret", value: .bytes([1, 2, 3]), isEncrypted: true))
    let text = String(decoding: EncodedFields(fields).utf8, as: UTF8.self)
    #expect(
      text == #"{"count":{"type":"INT64","value":3},"secret":{"isEncrypted":true,"type":"BYTES","value":"AQID"},"#
        + #""share":{"type":"DOUBLE","value":2.0},"title":{"type":"STRING","value":"Mi\"lk"}}"#)
  }

  @Test func `the order in which fields are set does not matter`() {
    let first = Fields([Field(name: "a", value: .int64(1)), Field(name: "b", value: .int64(2))])
    let second = Fields([
      Field(name: "b", value: .int64(2)), Field(name: "a", value: .int64(9)), Field(name: "a", value: .int64(1)),
    ])
    #expect(EncodedFields(first) == EncodedFields(second))
  }

  @Test func `fields of every type are read back as they were`() throws {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<2_000 {
      let fields = Fields.random(using: &generator)
      #expect(try EncodedFields(fields).decoded() == fields)
    }
  }

  @Test func `no record in a file is the text of no fields`() throws {
    #expect(EncodedFields(Fields()) == .empty)
    #expect(try EncodedFields.empty.decoded().isEmpty)
  }

  @Test(arguments: [
    "", "[]", "{\"a\":3}", "{\"a\":{\"type\":\"INT64\",\"value\":\"x\"}}", "{\"a\":{\"type\":\"NO\",\"value\":1}}",
  ])
  func `a text that nobody here wrote is called damaged`(text: String) {
    #expect(throws: StoreError.self) { try EncodedFields(canonical: Array(text.utf8)).decoded() }
  }

  @Test func `taking out a field that is not there changes nothing, and setting nil takes one out`() {
    var fields = Fields([Field(name: "a", value: .int64(1))])
    fields.remove("b")
    #expect(fields.sorted.count == 1)
    fields["a"] = nil
    #expect(fields.isEmpty)
  }
}

extension Fields {
  /// Up to six fields of random types and values.
  static func random(using generator: inout SplitMix64) -> Fields {
    Fields(
      (0..<Int.random(in: 0...6, using: &generator)).map { index in
        Field(
          name: Name("f\(index)"), value: .random(using: &generator), isEncrypted: Bool.random(using: &generator))
      })
  }
}

extension FieldValue {
  static func random(using generator: inout SplitMix64) -> FieldValue {
    let texts = ["", "a", "Zoë 👶", "\u{0}\u{1F}\\\"", "e\u{301}"]
    let text = texts.randomElement(using: &generator)!
    let number = Int64.random(in: .min ... .max, using: &generator)
    let double = Double.random(in: -1e9...1e9, using: &generator)
    var location = Location(latitude: double, longitude: 0.5)
    if Bool.random(using: &generator) { location.speed = double }
    if Bool.random(using: &generator) { location.timestamp = WallTime(milliseconds: number) }
    let zoneID = Bool.random(using: &generator) ? ZoneID(zoneName: "Z") : nil
    let action = Reference.Action.allCases.randomElement(using: &generator)!
    let reference = Reference(recordName: Name("r" + text), zoneID: zoneID, action: action)
    let asset = Asset(
      fileChecksum: "c" + text, size: number & .max, receipt: Bool.random(using: &generator) ? text : nil)
    let bytes = RandomIdentifier.bytes(Int.random(in: 0...5, using: &generator), using: &generator)
    let values: [FieldValue] = [
      .string(text), .int64(number), .double(double), .bytes(bytes), .encryptedBytes(bytes),
      .timestamp(WallTime(milliseconds: number)), .reference(reference), .location(location),
      .stringList([text, text]),
      .int64List([number]), .doubleList([double, 0, -0.0]), .bytesList([bytes, []]),
      .timestampList([WallTime(milliseconds: number)]), .referenceList([reference]), .locationList([location]),
      .asset(asset), .assetList([asset, asset]), .unknownList,
    ]
    return values.randomElement(using: &generator)!
  }
}
