import ZoneKitRecords
import Testing
import ZoneKitWire

/// What clients may say of how an answer is to be written: `desiredKeys` and `numbersAsStrings`.
@Suite struct CloudKitShapeTests {
  private static let record: Record = {
    var place = Location(latitude: 1.5, longitude: 2)
    place.timestamp = WallTime(milliseconds: 7)
    return CloudKit.note(
      "n",
      [
        Field(name: "d", value: .double(2)), Field(name: "dl", value: .doubleList([0.5])),
        Field(name: "i", value: .int64(-3)), Field(name: "il", value: .int64List([1, 2])),
        Field(name: "p", value: .location(place)), Field(name: "s", value: .string("3"), isEncrypted: true),
        Field(name: "t", value: .timestamp(WallTime(milliseconds: 5))),
        Field(name: "tl", value: .timestampList([WallTime(milliseconds: 6)])),
      ])
  }()

  /// The fields of each record that is answered to a body.
  private func fields(_ body: String, _ operation: String = "records/lookup", count: Int = 1) throws -> [String] {
    let answer = try CloudKit.answer(
      .records(Array(repeating: .record(Self.record), count: count)), to: operation, body)
    return try #require(try JSON(parsing: answer.text)["records"]?.array).map { $0["fields"]?.text() ?? "" }
  }

  private func keys(_ body: String, _ operation: String = "records/lookup", count: Int = 1) throws -> [[String]] {
    try fields(body, operation, count: count).map { try #require(try JSON(parsing: $0).object).map(\.key) }
  }

  private static let all = ["d", "dl", "i", "il", "p", "s", "t", "tl"]

  @Test(arguments: [
    ("", all), (#","desiredKeys":null"#, all), (#","desiredKeys":[]"#, []),
    (#","desiredKeys":["s","none","i","s"]"#, ["i", "s"]),
  ])
  func `the request's desired keys choose the fields`(member: String, expected: [String]) throws {
    #expect(try keys(#"{"records":["n"]\#(member)}"#) == [expected])
    let modify = #"{"operations":[{"operationType":"update","record":{}}]\#(member)}"#
    #expect(try keys(modify, "records/modify") == [expected])
  }

  @Test func `an item's desired keys beat the request's`() throws {
    let own = #"""
      {"desiredKeys":["i"],"records":[{"recordName":"a"},{"recordName":"b","desiredKeys":["s"]},
       {"recordName":"c","desiredKeys":[]},{"recordName":"d","desiredKeys":null},"e"]}
      """#
    #expect(try keys(own, count: 5) == [["i"], ["s"], [], ["i"], ["i"]])
    let operations = #"""
      {"operations":[{"operationType":"update","record":{},"desiredKeys":["t"]},{"operationType":"update","record":{}}]}
      """#
    #expect(try keys(operations, "records/modify", count: 2) == [["t"], Self.all])
  }

  private static let asStrings =
    #"{"d":{"type":"DOUBLE","value":"2.0"},"dl":{"type":"DOUBLE_LIST","value":["0.5"]},"#
    + #""i":{"type":"INT64","value":"-3"},"il":{"type":"INT64_LIST","value":["1","2"]},"#
    + #""p":{"type":"LOCATION","value":{"latitude":1.5,"longitude":2.0,"timestamp":7}},"#
    + #""s":{"isEncrypted":true,"type":"STRING","value":"3"},"t":{"type":"TIMESTAMP","value":"5"},"#
    + #""tl":{"type":"TIMESTAMP_LIST","value":["6"]}}"#

  @Test(arguments: ["numbersAsStrings", "numberAsStrings"])
  func `numbers are strings in values alone`(spelling: String) throws {
    let body = #"{"records":["n"],"\#(spelling)":true}"#
    #expect(try fields(body) == [Self.asStrings])
    let answer = try CloudKit.answer(.records([.record(Self.record)]), to: "records/lookup", body).text
    #expect(answer.contains(#""created":{"timestamp":1767323045000,"#))
  }

  @Test(arguments: [
    #"{"records":["n"]}"#, #"{"records":["n"],"numbersAsStrings":false}"#,
    #"{"records":["n"],"numbersAsStrings":null}"#,
  ])
  func `otherwise a record's text goes out as it is stored`(body: String) throws {
    #expect(try fields(body) == [String(decoding: Self.record.fields.utf8, as: UTF8.self)])
  }

  @Test func `each zone of a feed is written as it asks for, else as the request does`() throws {
    let body = #"""
      {"numbersAsStrings":true,"desiredKeys":["i"],
       "zones":[{"zoneID":{"zoneName":"A"}},{"zoneID":{"zoneName":"B"},"numberAsStrings":false},
                {"zoneID":{"zoneName":"C"},"desiredKeys":["t","d"]}]}
      """#
    let changes = ["A", "B", "C"].map { name in
      ZoneChangesResult.changes(
        ZoneChanges(
          zoneID: ZoneID(zoneName: Name(name)),
          page: RecordPage([.saved(Self.record), .deleted(recordName: "x", changeTag: ChangeTag("2"))]),
          token: ChangeToken("t"), moreComing: false))
    }
    let answer = try JSON(parsing: try CloudKit.answer(.zoneChanges(changes), to: "changes/zone", body).text)
    let fields = try #require(answer["zones"]?.array).map { $0["records"]?.array?.first?["fields"]?.text() }
    #expect(
      fields == [
        #"{"i":{"type":"INT64","value":"-3"}}"#, #"{"i":{"type":"INT64","value":-3}}"#,
        #"{"d":{"type":"DOUBLE","value":"2.0"},"t":{"type":"TIMESTAMP","value":"5"}}"#,
      ])
  }

  @Test func `a damaged field text is shown and not hidden`() throws {
    var record = Self.record
    record.fields = EncodedFields(canonical: [UInt8]("{broken".utf8))
    let body = #"{"records":["n"],"desiredKeys":["i"]}"#
    #expect(try CloudKit.answer(.records([.record(record)]), to: "records/lookup", body).text.contains("{broken"))
  }
}
