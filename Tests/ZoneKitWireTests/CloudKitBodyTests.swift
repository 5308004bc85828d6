import ZoneKitRecords
import Testing
import ZoneKitWire

/// The bodies of the endpoints that are about zones, feeds, single records and tokens.
@Suite struct CloudKitBodyTests {
  @Test(arguments: ["", "{}", " {} ", "{\"unknown\":[1]}"])
  func `lists need no body`(body: String) throws {
    #expect(try CloudKit.request("zones/list", body).request == .listZones)
    #expect(try CloudKit.request("subscriptions/list", body).request == .listSubscriptions)
  }

  @Test(arguments: [
    ("[]", "the body must be a JSON object, not an array"), ("3", "the body must be a JSON object, not an integer"),
    ("null", "the body must be a JSON object, not null"),
    ("{", "the body is not JSON: line 1, byte 1: expected a name in quotes, found the end"),
  ])
  func `a body that is no object is refused`(body: String, reason: String) throws {
    #expect(try CloudKit.refusal("zones/list", body) == .badRequest(reason))
  }

  @Test(arguments: [
    (#"{"zoneName":"A"}"#, ZoneID(zoneName: "A")), (#"{"zoneID":{"zoneName":"A"}}"#, ZoneID(zoneName: "A")),
    (#"{"zoneID":null,"zoneName":"A"}"#, ZoneID(zoneName: "A")), ("{}", .defaultZone),
    (#"{"zoneName":null}"#, .defaultZone), (#"{"zoneName":"A","zoneType":"X","x":1}"#, ZoneID(zoneName: "A")),
    (#"{"zoneName":"A","ownerRecordName":"_u"}"#, ZoneID(zoneName: "A", owner: .user("_u"))),
    (#"{"zoneName":"A","ownerName":"_u"}"#, ZoneID(zoneName: "A", owner: .user("_u"))),
    (#"{"zoneName":"A","ownerRecordName":"__defaultOwner__"}"#, ZoneID(zoneName: "A")),
    (#"{"zoneName":"A","ownerName":"_defaultOwner"}"#, ZoneID(zoneName: "A")),
  ])
  func `zone IDs come in all spellings`(text: String, zoneID: ZoneID) throws {
    #expect(try CloudKit.request("zones/lookup", #"{"zones":[\#(text)]}"#).request == .lookupZones([zoneID]))
    let nested = text.contains("zoneID") ? text : #"{"zoneID":\#(text)}"#
    let modify = #"{"operations":[{"operationType":"create","zone":\#(nested)}]}"#
    #expect(try CloudKit.request("zones/modify", modify).request == .modifyZones([.create(zoneID)]))
  }

  @Test func `zones are created and deleted in order`() throws {
    let body = #"""
      {"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"A"}}},
                     {"operationType":"create","zone":{"zoneName":"B"}}]}
      """#
    let expected = CloudRequest.modifyZones([.delete(ZoneID(zoneName: "A")), .create(ZoneID(zoneName: "B"))])
    #expect(try CloudKit.request("zones/modify", body).request == expected)
  }

  @Test func `records are looked up by name, in the default zone unless one is named`() throws {
    let bare = try CloudKit.request("records/lookup", #"{"records":["a",{"recordName":"b","x":1}],"zoneID":null}"#)
    #expect(bare.request == .lookupRecords(zoneID: .defaultZone, recordNames: ["a", "b"]))
    let zoned = try CloudKit.request("records/lookup", #"{"records":[],"zoneID":{"zoneName":"A"}}"#)
    #expect(zoned.request == .lookupRecords(zoneID: ZoneID(zoneName: "A"), recordNames: []))
  }

  @Test(
    arguments: [
      ("{}", nil, 200), (#"{"syncToken":null,"resultsLimit":null}"#, nil, 200), (#"{"syncToken":""}"#, "", 200),
      (#"{"syncToken":"RDox","resultsLimit":1}"#, "RDox", 1), (#"{"resultsLimit":9223372036854775807}"#, nil, 200),
      (#"{"resultsLimit":199}"#, nil, 199),
    ] as [(String, String?, Int)])
  func `the database feed goes on from a token, page by page`(body: String, token: String?, limit: Int) throws {
    let expected = CloudRequest.fetchDatabaseChanges(since: token.map { ChangeToken($0) }, limit: limit)
    #expect(try CloudKit.request("changes/database", body).request == expected)
  }

  @Test func `a zone's own value wins over the one beside the zones, and null counts as absent`() throws {
    let body = #"""
      {"resultsLimit":50,"reverse":true,"desiredRecordTypes":["Note"],
       "zones":[{"zoneID":{"zoneName":"A"},"syncToken":"Wjox"},
                {"zoneID":{"zoneName":"B"},"resultsLimit":7,"reverse":false,"desiredRecordTypes":[]},
                {"zoneID":{"zoneName":"C"},"syncToken":null,"resultsLimit":null,"reverse":null,
                 "desiredRecordTypes":null}]}
      """#
    let expected = CloudRequest.fetchZoneChanges([
      ZoneChangesQuery(
        zoneID: ZoneID(zoneName: "A"), token: ChangeToken("Wjox"), limit: 50, isReversed: true, recordTypes: ["Note"]),
      ZoneChangesQuery(zoneID: ZoneID(zoneName: "B"), token: nil, limit: 7, recordTypes: []),
      ZoneChangesQuery(
        zoneID: ZoneID(zoneName: "C"), token: nil, limit: 50, isReversed: true, recordTypes: ["Note"]),
    ])
    #expect(try CloudKit.request("changes/zone", body).request == expected)
  }

  @Test func `push tokens are created and registered`() throws {
    let create = try CloudKit.request("tokens/create", #"{"apnsEnvironment":"production","clientId":"c-1"}"#)
    #expect(create.request == .createPushToken(environment: .production))
    #expect(create.credentials.deviceID == "c-1")
    let body = #"{"apnsEnvironment":"development","apnsToken":"dG9rZW4=","clientId":"c-1"}"#
    let registration = PushRegistration(token: "dG9rZW4=", environment: .development, deviceID: "c-1")
    #expect(try CloudKit.request("tokens/register", body).request == .registerPushToken(registration))
    let http = CloudKit.http(
      "/device/1/c/development/tokens/register?clientId=q",
      [UInt8](#"{"apnsEnvironment":"development","apnsToken":"t"}"#.utf8))
    #expect(
      try CloudKitRequest(try #require(http)).request
        == .registerPushToken(PushRegistration(token: "t", environment: .development, deviceID: "q")))
  }

  @Test(arguments: [
    ("zones/lookup", "{}", "zones must be an array"), ("zones/lookup", #"{"zones":{}}"#, "zones must be an array"),
    ("zones/lookup", #"{"zones":[{},"A"]}"#, #"zones[1] must be a zone ID such as {"zoneName":"Notes"}"#),
    ("zones/lookup", #"{"zones":[{"zoneName":3}]}"#, #"zones[0] must be a zone ID such as {"zoneName":"Notes"}"#),
    ("zones/modify", "{}", "operations must be an array"),
    (
      "zones/modify", #"{"operations":[{"operationType":"create"}]}"#,
      #"operations[0].zone.zoneID must be a zone ID such as {"zoneName":"Notes"}"#
    ),
    (
      "zones/modify", #"{"operations":[{"operationType":"update","zone":{}}]}"#,
      "operations[0].operationType must be create or delete"
    ),
    ("records/lookup", "{}", "records must be an array"),
    ("records/lookup", #"{"records":["a",{}]}"#, "records[1].recordName must be a string"),
    (
      "records/lookup", #"{"records":[],"zoneID":"A"}"#, #"zoneID must be a zone ID such as {"zoneName":"Notes"}"#
    ),
    ("changes/database", #"{"syncToken":3}"#, "syncToken must be a string"),
    ("changes/database", #"{"resultsLimit":0}"#, "resultsLimit must be a whole number above 0"),
    ("changes/database", #"{"resultsLimit":"9"}"#, "resultsLimit must be a whole number above 0"),
    ("changes/zone", "{}", "zones must be an array"),
    ("changes/zone", #"{"zones":[{}]}"#, #"zones[0].zoneID must be a zone ID such as {"zoneName":"Notes"}"#),
    ("changes/zone", #"{"zones":[{"zoneID":{},"syncToken":3}]}"#, "zones[0].syncToken must be a string"),
    (
      "changes/zone", #"{"zones":[{"zoneID":{}},{"zoneID":{},"resultsLimit":-1}]}"#,
      "zones[1].resultsLimit must be a whole number above 0"
    ),
    ("changes/zone", #"{"zones":[{"zoneID":{},"reverse":1}]}"#, "zones[0].reverse must be true or false"),
    ("changes/zone", #"{"zones":[],"reverse":"yes"}"#, "reverse must be true or false"),
    (
      "changes/zone", #"{"zones":[{"zoneID":{},"desiredRecordTypes":["A",1]}]}"#,
      "zones[0].desiredRecordTypes[1] must be a string"
    ),
    (
      "changes/zone", #"{"zones":[{"zoneID":{},"desiredKeys":"a"}]}"#,
      "zones[0].desiredKeys must be an array of strings"
    ),
    (
      "changes/zone", #"{"zones":[{"zoneID":{},"numberAsStrings":1}]}"#,
      "zones[0].numberAsStrings must be true or false"
    ),
    ("zones/list", #"{"numbersAsStrings":"x"}"#, "numbersAsStrings must be true or false"),
    ("zones/list", #"{"desiredKeys":[1]}"#, "desiredKeys[0] must be a string"),
    ("zones/list", #"{"clientId":1}"#, "clientId must be a string"),
    ("subscriptions/lookup", "{}", "subscriptions must be an array"),
    ("subscriptions/lookup", #"{"subscriptions":[1]}"#, "subscriptions[0].subscriptionID must be a string"),
    ("tokens/create", "{}", "apnsEnvironment must be a string, not empty"),
    ("tokens/create", #"{"apnsEnvironment":"x"}"#, "apnsEnvironment must be development or production"),
    ("tokens/register", #"{"apnsEnvironment":"production"}"#, "apnsToken must be a string, not empty"),
    ("tokens/register", #"{"apnsEnvironment":"production","apnsToken":""}"#, "apnsToken must be a string, not empty"),
  ])
  func `what is malformed is named with its place`(operation: String, body: String, reason: String) throws {
    #expect(try CloudKit.refusal(operation, body) == .badRequest(reason))
  }
}
