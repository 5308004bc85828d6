import Testing
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitWire

@Suite struct `a client's request to accounts` {
  private static let id = UUID(high: 1, low: 2)
  private static let edit = AccountEdit(email: "e", password: "p", metadata: [JSON.Member("x", .null)])
  private static let requests: [AccountRequest] = [
    .signIn(email: "a+b@c", password: "p\"ß"), .signUp(email: "a@b", password: "p", metadata: []),
    .signUp(email: "a@b", password: "p", metadata: [JSON.Member("display_name", "Mara")]), .refresh(token: "r"),
    .read, .update(edit), .update(AccountEdit()), .signOut(.local), .signOut(.global), .signOut(.others),
    .list(page: 2, size: 7), .create(edit), .find(id), .change(id, edit), .remove(id),
  ]

  @Test(arguments: requests.indices) func `is read by the server as it was written`(index: Int) throws {
    let request = Self.requests[index]
    let client = ClientRequest(request, from: SupabaseSender(key: "k", token: "t"))
    #expect(try AuthCall(WireTrip.received(client)) == .account(request))
    #expect(AuthDialect(of: try WireTrip.received(client)) == .dated)
  }

  private let account = Account(
    id: id, email: "mara@example.test", createdAt: WallTime(milliseconds: 1_800_000_000_123),
    updatedAt: WallTime(milliseconds: 1_800_000_000_124))

  private func outcome(_ response: AccountResponse, _ dialect: AuthDialect = .dated) throws -> AccountOutcome {
    let writer = AuthReplyWriter(dialect, root: "http://h", tokenLife: 3600) { _ in [1, 2, 3] }
    return AccountOutcome(try WireTrip.received(writer.reply(response)))
  }

  @Test func `has a session in its answer that the client reads`() throws {
    let grant = SessionGrant(
      account: account, session: UUID(high: 3, low: 4), refreshToken: "r", issuedAt: WallTime(milliseconds: 9_000))
    guard case .session(let read) = try outcome(.session(grant)) else { return #expect(Bool(false)) }
    #expect(read.account == Self.id && read.email == "mara@example.test")
    #expect(read.tokens.refresh == "r" && read.tokens.life == 3_600_000)
    #expect(try JSONWebToken(parsing: read.tokens.access).claims().account == Self.id)
    #expect(try outcome(.signedOut) == .done)
    #expect(try outcome(.account(account)) == .done)
  }

  @Test(arguments: AccountError.Code.allCases, [AuthDialect.dated, .original])
  func `has a refusal that the client reads in both forms`(code: AccountError.Code, dialect: AuthDialect) throws {
    let error = AccountError(code, "no", retryAfter: 3)
    let passes = code == .overRequestRateLimit || code == .unexpectedFailure
    #expect(
      try outcome(.failure(error), dialect)
        == .failed(SessionError(passes ? .transient(retryAfter: 3_000) : .refused(code.rawValue), "no")))
  }

  @Test(arguments: [
    "{", "[]", #"{"access_token":"a"}"#, #"{"access_token":"a","refresh_token":"r","expires_in":-1,"user":{"id":"x"}}"#,
  ])
  func `has an answer that counts as lost if it cannot be read`(body: String) throws {
    let answer = try WireTrip.received(HTTPReply(status: 200, body: Array(body.utf8)))
    guard case .failed(let error) = AccountOutcome(answer) else { return #expect(Bool(false)) }
    #expect(error.failure == .transient(retryAfter: nil))
  }
}

@Suite struct `a client's opening of a socket` {
  private let key = Base64.encode(Array(0..<16))

  @Test(arguments: ChannelVersion.allCases) func `is read by the server`(version: ChannelVersion) throws {
    let sender = SupabaseSender(key: "k+/=", deviceID: "D")
    let request = try WireTrip.received(ClientRequest(openingSocket: version, from: sender, webSocketKey: key))
    #expect(try WebSocketHandshake.key(of: request) == key)
    #expect(try request.queryItems()["vsn"] == version.rawValue)
    let credentials = SupabaseCredentials(request)
    #expect(credentials.key == "k+/=" && credentials.deviceID == "D")
  }

  private func answer(_ hash: [UInt8], _ text: String, cutAt cut: Int) -> WebSocketAnswerReader.Answer? {
    let bytes = Array(text.utf8)
    var reader = WebSocketAnswerReader(hash: hash)
    return reader.receive(Array(bytes[..<cut])) ?? reader.receive(Array(bytes[cut...]))
  }

  @Test func `is answered, wherever the bytes are cut`() {
    let hash: [UInt8] = [1, 2, 3]
    let head =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: \(Base64.encode(hash))\r\n\r\n"
    for cut in 0...head.utf8.count { #expect(answer(hash, head, cutAt: cut) == .opened(rest: [])) }
    #expect(answer(hash, head + "xyz", cutAt: 0) == .opened(rest: Array("xyz".utf8)))
    #expect(answer([9], head, cutAt: 0) == .refused("the service did not prove that it has read the key"))
    #expect(
      answer(hash, "HTTP/1.1 429 x\r\nContent-Length: 2\r\n\r\n{}", cutAt: 0) == .refused("the service answered 429"))
    guard case .refused? = answer(hash, "nonsense\r\n\r\n", cutAt: 3) else { return #expect(Bool(false)) }
  }
}

@Suite struct `a client's message on a channel` {
  @Test(arguments: ChannelVersion.allCases) func `is read by the server, and the server's by the client`(
    version: ChannelVersion
  ) {
    let codec = ChannelFrameCodec(version)
    let frame = ChannelFrame(
      joinRef: "1", ref: "2", topic: "realtime:x", event: "phx_join", payload: ["access_token": "t"])
    #expect(codec.frame(of: codec.clientText(of: frame)) == frame)
    var answer = frame
    if version == .first { answer.joinRef = nil }
    #expect(codec.frame(of: codec.serverText(of: frame)) == answer)
  }
}
