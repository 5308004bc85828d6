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

  @Test func `a closing response says so and an unknown status has no words`() {
    #expect(
      text { $0.appendResponse(HTTPResponseHead(status: 299, keepAlive: false), body: []) }
        == "HTTP/1.1 299 \r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
  }

  @Test func `a body rendered in place gets its length`() {
    let written = text { $0.appendResponse(head) { $0.append(literal: "0123456789") } }
    #expect(
      written == "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-A: 1\r\nContent-Length:"
        + String(repeating: " ", count: 18) + "10\r\n\r\n0123456789")
  }

  @Test func `a rendering that fails leaves nothing behind`() {
    struct Failure: Error {}
    var bytes: [UInt8] = [1, 2]
    #expect(throws: Failure.self) {
      try bytes.appendResponse(head) { (body: inout [UInt8]) throws(Failure) in
        body.append(3)
        throw Failure()
      }
    }
    #expect(bytes == [1, 2])
  }

  @Test func `no body goes with 204 or to HEAD`() {
    let none = "HTTP/1.1 204 No Content\r\n\r\n"
    #expect(text { $0.appendResponse(HTTPResponseHead(status: 204), body: [1]) } == none)
    #expect(text { $0.appendResponse(HTTPResponseHead(status: 204)) { $0.append(1) } } == none)
    let omitting = HTTPResponseHead(status: 200, omitsBody: true)
    #expect(text { $0.appendResponse(omitting, body: [1]) } == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n")
    #expect(text { $0.appendResponse(omitting) { $0.append(1) } }.hasSuffix(" 1\r\n\r\n"))
  }

  @Test func `a stream has no length and ends with the connection`() {
    #expect(
      text { $0.appendStreamHead(HTTPResponseHead(status: 200, contentType: "text/event-stream")) }
        == "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
    #expect(text { $0.appendContinue() } == "HTTP/1.1 100 Continue\r\n\r\n")
  }

  @Test(
    arguments: [
      ("GET / HTTP/1.1\r\nHost: h\r\n\r\n", true, false, nil), ("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n", true, true, nil),
      ("GET / HTTP/1.0\r\n\r\n", false, false, nil),
      ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true, false, "keep-alive"),
    ] as [(String, Bool, Bool, String?)])
  func `an answer fits its request`(request: String, keepAlive: Bool, omitsBody: Bool, connection: String?) throws {
    var parser = HTTPRequestParser()
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
    var requests = HTTPRequestParser()
    var bytes: [UInt8] = []
    bytes.appendRequest(HTTPRequestHead(method: "PUT", target: "/t?q", host: "h"), body: body)
    #expect(requests.receive(bytes).first?.request?.body == body)
    var responses = HTTPResponseParser()
    bytes.removeAll()
    bytes.appendResponse(head, body: body)
    bytes.appendResponse(head) { $0.append(contentsOf: body) }
    #expect(responses.receive(bytes).map { $0.response?.body } == [body, body])
  }

  private func text(_ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
