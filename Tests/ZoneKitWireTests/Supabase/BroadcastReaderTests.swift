import Testing
import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

/// Broadcasts that are sent with a request.
@Suite struct BroadcastReaderTests {
  private func messages(
    _ body: String, at rest: String = "", method: String = "POST", type: String = "application/json"
  ) throws -> [BroadcastReader.Message] {
    var parser = HTTPRequestParser()
    var (position, read) = (0, [UInt8]())
    let head = "\(method) \(BroadcastReader.path)\(rest) HTTP/1.1\r\nHost: h\r\nContent-Type: \(type)\r\n\r\n"
    guard case .head(var request)? = parser.next(Array(head.utf8).span, at: &position, into: &read) else {
      throw HTTPError(status: 400, reason: head)
    }
    request.body = Array(body.utf8)
    #expect(BroadcastReader.isMeant(by: request))
    return try BroadcastReader.messages(of: request)
  }

  @Test func `the broadcasts of a body are read with their topics`() throws {
    let messages = try messages(
      #"{"messages":[{"topic":"a","event":"e","payload":{"b":1}},{"topic":"b","event":"f","private":false}]}"#)
    #expect(messages.map(\.topic) == ["realtime:a", "realtime:b"])
    #expect(
      messages.map(\.broadcast)
        == [ChannelBroadcast(event: "e", ["b": 1]), ChannelBroadcast(event: "f", .object([]))])
  }

  @Test func `topic and event of one broadcast may be in the path`() throws {
    let messages =
      try messages("[1]", at: "/a%2Fb/events/e%20f")
      + messages("\u{1}", at: "/a/events/e", type: "Application/Octet-Stream")
    #expect(messages.map(\.topic) == ["realtime:a/b", "realtime:a"])
    #expect(
      messages.map(\.broadcast)
        == [
          ChannelBroadcast(event: "e f", [1]),
          ChannelBroadcast(["type": "broadcast", "event": "e"], content: [1]),
        ])
  }

  private static let long = Array(repeating: #"{"topic":"a","event":"e"}"#, count: 101).joined(separator: ",")

  @Test(arguments: [
    ("", "", 422), ("[]", "", 422), (#"{"messages":[{"topic":"","event":"e"}]}"#, "", 422),
    (#"{"messages":[{"topic":"a"}]}"#, "", 422), (#"{"messages":[{"topic":"a","event":"e","private":true}]}"#, "", 403),
    (#"{"messages":[\#(long)]}"#, "", 422), ("{}", "/a/events/e?private=true", 403), ("{", "/a/events/e", 422),
    ("{}", "/a/events/", 404), ("{}", "/a/e", 404), ("{}", "/a/events/e/f", 404), ("{}", "/", 404),
  ])
  func `what cannot be passed on is refused as a whole`(body: String, rest: String, status: Int) {
    let refusal = #expect(throws: BroadcastRefusal.self) { try messages(body, at: rest) }
    #expect(refusal?.status == status)
  }

  @Test func `broadcasts are posted`() {
    let refusal = #expect(throws: BroadcastRefusal.self) { try messages("{}", method: "GET") }
    #expect(refusal?.status == 405)
  }
}
