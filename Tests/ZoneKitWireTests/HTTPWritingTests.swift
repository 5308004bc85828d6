import ZoneKitRecords
import Testing
import ZoneKitWire

@Suite struct HTTPWritingTests {
  let head = HTTPResponseHead(status: 200, contentType: "application/json", fields: [HTTPField("X-A", "1")])

  @Test func `a response has its length and type`() {
    #expect(
      text { $0.appendResponse(head, body: [0x7B, 0x7D]) }
        == "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-A: 1\r\nContent-Length: 2\r\n\r\n{}")
  }

  @Test func `a closing response has Connection: close, and an unknown status has no reason phrase`() {
    #expect(
      text { $0.appendResponse(HTTPResponseHead(status: 299, keepAlive: false), body: []) }
        == "HTTP/1.1 299 \r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
  }

  @Test func `no body goes with 204 or to HEAD`() {
    let none = "HTTP/1.1 204 No Content\r\n\r\n"
    #expect(text { $0.appendResponse(HTTPResponseHead(status: 204), body: [1]) } == none)
    let omitting = HTTPResponseHead(status: 200, omitsBody: true)
    #expect(text { $0.appendResponse(omitting, body: [1]) } == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n")
  }

  @Test func `an answer in pieces has chunks, or no length and the end of the connection`() {
    let head = HTTPResponseHead(status: 200, contentType: "text/event-stream")
    #expect(
      text { $0.appendStreamHead(head, isChunked: false) }
        == "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
    let chunks = text {
      $0.appendStreamHead(head, isChunked: true)
      $0.appendChunk([UInt8](repeating: 0x61, count: 17))
      $0.appendChunk([])
      $0.appendLastChunk()
    }
    #expect(
      chunks == "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "11\r\n" + String(repeating: "a", count: 17) + "\r\n0\r\n\r\n")
    var parser = HTTPResponseParser()
    #expect(parser.receive([UInt8](chunks.utf8)).first?.response?.body.count == 17)
  }

  @Test func `interim answers and upgrades are written`() {
    #expect(text { $0.appendContinue() } == "HTTP/1.1 100 Continue\r\n\r\n")
    #expect(
      text { $0.appendUpgrade(to: "echo", fields: [HTTPField("X-A", "1")]) }
        == "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\nX-A: 1\r\n\r\n")
  }

  @Test(
    arguments: [
      ("GET / HTTP/1.1\r\nHost: h\r\n\r\n", true, false, nil), ("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n", true, true, nil),
      ("GET / HTTP/1.0\r\n\r\n", false, false, nil),
      ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true, false, "keep-alive"),
    ] as [(String, Bool, Bool, String?)])
  func `an answer fits its request`(request: String, keepAlive: Bool, omitsBody: Bool, connection: String?) throws {
    var parser = HTTPRequestReader()
    let request = try #require(parser.receive([UInt8](request.utf8)).first?.request)
    let head = HTTPResponseHead(answering: request, status: 200)
    #expect(head.keepAlive == keepAlive)
    #expect(head.omitsBody == omitsBody)
    #expect(head.fields.first { $0.name == "Connection" }?.value == connection)
  }

  @Test func `no text can add a line to a head`() {
    var head = HTTPResponseHead(status: 200, fields: [HTTPField("X", "a\r\nEvil: 1\n\0b\tü")])
    head.contentType = "a\r\nb"
    #expect(
      text { $0.appendResponse(head, body: []) }
        == "HTTP/1.1 200 OK\r\nContent-Type: a  b\r\nX: a  Evil: 1  b\tü\r\nContent-Length: 0\r\n\r\n")
    let request = HTTPRequestHead(method: "GET", target: "/a b\r\n#ü?c", host: "h\r\nX: y")
    #expect(
      text { $0.appendRequest(request) } == "GET /a%20b%0D%0A%23%C3%BC?c HTTP/1.1\r\nHost: h  X: y\r\n\r\n")
  }

  @Test func `a request has its length unless it is a GET without body`() {
    var head = HTTPRequestHead(method: "POST", target: "/a", host: "h:1", contentType: "text/plain")
    #expect(
      text { $0.appendRequest(head) }
        == "POST /a HTTP/1.1\r\nHost: h:1\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n")
    head.keepAlive = false
    head.contentType = nil
    head.fields = [HTTPField("Accept", "*/*")]
    #expect(
      text { $0.appendRequest(head, body: [0x61]) }
        == "POST /a HTTP/1.1\r\nHost: h:1\r\nAccept: */*\r\nConnection: close\r\nContent-Length: 1\r\n\r\na")
    head.method = "GET"
    #expect(
      text { $0.appendRequest(head) }
        == "GET /a HTTP/1.1\r\nHost: h:1\r\nAccept: */*\r\nConnection: close\r\n\r\n")
  }

  @Test(arguments: [0, 1, 9, 10, 12_345])
  func `what is written is read back`(size: Int) throws {
    let body = [UInt8](repeating: 0x61, count: size)
    var requests = HTTPRequestReader()
    var bytes: [UInt8] = []
    bytes.appendRequest(HTTPRequestHead(method: "PUT", target: "/t?q", host: "h"), body: body)
    #expect(requests.receive(bytes).first?.request?.body == body)
    var responses = HTTPResponseParser()
    bytes.removeAll()
    bytes.appendResponse(head, body: body)
    #expect(responses.receive(bytes).map { $0.response?.body } == [body])
  }

  private func text(_ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
