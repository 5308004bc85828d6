import Testing
import ZoneKitWire

@Suite struct HTTPRequestParserTests {
  @Test func `a request is handed out whole`() throws {
    let request = try #require(
      only(
        "POST /database/1/a%2Fb?x=1&y=+ HTTP/1.1\r\nHost: h:1\r\nContent-Type:  text/plain \t\r\nOrigin:\r\n"
          + "Content-Length: 5\r\n\r\nhello"))
    #expect(request.method == "POST")
    #expect(request.target == "/database/1/a%2Fb?x=1&y=+")
    #expect(request.path == "/database/1/a%2Fb")
    #expect(request.query == "x=1&y=+")
    #expect(try request.pathSegments() == ["database", "1", "a/b"])
    #expect(try request.queryItems().items == [HTTPField("x", "1"), HTTPField("y", "+")])
    #expect(request.minorVersion == 1)
    #expect(request.body == [UInt8]("hello".utf8))
    #expect(request.keepAlive)
    #expect(
      request.fields.list == [
        HTTPField("Host", "h:1"), HTTPField("Content-Type", "text/plain"), HTTPField("Origin", ""),
        HTTPField("Content-Length", "5"),
      ])
    #expect(request.fields["content-TYPE"] == "text/plain")
    #expect(request.fields["origin"] == "")
    #expect(request.fields["accept"] == nil)
  }

  @Test func `a field given twice keeps both values`() throws {
    let request = try #require(only("GET / HTTP/1.1\r\nHost: h\r\nX-A: 1\r\nx-a: 2\r\n\r\n"))
    #expect(request.fields["X-A"] == "1")
    #expect(request.fields.values("X-A") == ["1", "2"])
    #expect(request.fields.count == 3)
  }

  @Test(
    arguments: [
      ("/", "/", nil), ("/?", "/", ""), ("/a?b?c", "/a", "b?c"), ("http://h:1/a?b", "/a", "b"), ("HTTP://h", "/", nil),
      ("https://h?b", "/", "b"), ("//h/a", "//h/a", nil), ("/${f}|<>", "/${f}|<>", nil),
    ] as [(String, String, String?)])
  func `a target is cut into path and query`(target: String, path: String, query: String?) throws {
    let request = try #require(only("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n"))
    #expect(request.path == path)
    #expect(request.query == query)
  }

  @Test func `the asterisk belongs to OPTIONS`() throws {
    #expect(try #require(only("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n")).path == "*")
    #expect(refusal("GET * HTTP/1.1\r\nHost: h\r\n\r\n")?.status == 400)
  }

  @Test(arguments: [
    ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false),
    ("HTTP/1.1", "Connection: x, Close\r\n", false),
    ("HTTP/1.1", "Connection: keep-alive\r\nConnection: close\r\n", false), ("HTTP/1.0", "", false),
    ("HTTP/1.0", "Connection: Keep-Alive\r\n", true), ("HTTP/1.0", "Connection: keep-alive, close\r\n", false),
    ("HTTP/1.9", "", true),
  ])
  func `the connection stays open as version and Connection say`(version: String, field: String, stays: Bool) throws {
    #expect(try #require(only("GET / \(version)\r\nHost: h\r\n\(field)\r\n")).keepAlive == stays)
  }

  @Test func `pipelined requests come out in order`() {
    var parser = HTTPRequestReader()
    let text =
      "GET /1 HTTP/1.1\r\nHost: h\r\n\r\n\r\nPOST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx"
      + "GET /3 HTTP/1.1\r\nHost: h\r\n\r\nGET /4"
    let requests = parser.receive([UInt8](text.utf8)).compactMap(\.request)
    #expect(requests.map(\.path) == ["/1", "/2", "/3"])
    #expect(!parser.isIdle)
    #expect(parser.receive([UInt8](" HTTP/1.1\r\nHost: h\r\n\r\n".utf8)).first?.request?.path == "/4")
    #expect(parser.isIdle)
  }

  @Test func `nothing is read after a request that ends the connection`() {
    var parser = HTTPRequestReader()
    let text = "GET /1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n"
    #expect(parser.receive([UInt8](text.utf8)).compactMap(\.request?.path) == ["/1"])
    #expect(parser.receive([UInt8](text.utf8)).isEmpty)
  }

  @Test func `requests before an error are handed out and nothing after it`() {
    var parser = HTTPRequestReader()
    let events = parser.receive([UInt8]("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nbad\r\n\r\n".utf8))
    #expect(events.count == 2)
    #expect(events.first?.request?.path == "/1")
    #expect(events.last?.refusal?.status == 400)
    #expect(parser.receive([UInt8]("GET /1 HTTP/1.1\r\nHost: h\r\n\r\n".utf8)).isEmpty)
    #expect(parser.isIdle)
  }

  @Test(
    arguments: [
      ("0\r\n\r\n", ""), ("5\r\nhello\r\n0\r\n\r\n", "hello"), ("5;a=b\r\nhello\r\n6 \t;x\r\n", nil),
      ("2\r\nhe\r\n3;name=\"v\"\r\nllo\r\n000\r\nX-T: 1\r\n\r\n", "hello"),
      ("A\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
      ("0a\r\n0123456789\r\n0\r\n\r\n", "0123456789"), ("5\r\nhelloX\r\n0\r\n\r\n", nil),
      ("5\r\nhell\r\n0\r\n\r\n", nil),
      ("5\nhello\r\n0\r\n\r\n", nil), ("\r\n", nil), ("0x5\r\n", nil), ("+5\r\n", nil), (" 5\r\n", nil),
      ("5 \r\n", nil),
      ("g\r\n", nil), ("5;\u{1}\r\n", nil), ("5\r\nhello\n0\r\n\r\n", nil), ("0\r\nX: 1\n\r\n", nil),
      ("\u{FF15}\r\nhello\r\n0\r\n\r\n", nil),
    ] as [(String, String?)])
  func `chunks are joined or refused`(chunks: String, body: String?) {
    let text = "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n" + chunks
    #expect(only(text)?.body == body.map { [UInt8]($0.utf8) })
    #expect((refusal(text)?.status == 400) == (body == nil))
  }

  @Test func `a client that waits for 100 is reported, one that does not wait is not`() {
    let head = "PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n"
    var parser = HTTPRequestReader()
    #expect(parser.receive([UInt8](head.utf8)) == [.continueExpected])
    #expect(parser.receive([UInt8]("ab".utf8)).first?.request?.body == [0x61, 0x62])
    #expect(parser.receive([UInt8]((head + "a").utf8)).isEmpty)
    #expect(only(head.replacing("2\r\n", "0\r\n")) != nil)
    #expect(only(head.replacing("/1.1", "/1.0") + "ab") != nil)
  }

  @Test func `the body of a request comes in the pieces in which it was read`() {
    var parser = HTTPRequestParser()
    let head = [UInt8]("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\na".utf8)
    var piece: [UInt8] = []
    var position = 0
    let first = parser.next(head.span, at: &position, into: &piece)
    guard case .head(let request) = first else { return #expect(Bool(false), "\(first as Any)") }
    #expect(request.contentLength == 4)
    #expect(piece.isEmpty)
    #expect(parser.next(head.span, at: &position, into: &piece) == nil)
    #expect(piece == [UInt8]("a".utf8))
    let rest = [UInt8]("bcdGET".utf8)
    piece = []
    position = 0
    #expect(parser.next(rest.span, at: &position, into: &piece) == .end)
    #expect(piece == [UInt8]("bcd".utf8))
    #expect(position == 3)
  }

  @Test func `a limit that is set behind the head counts for that request`() {
    var parser = HTTPRequestParser(bodyLimit: 10)
    let bytes = [UInt8]("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello".utf8)
    var piece: [UInt8] = []
    var position = 0
    _ = parser.next(bytes.span, at: &position, into: &piece)
    parser.bodyLimit = 4
    guard case .refused(let error) = parser.next(bytes.span, at: &position, into: &piece) else {
      return #expect(Bool(false), "a body over the limit was taken")
    }
    #expect(error.status == 413)
  }

  @Test(
    arguments: [
      ("HTTP/1.1", "Connection: Upgrade\r\nUpgrade: echo\r\n", "echo"),
      ("HTTP/1.1", "Connection: keep-alive, upgrade\r\nUpgrade: WebSocket\r\n", "WebSocket"),
      ("HTTP/1.1", "Upgrade: echo\r\n", nil), ("HTTP/1.1", "Connection: upgrade\r\n", nil),
      ("HTTP/1.0", "Connection: upgrade\r\nUpgrade: echo\r\n", nil),
      ("HTTP/1.1", "Connection: upgrade\r\nUpgrade: echo\r\nContent-Length: 1\r\n", nil),
    ] as [(String, String, String?)])
  func `a request asks for an upgrade by Connection and Upgrade, without a body`(
    version: String, fields: String, protocolName: String?
  ) throws {
    #expect(try #require(only("GET / \(version)\r\nHost: h\r\n\(fields)\r\nx")).upgrade == protocolName)
  }

  private func only(_ text: String) -> HTTPRequest? {
    var parser = HTTPRequestReader()
    let events = parser.receive([UInt8](text.utf8))
    return events.count == 1 ? events[0].request : nil
  }

  private func refusal(_ text: String) -> HTTPError? {
    var parser = HTTPRequestReader()
    return parser.receive([UInt8](text.utf8)).last?.refusal
  }
}

extension HTTPRequestReader.Event {
  /// The request, if this is one.
  var request: HTTPRequest? {
    guard case .request(let request) = self else { return nil }
    return request
  }

  /// The error, if this is one.
  var refusal: HTTPError? {
    guard case .refused(let error) = self else { return nil }
    return error
  }
}

extension String {
  /// The text with the first of some words replaced.
  fileprivate func replacing(_ word: String, _ other: String) -> String {
    guard let range = firstRange(of: word) else { return self }
    return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
  }
}
