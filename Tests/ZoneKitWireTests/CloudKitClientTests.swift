import ZoneKitRecords
import Testing
import ZoneKitWire

/// The device's side: what it sends, and what it makes of answers of any kind.
@Suite struct CloudKitClientTests {
  private let database = DatabaseID(container: "iCloud.x", environment: .development, user: "nanny", scope: .private)

  private func body(_ request: CloudRequest) -> String {
    String(
      decoding: ClientRequest(request, to: database, apiToken: "a", caller: CloudKit.caller).body, as: UTF8.self)
  }

  private func read(_ body: String, status: Int = 200, to request: CloudRequest) -> CloudResponse {
    ClientResponseReader.read(status: status, body: [UInt8](body.utf8), to: request, as: CloudKit.caller)
  }

  @Test func `a request names container, account and device`() {
    let caller = Caller(user: "na nny", deviceID: "d+7")
    let request = ClientRequest(.listZones, to: database, apiToken: "a=", caller: caller)
    #expect(request.method == "POST")
    #expect(
      request.target
        == "/database/1/iCloud.x/development/private/zones/list"
        + "?ckAPIToken=a%3D&ckWebAuthToken=user%3Ana%20nny&clientId=d%2B7"
    )
    #expect(request.body == [UInt8]("{}".utf8))
    let token = ClientRequest(
      .createPushToken(environment: .development), to: database, apiToken: "a", caller: Caller(user: "u"))
    #expect(token.target == "/device/1/iCloud.x/development/tokens/create?ckAPIToken=a&ckWebAuthToken=user%3Au")
  }

  @Test func `a batch as text`() {
    let operations = [
      RecordOperation(
        .update, recordName: "n", recordType: "Note", changeTag: ChangeTag("1a"),
        fields: [
          NamedFieldChange("a", .set(.int64(1), isTyped: true, isEncrypted: true)),
          NamedFieldChange("b", .set(.int64(1), isTyped: false, isEncrypted: false)),
          NamedFieldChange("c", .set(.string(""), isTyped: false, isEncrypted: true)), NamedFieldChange("d", .clear),
          NamedFieldChange("e", .malformed("why")),
        ], parent: .set("p")),
      RecordOperation(.forceDelete, recordName: nil, parent: .clear),
    ]
    #expect(
      body(.modifyRecords(ModifyRecords(zoneID: ZoneID(zoneName: "A"), operations: operations, isAtomic: false)))
        == #"{"zoneID":{"zoneName":"A"},"atomic":false,"operations":[{"operationType":"update","record":"#
        + #"{"recordName":"n","recordType":"Note","recordChangeTag":"1a","parent":{"recordName":"p"},"fields":{"#
        + #""a":{"isEncrypted":true,"type":"INT64","value":1},"b":{"value":1},"c":{"isEncrypted":true,"value":""},"#
        + #""d":null,"e":false}}},{"operationType":"forceDelete","record":{"parent":null,"fields":{}}}]}"#)
  }

  @Test func `what is malformed on the device stays so in the cloud`() throws {
    let operations: [SubscriptionOperation] = [
      .malformed(subscriptionID: "s", CloudError(.internalError, "x")),
      .malformed(subscriptionID: nil, CloudError(.internalError, "x")),
    ]
    let error = CloudError(.invalidArguments, "subscriptionType must be query, zone or database")
    #expect(
      try CloudKit.request("subscriptions/modify", body(.modifySubscriptions(operations))).request
        == .modifySubscriptions([.malformed(subscriptionID: "s", error), .malformed(subscriptionID: nil, error)]))
    let record = RecordOperation(.create, recordName: "n", fields: [NamedFieldChange("f", .malformed("x"))])
    let batch = ModifyRecords(zoneID: .defaultZone, operations: [record], isAtomic: true)
    guard case .modifyRecords(let read) = try CloudKit.request("records/modify", body(.modifyRecords(batch))).request,
      case .malformed = read.operations[0].fields[0].change
    else {
      Issue.record("the field is not malformed")
      return
    }
  }

  @Test func `only the caller's own zones come under the default owner`() {
    let body = #"""
      {"zones":[{"zoneID":{"zoneName":"A","ownerRecordName":"\#(CloudKit.owner)"},"deleted":true},
                {"zoneID":{"zoneName":"A","ownerRecordName":"_user01"},"deleted":true},
                {"zoneID":{"zoneName":"A"},"deleted":true}]}
      """#
    let own = ZoneID(zoneName: "A")
    #expect(
      read(body, to: .listZones)
        == .zones([.deleted(own), .deleted(ZoneID(zoneName: "A", owner: .user("_user01"))), .deleted(own)]))
  }

  private static let batch = CloudRequest.modifyRecords(
    ModifyRecords(
      zoneID: .defaultZone, operations: [RecordOperation(.create, recordName: "a")], isAtomic: true))

  @Test(arguments: [
    #"{"records":[\#(conflict)]}"#,
    #"{"records":[\#(conflict)],"serverErrorCode":"ATOMIC_ERROR","reason":"r","uuid":"u"}"#,
  ])
  func `an atomic failure is known with and without an error beside its items`(body: String) {
    let failed = RecordResult.failed("a", CloudError(.serverRecordChanged, "c"))
    #expect(read(body, status: 400, to: Self.batch) == .atomicFailure([failed]))
  }

  private static let conflict = #"{"recordName":"a","serverErrorCode":"CONFLICT","reason":"c"}"#

  @Test func `an error of another code beside items is the answer`() {
    let body = #"{"records":[\#(Self.conflict)],"serverErrorCode":"BAD_REQUEST","reason":"r","uuid":"u"}"#
    #expect(read(body, status: 400, to: Self.batch) == .failure(CloudError(.invalidArguments, "r")))
  }

  @Test func `a documented code means its native one, an unknown one an internal error`() {
    for code in WebErrorCode.allCases {
      let body = #"{"uuid":"u","serverErrorCode":"\#(code.rawValue)","reason":"r","retryAfter":1.5}"#
      #expect(
        read(body, status: code.status, to: .listZones)
          == .failure(CloudError(code.native, "r", retryAfterMilliseconds: 1500)))
      #expect(WebErrorCode(code.native) == code || code == .exists)
    }
    #expect(
      read(#"{"serverErrorCode":"NEW_CODE"}"#, status: 400, to: .listZones)
        == .failure(CloudError(.internalError, "NEW_CODE")))
  }

  @Test(arguments: [
    (200, "<html>", CloudErrorCode.internalError), (500, "", .internalError), (502, "Bad Gateway", .serviceUnavailable),
    (503, "", .serviceUnavailable), (504, "{}", .serviceUnavailable), (429, "slow", .requestRateLimited),
    (404, "{}", .internalError), (200, "[]", .internalError), (200, "{}", .internalError),
    (200, #"{"zones":{}}"#, .internalError),
  ])
  func `what is no answer becomes an error by its status`(status: Int, body: String, code: CloudErrorCode) {
    guard case .failure(let error) = read(body, status: status, to: .listZones) else {
      Issue.record("\(body) was taken for an answer")
      return
    }
    #expect(error.code == code)
    #expect(error.reason.hasPrefix("the server's answer cannot be read: "))
  }

  @Test func `an answer with too few items is none`() {
    let reason = "the server's answer cannot be read: it has 0 items for 1 that were asked for"
    #expect(read(#"{"records":[]}"#, to: Self.batch) == .failure(CloudError(.internalError, reason)))
  }

  @Test(arguments: [
    (#"{"recordName":"a"}"#, "the server's record a lacks recordType, recordChangeTag or fields"),
    ("{}", "the server's record lacks recordName"),
    (
      #"{"recordName":"a","recordType":"T","recordChangeTag":"1","fields":[]}"#,
      "the fields of the server's record a are not an object"
    ),
    (
      #"{"recordName":"a","recordType":"T","recordChangeTag":"1","fields":{"f":{"type":"ASSETID","value":{}}}}"#,
      "field f of the server's record a cannot be read: Invalid value, expected type ASSETID."
    ),
  ])
  func `a record that cannot be read fails alone, and in a page the page`(item: String, reason: String) {
    let error = CloudError(.internalError, reason)
    guard case .records(let results) = read(#"{"records":[\#(item)]}"#, to: Self.batch),
      case .failed(_, let found) = results.first
    else {
      Issue.record("the record was read")
      return
    }
    #expect(found == error)
    let zone = ZoneID(zoneName: "A")
    let page = #"{"zones":[{"zoneID":{"zoneName":"A"},"records":[\#(item)],"syncToken":"t","moreComing":false}]}"#
    #expect(
      read(page, to: .fetchZoneChanges([ZoneChangesQuery(zoneID: zone, token: nil)]))
        == .zoneChanges([.failed(zone, error)]))
  }

  @Test func `fields without values are none, and what is missing of a record is made up`() {
    let item = #"{"recordName":"a","recordType":"T","recordChangeTag":"1","fields":{"f":null,"g":{"value":2}}}"#
    let nobody = Authorship(at: WallTime(milliseconds: 0), author: Author(userRecordName: ""))
    let record = Record(
      recordName: "a", recordType: "T", fields: EncodedFields(Fields([Field(name: "g", value: .int64(2))])),
      changeTag: ChangeTag("1"), created: nobody, modified: nobody)
    #expect(read(#"{"records":[\#(item)]}"#, to: Self.batch) == .records([.record(record)]))
  }
}
