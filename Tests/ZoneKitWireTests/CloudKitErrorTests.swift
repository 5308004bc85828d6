import ZoneKitRecords
import Testing
import ZoneKitWire

@Suite struct CloudKitErrorTests {
  private static let documented: [(String, Int)] = [
    ("ACCESS_DENIED", 403), ("ATOMIC_ERROR", 400), ("AUTHENTICATION_FAILED", 401), ("AUTHENTICATION_REQUIRED", 421),
    ("BAD_REQUEST", 400), ("CONFLICT", 409), ("EXISTS", 409), ("INTERNAL_ERROR", 500), ("NOT_FOUND", 404),
    ("QUOTA_EXCEEDED", 413), ("THROTTLED", 429), ("TRY_AGAIN_LATER", 503), ("VALIDATING_REFERENCE_ERROR", 412),
    ("ZONE_NOT_FOUND", 404),
  ]

  @Test func `the 14 codes have the documents' status`() {
    #expect(WebErrorCode.allCases.map(\.rawValue) == Self.documented.map(\.0))
    #expect(WebErrorCode.allCases.map(\.status) == Self.documented.map(\.1))
  }

  @Test(arguments: CloudErrorCode.allCases)
  func `a failure always has uuid, reason and one of the 14 codes`(code: CloudErrorCode) throws {
    let answer = CloudKitResponse(CloudError(code, "why \"so\""), uuid: "U-1")
    let json = try JSON(parsing: answer.body)
    #expect(json["uuid"] == "U-1")
    #expect(json["reason"] == "why \"so\"")
    let web = try #require(json["serverErrorCode"]?.string)
    #expect(Self.documented.contains { $0 == (web, answer.status) })
    #expect(json["retryAfter"] == nil)
    #expect(answer.retryAfterSeconds == nil)
    #expect(json["ckErrorCode"] == nil)
  }

  @Test func `a failure as text`() throws {
    let answer = try CloudKit.answer(.failure(CloudError(.requestRateLimited, "slow", retryAfterMilliseconds: 30_000)))
    #expect(answer.status == 429)
    #expect(answer.text == #"{"uuid":"U-1","serverErrorCode":"THROTTLED","reason":"slow","retryAfter":30}"#)
    let busy = CloudKitResponse(CloudError(.zoneBusy, "busy", retryAfterMilliseconds: 1005), uuid: "U")
    #expect(
      String(decoding: busy.body, as: UTF8.self)
        == #"{"uuid":"U","serverErrorCode":"TRY_AGAIN_LATER","reason":"busy","#
        + #""retryAfter":1.005,"nativeCode":"zoneBusy"}"#
    )
    #expect(busy.status == 503)
  }

  @Test(arguments: [(0, 0), (1, 1), (999, 1), (1000, 1), (1001, 2), (Int64.max, Int64.max / 1000 + 1)])
  func `the header's wait is rounded up to whole seconds`(milliseconds: Int64, seconds: Int64) {
    let error = CloudError(.requestRateLimited, "slow", retryAfterMilliseconds: milliseconds)
    #expect(CloudKitResponse(error, uuid: "U").retryAfterSeconds == seconds)
  }

  @Test func `an atomic failure has every item and an error beside them`() throws {
    let answer = try CloudKit.answer(
      .atomicFailure([
        .failed("a", CloudError(.serverRecordChanged, "client oplock error updating record")),
        .failed("b", CloudError(.batchRequestFailed, "not done")),
      ]), to: "records/modify", #"{"operations":[]}"#)
    #expect(answer.status == 400)
    #expect(
      answer.text == #"{"records":[{"recordName":"a","serverErrorCode":"CONFLICT","#
        + #""reason":"client oplock error updating record"},"#
        + #"{"recordName":"b","serverErrorCode":"ATOMIC_ERROR","reason":"not done"}],"uuid":"U-1","#
        + #""serverErrorCode":"ATOMIC_ERROR","reason":"one operation failed, so none was done; see the items"}"#)
  }

  @Test(arguments: CloudErrorCode.allCases)
  func `items tell of an error without uuid, in their own form`(code: CloudErrorCode) throws {
    let error = CloudError(code, "why", retryAfterMilliseconds: 2000)
    let answers = [
      try CloudKit.answer(.records([.failed("n", error)])), try CloudKit.answer(.zones([.failed(.defaultZone, error)])),
      try CloudKit.answer(.zoneChanges([.failed(.defaultZone, error)])),
      try CloudKit.answer(.subscriptions([.failed("s", error)])),
    ]
    for (answer, identifier) in zip(answers, ["recordName", "zoneID", "zoneID", "subscriptionID"]) {
      let list = try #require(try JSON(parsing: answer.text).object?.first?.value.array)
      let keys = try #require(list.first?.object?.map(\.key)).filter { $0 != "nativeCode" }
      #expect(keys == [identifier, "serverErrorCode", "reason", "retryAfter"])
      #expect(answer.status == 200)
    }
  }
}
