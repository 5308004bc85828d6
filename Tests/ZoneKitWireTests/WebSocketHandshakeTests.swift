import Testing
import ZoneKitRecords
import ZoneKitWire

struct WebSocketHandshakeTests {
  private static let key = "dGhlIHNhbXBsZSBub25jZQ=="

  private func request(_ method: String, _ fields: [String]) throws -> HTTPRequest {
    var reader = HTTPRequestReader()
    let head = ["\(method) /socket HTTP/1.1", "Host: h"] + fields + ["", ""]
    return try #require(reader.receive(Array(head.joined(separator: "\r\n").utf8)).first?.request)
  }

  private func failure(_ method: String, _ fields: [String]) throws -> Int? {
    let request = try request(method, fields)
    do throws(HTTPError) {
      _ = try WebSocketHandshake.key(of: request)
      return nil
    } catch {
      return error.status
    }
  }

  private let valid = [
    "Connection: keep-alive, Upgrade", "Upgrade: WebSocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(key)",
  ]

  @Test func `the key of a client's handshake is read`() throws {
    #expect(try WebSocketHandshake.key(of: request("GET", valid)) == Self.key)
  }

  @Test func `a client's own request is a handshake`() throws {
    let fields = WebSocketHandshake.requestFields(key: Self.key).map { "\($0.name): \($0.value)" }
    #expect(try WebSocketHandshake.key(of: request("GET", fields)) == Self.key)
  }

  @Test(arguments: [0, 1, 3])
  func `a request that lacks a part of the handshake is refused with 400`(part: Int) throws {
    var fields = valid
    fields.remove(at: part)
    #expect(try failure("GET", fields) == 400)
  }

  @Test func `another method, another protocol, another version and a short key are refused`() throws {
    #expect(try failure("POST", valid) == 400)
    #expect(try failure("GET", [valid[0], "Upgrade: echo", valid[2], valid[3]]) == 400)
    #expect(try failure("GET", [valid[0], valid[1], valid[3]]) == 426)
    #expect(try failure("GET", [valid[0], valid[1], "Sec-WebSocket-Version: 8", valid[3]]) == 426)
    #expect(try failure("GET", [valid[0], valid[1], valid[2], "Sec-WebSocket-Key: c2hvcnQ="]) == 400)
  }

  @Test func `the proof is the base64 of the hash of the key and the protocol's GUID`() {
    // The example of RFC 6455, 1.3.
    #expect(
      String(decoding: WebSocketHandshake.proofText(of: Self.key), as: UTF8.self)
        == Self.key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
    let hash: [UInt8] = [
      0xb3, 0x7a, 0x4f, 0x2c, 0xc0, 0x62, 0x4f, 0x16, 0x90, 0xf6, 0x46, 0x06, 0xcf, 0x38, 0x59, 0x45, 0xb2, 0xbe, 0xc4,
      0xea,
    ]
    #expect(
      WebSocketHandshake.answerFields(hash: hash)
        == [HTTPField("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")])
  }
}
