import ZoneKitRecords
import Testing
import ZoneKitWire

@Suite struct CloudKitRecordOperationTests {
  private func batch(_ body: String) throws -> ModifyRecords {
    guard case .modifyRecords(let batch) = try CloudKit.request("records/modify", body).request else {
      throw CloudError(.internalError, "no batch")
    }
    return batch
  }

  private func operation(_ record: String) throws -> RecordOperation {
    try #require(
      try batch(#"{"operations":[{"operationType":"forceUpdate","record":\#(record)}]}"#).operations.first)
  }

  @Test func `the documents' create is read`() throws {
    let body = #"""
      {"zoneID":{"zoneName":"Notes"},"atomic":true,
       "operations":[{"operationType":"create",
         "record":{"recordName":"n-1","recordType":"Note",
           "fields":{"title":{"value":"Milk","type":"STRING"},"count":{"value":3}}}}]}
      """#
    let expected = RecordOperation(
      .create, recordName: "n-1", recordType: "Note",
      fields: [
        NamedFieldChange("title", .set(.string("Milk"), isTyped: true, isEncrypted: false)),
        NamedFieldChange("count", .set(.int64(3), isTyped: false, isEncrypted: false)),
      ])
    #expect(
      try batch(body)
        == ModifyRecords(zoneID: ZoneID(zoneName: "Notes"), operations: [expected], isAtomic: true))
  }

  @Test(arguments: RecordOperation.Kind.allCases)
  func `every kind of operation is read`(kind: RecordOperation.Kind) throws {
    let body = #"""
      {"operations":[{"operationType":"\#(kind.rawValue)",
        "record":{"recordName":"n","recordType":"Note","recordChangeTag":"1a"}}]}
      """#
    let expected = RecordOperation(kind, recordName: "n", recordType: "Note", changeTag: ChangeTag("1a"))
    #expect(try batch(body).operations == [expected])
  }

  @Test(arguments: [("", true), (#","atomic":null"#, true), (#","atomic":true"#, true), (#","atomic":false"#, false)])
  func `a batch is atomic by default`(member: String, isAtomic: Bool) throws {
    #expect(try batch(#"{"operations":[]\#(member)}"#).isAtomic == isAtomic)
  }

  @Test(arguments: [
    (
      #"{"recordName":null,"recordType":null,"recordChangeTag":null,"fields":null}"#,
      RecordOperation(.forceUpdate, recordName: nil)
    ),
    ("{}", RecordOperation(.forceUpdate, recordName: nil)),
    (
      #"{"recordName":"a","fields":{},"pluginFields":{},"deleted":false,"created":{}}"#,
      RecordOperation(.forceUpdate, recordName: "a")
    ),
    (#"{"recordName":"a","parent":null}"#, RecordOperation(.forceUpdate, recordName: "a", parent: .clear)),
    (
      #"{"recordName":"a","parent":{"recordName":"p"}}"#,
      RecordOperation(.forceUpdate, recordName: "a", parent: .set("p"))
    ),
    (#"{"recordName":"a","recordName":"b"}"#, RecordOperation(.forceUpdate, recordName: "b")),
  ])
  func `members of a record may be absent or null`(record: String, expected: RecordOperation) throws {
    #expect(try operation(record) == expected)
  }

  @Test func `fields come in the order of their names, the last of a repeated one`() throws {
    let fields = try operation(#"{"fields":{"b":{"value":1},"a":{"value":2},"b":{"value":3}}}"#).fields
    #expect(
      fields == [
        NamedFieldChange("a", .set(.int64(2), isTyped: false, isEncrypted: false)),
        NamedFieldChange("b", .set(.int64(3), isTyped: false, isEncrypted: false)),
      ])
  }

  private static let a = ZoneID(zoneName: "A")
  private static let owned = ZoneID(zoneName: "A", owner: .user("_u"))

  @Test(
    arguments: [
      ("", ["{}"], .defaultZone),
      (#""zoneID":null,"#, ["{}"], .defaultZone),
      (#""zoneID":{"zoneName":"A"},"#, ["{}"], a),
      ("", [#"{"zoneID":{"zoneName":"A"}}"#, #"{"zoneID":{"zoneName":"A"}}"#], a),
      ("", ["{}", #"{"zoneID":{"zoneName":"A"}}"#, #"{"zoneID":null}"#], a),
      (#""zoneID":{"zoneName":"A"},"#, [#"{"zoneID":{"zoneName":"A","ownerRecordName":"_u"}}"#], owned),
      (#""zoneID":{"zoneName":"A","ownerName":"_u"},"#, [#"{"zoneID":{"zoneName":"A"}}"#], owned),
      ("", [], .defaultZone),
    ] as [(String, [String], ZoneID)])
  func `the zone stands beside the operations or inside the records`(
    outer: String, records: [String], zoneID: ZoneID
  ) throws {
    let operations = records.map { #"{"operationType":"update","record":\#($0)}"# }.joined(separator: ",")
    #expect(try batch(#"{\#(outer)"operations":[\#(operations)]}"#).zoneID == zoneID)
  }

  @Test(arguments: [
    (#""zoneID":{"zoneName":"B"},"#, [#"{"zoneID":{"zoneName":"A"}}"#]),
    ("", [#"{"zoneID":{"zoneName":"B"}}"#, #"{"zoneID":{"zoneName":"A"}}"#]),
    (#""zoneID":{},"#, [#"{"zoneID":{"zoneName":"A"}}"#]),
    (
      #""zoneID":{"zoneName":"A","ownerRecordName":"_v"},"#, [#"{"zoneID":{"zoneName":"A","ownerRecordName":"_u"}}"#]
    ),
  ])
  func `records of two zones are refused`(outer: String, records: [String]) throws {
    let operations = records.map { #"{"operationType":"update","record":\#($0)}"# }.joined(separator: ",")
    #expect(
      try CloudKit.refusal("records/modify", #"{\#(outer)"operations":[\#(operations)]}"#)
        == .badRequest(
          "operations[\(records.count - 1)].record.zoneID differs from the zone of the request; "
            + "one request changes one zone"))
  }

  @Test(arguments: [
    ("{}", "operations must be an array"),
    (#"{"operations":[],"atomic":"yes"}"#, "atomic must be true or false"),
    (
      #"{"operations":[{"record":{}}]}"#,
      "operations[0].operationType must be one of create, update, forceUpdate, replace, forceReplace, "
        + "delete, forceDelete"
    ),
    (#"{"operations":[{"operationType":"create"}]}"#, "operations[0].record must be an object"),
    (#"{"operations":[{"operationType":"create","record":[]}]}"#, "operations[0].record must be an object"),
    (record(#""recordName":1"#), "operations[1].record.recordName must be a string"),
    (record(#""recordType":{}"#), "operations[1].record.recordType must be a string"),
    (record(#""recordChangeTag":7"#), "operations[1].record.recordChangeTag must be a string"),
    (record(#""fields":[]"#), "operations[1].record.fields must be an object"),
    (record(#""parent":{}"#), "operations[1].record.parent must be an object with a recordName"),
    (record(#""parent":"p""#), "operations[1].record.parent must be an object with a recordName"),
    (record(#""parent":{"recordName":""}"#), "operations[1].record.parent must be an object with a recordName"),
    (record(#""zoneID":[]"#), #"operations[1].record.zoneID must be a zone ID such as {"zoneName":"Notes"}"#),
    (
      #"{"operations":[{"operationType":"create","record":{},"desiredKeys":3}]}"#,
      "operations[0].desiredKeys must be an array of strings"
    ),
  ])
  func `what is malformed is named with its place`(body: String, reason: String) throws {
    #expect(try CloudKit.refusal("records/modify", body) == .badRequest(reason))
  }

  private static func record(_ member: String) -> String {
    #"{"operations":[{"operationType":"create","record":{}},{"operationType":"create","record":{\#(member)}}]}"#
  }
}
