import Testing
import ZoneKitRecords
import ZoneKitWire

@Suite struct CloudKitAdapterTests {
  private let adapter = CloudKitAdapter(apiToken: "a+b")
  private let context = CallContext(identifier: "U-1", root: "http://127.0.0.1:7440")
  private let caller = Caller(user: "nanny", deviceID: "A")
  private let database = DatabaseID(container: "c", environment: .development, user: "nanny", scope: .private)

  /// The server's view of a client's request, through bytes.
  private func received(_ request: ClientRequest, origin: String? = nil) throws -> HTTPRequest {
    var request = request
    if let origin { request.fields.append(HTTPField("Origin", origin)) }
    return try WireTrip.received(request)
  }

  /// The client's view of a server's reply, through bytes.
  private func received(_ reply: HTTPReply) throws -> HTTPResponse { try WireTrip.received(reply) }

  @Test func `a request becomes a call and its answer comes back, through bytes`() throws {
    let request = CloudRequest.createPushToken(environment: .development)
    let call = try adapter.call(of: received(adapter.request(request, of: database, from: caller)), in: context)
    #expect(call.request == request)
    #expect(call.credentials == .web(WebCredentials(apiToken: "a+b", webAuthToken: "user:nanny", deviceID: "A")))
    #expect(call.database(of: caller) == database)
    let answer = CloudResponse.pushToken(environment: .development, token: "t")
    let reply = call.reply(.answered(answer, caller))
    #expect(adapter.response(try received(reply), to: request, from: caller) == answer)
    #expect(String(decoding: reply.body, as: UTF8.self).contains("http://127.0.0.1:7440/aps?tok=t"))
  }

  @Test func `refused credentials and failures come back as errors`() throws {
    let call = try adapter.call(of: received(adapter.request(.listZones, of: database, from: caller)), in: context)
    let error = CloudError(.requestRateLimited, "slow down", retryAfterMilliseconds: 1_500)
    for outcome in [Call.Outcome.refused(error), .answered(.failure(error), caller)] {
      let response = try received(call.reply(outcome))
      #expect(response.status == 429)
      #expect(response.fields["Retry-After"] == "2")
      #expect(adapter.response(response, to: .listZones, from: caller) == .failure(error))
    }
  }

  @Test(
    arguments: [
      ("POST", "/database/1/c/development/private/zones/none", 404, "NOT_FOUND", nil),
      ("POST", "/database/1/c/nowhere/private/zones/list", 400, "BAD_REQUEST", nil),
      ("PUT", "/database/1/c/development/private/records/modify", 405, "BAD_REQUEST", "POST"),
    ] as [(String, String, Int, String, String?)])
  func `a request that asks for nothing is refused in CloudKit's form`(
    method: String, path: String, status: Int, code: String, allow: String?
  ) throws {
    let http = try received(ClientRequest(method, path))
    do {
      _ = try adapter.call(of: http, in: context)
      Issue.record("\(method) \(path) was taken")
    } catch {
      #expect(error.reply.status == status)
      let json = try JSON(parsing: error.reply.body)
      #expect(json["serverErrorCode"]?.string == code)
      #expect(json["uuid"] == "U-1")
      #expect(error.reply.fields.first { $0.name == "Allow" }?.value == allow)
    }
  }

  @Test func `a page of another origin may read the field of the web token`() throws {
    let request = adapter.request(.listZones, of: database, from: caller)
    let call = try adapter.call(of: received(request, origin: "http://a"), in: context)
    let fields = call.reply(.answered(.zones([]), caller)).fields
    #expect(fields == [HTTPField("Access-Control-Expose-Headers", "X-Apple-CloudKit-Web-Auth-Token")])
    let plain = try adapter.call(of: received(request), in: context)
    #expect(plain.reply(.answered(.zones([]), caller)).fields.isEmpty)
  }
}
