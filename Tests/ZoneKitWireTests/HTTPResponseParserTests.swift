import Testing
import ZoneKitWire

@Suite struct HTTPResponseParserTests {
  @Test func `a counted response is handed out whole and the next one follows`() throws {
    let responses = try responses(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
        + "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
    #expect(responses.map(\.status) == [200, 404])
    #expect(responses.map(\.body) == [[0x7B, 0x7D], []])
    #expect(responses.map(\.keepAlive) == [true, true])
    #expect(responses.first?.fields["content-type"] == "application/json")
  }

  @Test func `chunks are joined`() throws {
    let text = "HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\nX: y\r\n\r\n"
    #expect(try responses(text).map(\.body) == [[0x61, 0x62, 0x63]])
  }

  @Test func `interim responses are skipped`() throws {
    let text =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 201 \r\nContent-Length: 1\r\n\r\nx"
    #expect(try responses(text).map(\.status) == [201])
  }

  @Test(arguments: [204, 304])
  func `some statuses have no body, with any fields`(status: Int) throws {
    let text = "HTTP/1.1 \(status) x\r\nContent-Length: 10\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    #expect(try responses(text).map(\.status) == [status, 200])
  }

  @Test func `a response that nothing else ends is ended by the connection`() {
    var parser = HTTPResponseParser()
    #expect(parser.receive([UInt8]("HTTP/1.1 200 OK\r\n\r\nab".utf8)).isEmpty)
    #expect(parser.receive([UInt8]("c".utf8)).isEmpty)
    let event = parser.finish()
    #expect(event?.response?.body == [0x61, 0x62, 0x63])
    #expect(event?.response?.keepAlive == false)
    #expect(parser.finish() == nil)
  }

  @Test(
    arguments: [
      ("", nil), ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", nil), ("HTTP/1.1 200 OK\r\n", "head"),
      ("\r\n", "head"),
      ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na", "body"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n", "body"),
    ] as [(String, String?)])
  func `an end within a response is distinguished from one between two`(text: String, part: String?) {
    var parser = HTTPResponseParser()
    _ = parser.receive([UInt8](text.utf8))
    #expect(
      parser.finish()?.failure?.reason == part.map { "The connection ended within the \($0) of a response." })
  }

  @Test func `nothing is read after a response that ends the connection`() throws {
    let text = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"
    #expect(try responses(text).map(\.keepAlive) == [false])
    let old = "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx"
    #expect(try responses(old).map(\.keepAlive) == [false])
  }

  @Test(arguments: [
    "HTTP/2 200\r\n\r\n", "HTTP/1.1 20\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n",
    "HTTP/1.1  200\r\n\r\n",
    "HTTP/1.1 200 O\0K\r\n\r\n", "nonsense\r\n\r\n", "HTTP/1.1 200 OK\n", "HTTP/1.1 101 Switching\r\n\r\n", "x\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\n",
  ])
  func `what is no response fails`(text: String) {
    var parser = HTTPResponseParser()
    #expect(parser.receive([UInt8](text.utf8)).last?.failure?.status == 400)
    #expect(parser.receive([UInt8]("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)).isEmpty)
    #expect(parser.finish() == nil)
  }

  @Test(arguments: ["Content-Length: 11\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nb\r\n", "\r\n12345678901"])
  func `a body beyond the limit fails`(rest: String) {
    var parser = HTTPResponseParser(bodyLimit: 10)
    #expect(parser.receive([UInt8](("HTTP/1.1 200 OK\r\n" + rest).utf8)).last?.failure?.status == 413)
  }

  private func responses(_ text: String) throws -> [HTTPResponse] {
    var parser = HTTPResponseParser()
    return try parser.receive([UInt8](text.utf8)).map { try #require($0.response) }
  }
}

extension HTTPResponseParser.Event {
  /// The response, if this is one.
  var response: HTTPResponse? {
    guard case .response(let response) = self else { return nil }
    return response
  }

  /// The error, if this is one.
  var failure: HTTPError? {
    guard case .failed(let error) = self else { return nil }
    return error
  }
}
