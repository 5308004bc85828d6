import ZoneKitRecords
import Testing
import ZoneKitWire

@Suite struct CloudKitResponseTests {
  private static let notes = ZoneID(zoneName: "Notes", owner: .user("_user01"))
  private static let fields = [
    Field(name: "title", value: .string("Milk")), Field(name: "count", value: .int64(3)),
  ]

  // MARK: The documents' examples (CloudKit Web Services, a.2)

  @Test func `a created record is answered as the documents have it`() throws {
    let body = #"""
      {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{"recordName":"n-1"}}]}
      """#
    let answer = try CloudKit.answer(
      .records([.record(CloudKit.note("n-1", Self.fields))]), to: "records/modify", body)
    let expected = #"""
      {"records":[{"recordName":"n-1","recordType":"Note",
        "fields":{"title":{"value":"Milk","type":"STRING"},"count":{"value":3,"type":"INT64"}},
        "pluginFields":{},"recordChangeTag":"1a",
        "created":{"timestamp":1767323045000,"userRecordName":"_user01","deviceID":"local-1"},
        "modified":{"timestamp":1767323045000,"userRecordName":"_user01","deviceID":"local-1"},
        "deleted":false,
        "zoneID":{"zoneName":"Notes","ownerRecordName":"\#(CloudKit.owner)","zoneType":"REGULAR_CUSTOM_ZONE"}}]}
      """#
    #expect(answer.status == 200)
    #expect(try CloudKit.canonical(answer.text) == CloudKit.canonical(expected))
  }

  @Test func `a page with a tombstone is answered as the documents have it`() throws {
    let page = RecordPage([.deleted(recordName: "n-0", changeTag: ChangeTag("19"))])
    let changes = ZoneChanges(zoneID: Self.notes, page: page, token: ChangeToken("Wjoy"), moreComing: false)
    let expected = #"""
      {"zones":[{"zoneID":{"zoneName":"Notes","ownerRecordName":"_user01","zoneType":"REGULAR_CUSTOM_ZONE"},
        "records":[{"recordName":"n-0","recordType":null,"deleted":true,"recordChangeTag":"19",
                    "zoneID":{"zoneName":"Notes","ownerRecordName":"_user01"}}],
        "syncToken":"Wjoy","moreComing":false}]}
      """#
    let answer = try CloudKit.answer(.zoneChanges([.changes(changes)]))
    #expect(try CloudKit.canonical(answer.text) == CloudKit.canonical(expected))
  }

  @Test func `the database feed is answered as the documents have it`() throws {
    let changes = DatabaseChanges(
      zones: [
        .changed(Self.notes, token: ChangeToken("Wjoy")),
        .deleted(ZoneID(zoneName: "Old", owner: .user("_user01")), ZoneEnding(.deleted)),
        .deleted(
          ZoneID(zoneName: "Key", owner: .user("_user01")),
          ZoneEnding(.encryptedDataReset, at: WallTime(milliseconds: 1_800_000_000_000))),
      ], token: ChangeToken("RDoy"), moreComing: false)
    let expected = #"""
      {"zones":[{"zoneID":{"zoneName":"Notes","ownerRecordName":"_user01"},"syncToken":"Wjoy"},
                {"zoneID":{"zoneName":"Old","ownerRecordName":"_user01"},"deleted":true},
                {"zoneID":{"zoneName":"Key","ownerRecordName":"_user01"},"deleted":true,
                 "deletionReason":"encryptedDataReset","deletionTime":1800000000000}],
       "syncToken":"RDoy","moreComing":false}
      """#
    let answer = try CloudKit.answer(.databaseChanges(changes))
    #expect(try CloudKit.canonical(answer.text) == CloudKit.canonical(expected))
  }

  @Test func `a created zone is answered as the documents have it`() throws {
    let zone = Zone(zoneID: Self.notes, token: ChangeToken("Wjow"), isAtomic: true)
    let answer = try CloudKit.answer(.zones([.zone(zone)]))
    let expected =
      #"{"zones":[{"zoneID":{"zoneName":"Notes","ownerRecordName":"_user01","zoneType":"REGULAR_CUSTOM_ZONE"},"#
      + #""syncToken":"Wjow","atomic":true}]}"#
    #expect(answer.text == expected)
  }

  // MARK: Golden texts

  @Test func `zones of every outcome`() throws {
    let answer = try CloudKit.answer(
      .zones([
        .zone(Zone(zoneID: ZoneID(zoneName: "_defaultZone", owner: .user("_u")), token: nil, isAtomic: false)),
        .deleted(Self.notes), .failed(Self.notes, CloudError(.zoneNotFound, "no such zone")),
      ]))
    #expect(
      answer.text
        == #"{"zones":[{"zoneID":{"zoneName":"_defaultZone","ownerRecordName":"_u","zoneType":"DEFAULT_ZONE"},"#
        + #""atomic":false},"#
        + #"{"zoneID":{"zoneName":"Notes","ownerRecordName":"_user01","zoneType":"REGULAR_CUSTOM_ZONE"},"#
        + #""deleted":true},"#
        + #"{"zoneID":{"zoneName":"Notes","ownerRecordName":"_user01"},"serverErrorCode":"ZONE_NOT_FOUND","#
        + #""reason":"no such zone"}]}"#)
    #expect(try CloudKit.answer(.zones([])).text == #"{"zones":[]}"#)
  }

  private static let zone =
    #""zoneID":{"zoneName":"_defaultZone","ownerRecordName":"\#(CloudKit.owner)","zoneType":"DEFAULT_ZONE"}}"#
  private static let plainZone = #""zoneID":{"zoneName":"_defaultZone","ownerRecordName":"\#(CloudKit.owner)"}}"#
  private static func times(_ by: String) -> String {
    #""created":{"timestamp":1767323045000,\#(by)},"modified":{"timestamp":1767323045000,\#(by)},"#
  }
  private static let local = #""userRecordName":"_user01","deviceID":"local-1""#

  @Test func `records of every outcome`() throws {
    let answer = try CloudKit.answer(
      .records([
        .record(CloudKit.note("a\"1", Self.fields, parent: "p\\")), .deleted("gone"),
        .failed("n-2", CloudError(.serverRecordChanged, "record to insert already exists")),
        .failed(nil, CloudError(.invalidArguments, "no name")),
      ]), to: "records/lookup", #"{"records":[]}"#)
    #expect(answer.status == 200)
    #expect(
      answer.text == #"{"records":[{"recordName":"a\"1","recordType":"Note","#
        + #""fields":{"count":{"type":"INT64","value":3},"title":{"type":"STRING","value":"Milk"}},"pluginFields":{},"#
        + #""recordChangeTag":"1a",\#(Self.times(Self.local))"parent":{"recordName":"p\\"},"#
        + #""deleted":false,\#(Self.zone),"#
        + #"{"recordName":"gone","deleted":true,\#(Self.plainZone),"#
        + #"{"recordName":"n-2","serverErrorCode":"CONFLICT","reason":"record to insert already exists"},"#
        + #"{"recordName":"","serverErrorCode":"BAD_REQUEST","reason":"no name"}]}"#)
    #expect(try CloudKit.answer(.records([])).text == #"{"records":[]}"#)
  }

  @Test func `a page writes a record as an answer to a save does`() throws {
    let authors = ["d1", "d\"2"].map { Author(userRecordName: "_u", deviceID: $0) }
    let records = [
      CloudKit.note("a\n", Self.fields, author: authors[0], parent: "p"), CloudKit.note("é", author: authors[1]),
    ]
    let zoneID = ZoneID(zoneName: "_defaultZone", owner: .user(CloudKit.caller.userRecordName))
    let changes = ZoneChanges(
      zoneID: zoneID, page: RecordPage(records.map(RecordChange.saved)), token: ChangeToken("t"), moreComing: true)
    let page = try CloudKit.answer(.zoneChanges([.changes(changes)])).text
    let saves = try CloudKit.answer(.records(records.map(RecordResult.record))).text
    #expect(
      page
        == #"{"zones":[{\#(Self.zone.dropLast()),\#(saves.dropFirst().dropLast()),"syncToken":"t","moreComing":true}]}"#
    )
    #expect(
      saves == #"{"records":[{"recordName":"a\n","recordType":"Note","#
        + #""fields":{"count":{"type":"INT64","value":3},"title":{"type":"STRING","value":"Milk"}},"pluginFields":{},"#
        + #""recordChangeTag":"1a",\#(Self.times(#""userRecordName":"_u","deviceID":"d1""#))"#
        + #""parent":{"recordName":"p"},"#
        + #""deleted":false,\#(Self.zone),"#
        + #"{"recordName":"é","recordType":"Note","fields":{},"pluginFields":{},"recordChangeTag":"1a","#
        + #"\#(Self.times(#""userRecordName":"_u","deviceID":"d\"2""#))"deleted":false,\#(Self.zone)]}"#)
  }

  @Test func `zones of a feed fail one by one`() throws {
    let empty = ZoneChanges(zoneID: Self.notes, page: RecordPage(), token: ChangeToken("t"), moreComing: true)
    let error = CloudError(.changeTokenExpired, "the token expired")
    let answer = try CloudKit.answer(.zoneChanges([.failed(Self.notes, error), .changes(empty)]))
    #expect(answer.status == 200)
    #expect(
      answer.text == #"{"zones":[{"zoneID":{"zoneName":"Notes","ownerRecordName":"_user01"},"#
        + #""serverErrorCode":"BAD_REQUEST","reason":"the token expired","nativeCode":"changeTokenExpired"},"#
        + #"{"zoneID":{"zoneName":"Notes","ownerRecordName":"_user01","zoneType":"REGULAR_CUSTOM_ZONE"},"records":[],"#
        + #""syncToken":"t","moreComing":true}]}"#)
  }

  @Test func `subscriptions of every outcome`() throws {
    var info = NotificationInfo(alertBody: "b", shouldSendContentAvailable: true)
    info.alertLocalizationArgs = ["x"]
    let answer = try CloudKit.answer(
      .subscriptions([
        .subscription(Subscription(subscriptionID: "db", kind: .database, notificationInfo: info)),
        .subscription(
          Subscription(subscriptionID: "z", kind: .zone(Self.notes), notificationInfo: nil, firesOnce: true)),
        .deleted("old"), .failed("s", CloudError(.unknownItem, "none")),
        .failed(nil, CloudError(.quotaExceeded, "full")),
      ]))
    #expect(
      answer.text == #"{"subscriptions":[{"subscriptionID":"db","subscriptionType":"database","notificationInfo":"#
        + #"{"alertBody":"b","alertLocalizationArgs":["x"],"shouldBadge":false,"shouldSendContentAvailable":true}},"#
        + #"{"subscriptionID":"z","subscriptionType":"zone","zoneID":{"zoneName":"Notes","ownerRecordName":"_user01"},"#
        + #""firesOnce":true},{"subscriptionID":"old","deleted":true},"#
        + #"{"subscriptionID":"s","serverErrorCode":"NOT_FOUND","reason":"none"},"#
        + #"{"subscriptionID":"","serverErrorCode":"QUOTA_EXCEEDED","reason":"full"}]}"#)
  }

  @Test func `a push token comes with a courier's address`() throws {
    let answer = try CloudKit.answer(.pushToken(environment: .development, token: "a+b/c="))
    #expect(
      answer.text == #"{"apnsEnvironment":"development","apnsToken":"a+b/c=","#
        + #""webcourierURL":"http://127.0.0.1:7440/aps?tok=a%2Bb%2Fc%3D&ttl=43200"}"#)
  }
}
