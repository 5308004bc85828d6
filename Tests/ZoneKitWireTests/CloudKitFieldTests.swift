import ZoneKitRecords
import Testing
import ZoneKitWire

@Suite struct CloudKitFieldTests {
  private func change(_ field: String) throws -> FieldChange {
    let body = #"{"operations":[{"operationType":"create","record":{"fields":{"f":\#(field)}}}]}"#
    guard case .modifyRecords(let batch) = try CloudKit.request("records/modify", body).request,
      let field = batch.operations.first?.fields.first
    else { throw CloudError(.internalError, "no field") }
    return field.change
  }

  private static let place: Location = {
    var place = Location(latitude: 1.5, longitude: -2)
    place.altitude = 3
    place.timestamp = WallTime(milliseconds: 9)
    return place
  }()

  private static let asset = Asset(fileChecksum: "c", size: 3, receipt: "r")

  private static let values: [(String, String, FieldValue)] = [
    ("STRING", #""é\n""#, .string("é\n")), ("STRING", #""""#, .string("")), ("INT64", "3", .int64(3)),
    ("INT64", #""-9223372036854775808""#, .int64(.min)), ("INT64", "true", .int64(1)), ("INT64", "false", .int64(0)),
    ("INT64", "4.0", .int64(4)), ("DOUBLE", "2", .double(2)), ("DOUBLE", "2.5", .double(2.5)),
    ("DOUBLE", #""2.5""#, .double(2.5)), ("BYTES", #""AAE=""#, .bytes([0, 1])), ("BYTES", #""""#, .bytes([])),
    ("ENCRYPTED_BYTES", #""/w==""#, .encryptedBytes([255])),
    ("TIMESTAMP", "1767323045000", .timestamp(WallTime(milliseconds: 1_767_323_045_000))),
    ("TIMESTAMP", #""-1""#, .timestamp(WallTime(milliseconds: -1))),
    ("REFERENCE", #"{"recordName":"r"}"#, .reference(Reference(recordName: "r"))),
    (
      "REFERENCE", #"{"recordName":"r","action":"DELETE_SELF","zoneID":{"zoneName":"Z"}}"#,
      .reference(Reference(recordName: "r", zoneID: ZoneID(zoneName: "Z"), action: .deleteSelf))
    ),
    ("LOCATION", #"{"latitude":1.5,"longitude":-2,"altitude":3,"timestamp":9}"#, .location(place)),
    ("STRING_LIST", #"["a","b"]"#, .stringList(["a", "b"])), ("STRING_LIST", "[]", .stringList([])),
    ("INT64_LIST", #"[1,"2",true]"#, .int64List([1, 2, 1])), ("DOUBLE_LIST", "[1,0.5]", .doubleList([1, 0.5])),
    ("BYTES_LIST", #"["AA=="]"#, .bytesList([[0]])),
    ("TIMESTAMP_LIST", "[5]", .timestampList([WallTime(milliseconds: 5)])),
    ("REFERENCE_LIST", #"[{"recordName":"r"}]"#, .referenceList([Reference(recordName: "r")])),
    ("LOCATION_LIST", #"[{"latitude":1.5,"longitude":-2,"altitude":3,"timestamp":9}]"#, .locationList([place])),
    ("ASSETID", #"{"fileChecksum":"c","receipt":"r","size":3,"wrappingKey":"k"}"#, .asset(asset)),
    ("ASSET", #"{"fileChecksum":"c","receipt":"r","size":"3"}"#, .asset(asset)),
    ("ASSETID", #"{"receipt":"r"}"#, .asset(Asset(fileChecksum: "", size: 0, receipt: "r"))),
    (
      "ASSETID", #"{"fileChecksum":"c","size":3,"downloadURL":"http://x/y","receipt":null}"#,
      .asset(Asset(fileChecksum: "c", size: 3))
    ),
    ("ASSETID_LIST", #"[{"fileChecksum":"c","receipt":"r","size":3}]"#, .assetList([asset])),
    ("ASSET_LIST", "[]", .assetList([])), ("UNKNOWN_LIST", "[]", .unknownList), ("EMPTY_LIST", "[]", .unknownList),
    ("NUMBER_INT64", "3", .int64(3)),
    ("NUMBER_DOUBLE", "3", .double(3)), ("NUMBER_INT64_LIST", "[3]", .int64List([3])),
    ("NUMBER_DOUBLE_LIST", "[3]", .doubleList([3])),
  ]

  @Test(arguments: values)
  func `a value is read as the type it names`(type: String, json: String, value: FieldValue) throws {
    #expect(
      try change(#"{"value":\#(json),"type":"\#(type)"}"#) == .set(value, isTyped: true, isEncrypted: false))
  }

  @Test func `the values of these tests have every type`() {
    #expect(Set(Self.values.map(\.2.type)) == Set(FieldType.allCases))
  }

  @Test(
    arguments: [
      ("3", .int64(3)), ("true", .int64(1)), ("2.5", .double(2.5)), (#""3""#, .string("3")),
      (#"{"latitude":1.5,"longitude":-2,"altitude":3,"timestamp":9}"#, .location(place)),
      (#"{"recordName":"r"}"#, .reference(Reference(recordName: "r"))), ("[]", .unknownList),
      ("[1,2]", .int64List([1, 2])), ("[true]", .int64List([1])), ("[1,2.5]", .doubleList([1, 2.5])),
      ("[2.5,1]", .doubleList([2.5, 1])), (#"["a"]"#, .stringList(["a"])),
      (#"{"fileChecksum":"c","receipt":"r","size":3}"#, .asset(asset)),
      (#"[{"fileChecksum":"c","receipt":"r","size":3}]"#, .assetList([asset])),
      (#"[{"recordName":"r"}]"#, .referenceList([Reference(recordName: "r")])),
      (#"[{"latitude":1.5,"longitude":-2,"altitude":3,"timestamp":9}]"#, .locationList([place])),
      ("18446744073709551616", .double(18_446_744_073_709_551_616)),
    ] as [(String, FieldValue)])
  func `a value without a type shows one`(json: String, value: FieldValue) throws {
    let expected = FieldChange.set(value, isTyped: false, isEncrypted: false)
    #expect(try change(#"{"value":\#(json)}"#) == expected)
    #expect(try change(#"{"value":\#(json),"type":null}"#) == expected)
    if json.hasPrefix("[") { #expect(try change(#"{"value":\#(json),"type":"LIST"}"#) == expected) }
  }

  @Test(arguments: [
    "null", "{}", #"{"value":null}"#, #"{"value":null,"type":"STRING"}"#, #"{"type":"ASSETID"}"#,
    #"{"value":null,"type":3}"#,
  ])
  func `a field without a value is cleared`(field: String) throws {
    #expect(try change(field) == .clear)
  }

  @Test func `a field may be marked as encrypted`() throws {
    #expect(
      try change(#"{"value":"x","type":"STRING","isEncrypted":true}"#)
        == .set(.string("x"), isTyped: true, isEncrypted: true))
    #expect(
      try change(#"{"value":"x","isEncrypted":true}"#) == .set(.string("x"), isTyped: false, isEncrypted: true))
    #expect(try change(#"{"value":"x","isEncrypted":1}"#) == .malformed("isEncrypted must be true or false"))
  }

  @Test(arguments: [
    ("STRING", "3"), ("INT64", #""x""#), ("INT64", "2.5"), ("INT64", "1e30"), ("INT64", #""9223372036854775808""#),
    ("INT64", "[]"), ("DOUBLE", "true"), ("DOUBLE", #""x""#), ("DOUBLE", #""inf""#), ("DOUBLE", #""nan""#),
    ("BYTES", #""A""#), ("BYTES", #""AA=""#), ("BYTES", #""A?==""#), ("BYTES", "[0]"), ("ENCRYPTED_BYTES", "1"),
    ("TIMESTAMP", "1767323045000.5"), ("TIMESTAMP", "true"), ("TIMESTAMP", #""2026-01-01""#),
    ("REFERENCE", #""r""#), ("REFERENCE", #"{"recordName":""}"#), ("REFERENCE", #"{"recordName":"r","action":"X"}"#),
    ("LOCATION", #"{"latitude":1}"#), ("LOCATION", "[1,2]"), ("STRING_LIST", #"["a",1]"#), ("STRING_LIST", #""a""#),
    ("INT64_LIST", "[1,null]"), ("DOUBLE_LIST", "[true]"), ("BYTES_LIST", #"["A"]"#), ("TIMESTAMP_LIST", "[0.5]"),
    ("REFERENCE_LIST", "[{}]"), ("LOCATION_LIST", "[{}]"), ("ASSETID", "{}"),
    ("ASSETID", #"{"fileChecksum":"c","size":-1}"#),
    ("ASSETID", #"{"fileChecksum":"c","size":"x"}"#), ("ASSETID_LIST", #"[{"size":1}]"#), ("UNKNOWN_LIST", "[1]"),
    ("LIST", "3"), ("LIST", "{}"),
  ])
  func `the error for a value that does not fit names the expected type`(type: String, json: String) throws {
    #expect(
      try change(#"{"value":\#(json),"type":"\#(type)"}"#) == .malformed("Invalid value, expected type \(type)."))
  }

  @Test(arguments: [
    #"{}"#, #"[{}]"#, #"["a",1]"#, "[[1]]", "[null]", #"{"recordName":3}"#, #"{"recordName":"r","action":1.5,"x":{}}"#,
  ])
  func `a value without a recognisable type gets an error`(json: String) throws {
    let expected: FieldChange =
      json.contains("action")
      ? .set(.reference(Reference(recordName: "r")), isTyped: false, isEncrypted: false)
      : .malformed("the value has no type and does not show one; name it in \"type\"")
    #expect(try change(#"{"value":\#(json)}"#) == expected)
  }

  @Test(arguments: [
    ("3", "a field must be an object with a value, such as {\"value\":3}"),
    ("[]", "a field must be an object with a value, such as {\"value\":3}"),
    (#"{"value":1,"type":"TEXT"}"#, "TEXT is not a field type"),
    (#"{"value":1,"type":"int64"}"#, "int64 is not a field type"),
    (#"{"value":1,"type":3}"#, "type must be a string"),
  ])
  func `the error for what is no field names the right form`(field: String, reason: String) throws {
    #expect(try change(field) == .malformed(reason))
  }
}
