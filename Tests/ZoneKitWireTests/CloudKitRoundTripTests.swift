import ZoneKitRecords
import Testing
import ZoneKitWire

/// Whatever a device asks and the cloud answers arrives as it was sent.
@Suite struct CloudKitRoundTripTests {
  private static let database = DatabaseID(
    container: "iCloud.com.example/ä b", environment: .production, user: "nanny", scope: .shared)

  /// A device's request on its way to the cloud: through HTTP, cut somewhere.
  private func sent(_ request: CloudRequest, by caller: Caller, _ samples: inout CloudKitSamples) throws
    -> CloudKitRequest
  {
    let client = ClientRequest(request, to: Self.database, apiToken: "a+/=", caller: caller)
    var bytes: [UInt8] = []
    bytes.appendRequest(HTTPRequestHead(method: client.method, target: client.target, host: "h"), body: client.body)
    var parser = HTTPRequestReader()
    let cut = samples.int(0...bytes.count)
    let events = parser.receive(Array(bytes[..<cut])) + parser.receive(Array(bytes[cut...]))
    guard case .request(let http) = events.first, events.count == 1 else {
      throw CloudError(.internalError, "the request is none to the server")
    }
    return try CloudKitRequest(http)
  }

  @Test(arguments: 0..<20)
  func `a request arrives as it was made`(seed: UInt64) throws {
    var samples = CloudKitSamples(seed: seed)
    for _ in 0..<200 {
      let caller = samples.caller()
      let request = samples.request(of: caller)
      let received = try sent(request, by: caller, &samples)
      #expect(received.request == request)
      #expect(received.credentials.deviceID == caller.deviceID)
      #expect(received.credentials.apiToken == "a+/=")
      #expect(received.credentials.webAuthToken == "user:" + caller.user.text)
      #expect(received.route.container == Self.database.container)
      #expect(received.route.environment == Self.database.environment)
      #expect(
        received.route.scope == .shared || received.route.endpoint == .tokensCreate
          || received.route.endpoint == .tokensRegister)
      #expect(received.shape == ResponseShape())
    }
  }

  @Test(arguments: 0..<20)
  func `an answer arrives as it was given, the caller's zones under the default owner`(seed: UInt64) throws {
    var samples = CloudKitSamples(seed: seed)
    for _ in 0..<200 {
      let caller = samples.caller()
      let request = samples.request(of: caller)
      let response = samples.response(to: request)
      let answer = CloudKitResponse(
        response.owned(by: caller.userRecordName), to: try sent(request, by: caller, &samples), of: caller,
        uuid: samples.text(), root: "http://h")
      let read = ClientResponseReader.read(status: answer.status, body: answer.body, to: request, as: caller)
      #expect(contents(read) == contents(response))
    }
  }

  /// An answer with the changes of its pages instead of the ranges into their bytes, which two pages of the same
  /// content need not share.
  private func contents(_ response: CloudResponse) -> [[RecordChange]: CloudResponse] {
    guard case .zoneChanges(let results) = response else { return [[]: response] }
    var changes: [RecordChange] = []
    let bare = results.map { result -> ZoneChangesResult in
      guard case .changes(var page) = result else { return result }
      changes += page.page.changes
      page.page = RecordPage()
      return .changes(page)
    }
    return [changes: .zoneChanges(bare)]
  }
}
