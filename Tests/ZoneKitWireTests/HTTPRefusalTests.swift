import Testing
import ZoneKitWire

@Suite struct HTTPRefusalTests {
  @Test(arguments: [
    "GET  / HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1", "GET /  HTTP/1.1", "GET\t/ HTTP/1.1", "GET /", "GET",
    "GET / HTTP/1", "GET / HTTP/1.", "GET / http/1.1", "GET / HTTP/11", "GET / HTTP/1.10", "GET a HTTP/1.1",
    "GET http:///a HTTP/1.1", "GET h:80 HTTP/1.1", "GET /a#b HTTP/1.1", "GET /ä HTTP/1.1", "GET /\u{7F} HTTP/1.1",
    "G(T / HTTP/1.1", "GET /\r HTTP/1.1", "\r\n\r\nGET / HTTP/1.1", "GET / HTTP/1.1\r", "\rGET / HTTP/1.1",
    "GET / HTTP/1.1\nX: y", "GET\0 / HTTP/1.1",
  ])
  func `a bad start line is refused`(line: String) {
    #expect(status("\(line)\r\nHost: h\r\n\r\n") == 400)
  }

  @Test(arguments: [
    " X: folded", "\tfolded", "X : space before the colon", ": no name", "no colon", "X\u{1}: y", "X: a\0b", "X: a\rb",
    "X: a\nY: b", "X: \u{7F}", "X: a\u{8}", "Ä: y", "\rX: hidden", "X: a\r", "X(: y",
    // Where two readers could disagree about the end of the body.
    "Content-Length: 1\r\nContent-Length: 1", "Content-Length: 1\r\nContent-Length: 2", "Content-Length: 1, 1",
    "Content-Length: +1", "Content-Length: -1", "Content-Length: 0x1", "Content-Length: 1 1", "Content-Length:",
    "Content-Length: 1a", "Content-Length: \u{661}", "Content-Length: 99999999999999999999",
    "Content-Length: 1\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 1",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Host: second",
  ])
  func `a bad field is refused`(field: String) {
    #expect(status("POST / HTTP/1.1\r\nHost: h\r\n\(field)\r\n\r\nx") == 400)
    #expect(status("POST / HTTP/1.1\r\n\(field)\r\nHost: h\r\n\r\nx") == 400)
  }

  @Test(
    arguments: [
      ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
      ("GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505), ("PRI * HTTP/2.0\r\n\r\n", 505), ("GET / HTTP/0.9\r\n\r\n", 505),
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: identity\r\n\r\n", 501),
      ("POST / HTTP/1.1\r\nHost: h\r\nExpect: cake\r\n\r\n", 417), ("\n", 400), ("GET / HTTP/1.1\n", 400),
      ("GET / HTTP/1.0\r\n\r\n", nil), ("GET / HTTP/1.1\r\nHost: ü\r\nX:\t\u{A0}\r\n\r\n", nil), ("GET", nil),
      ("", nil),
    ] as [(String, Int?)])
  func `what is not understood has its status`(text: String, status expected: Int?) {
    #expect(status(text) == expected)
  }

  @Test func `a head is taken up to its limit`() {
    func head(_ size: Int) -> String {
      let start = "GET / HTTP/1.1\r\nHost: h\r\nX: "
      return start + String(repeating: "x", count: size - start.utf8.count - 4) + "\r\n\r\n"
    }
    #expect(status(head(HTTPLimits.head)) == nil)
    #expect(status(head(HTTPLimits.head + 1)) == 431)
    // Once the limit is reached without an end, there is nothing to wait for.
    #expect(status(String(decoding: head(HTTPLimits.head + 1).utf8.dropLast(2), as: UTF8.self)) == nil)
    #expect(status(String(decoding: head(HTTPLimits.head + 1).utf8.dropLast(1), as: UTF8.self)) == 431)
  }

  @Test func `a target is taken up to its limit`() {
    func text(_ size: Int) -> String {
      "GET /" + String(repeating: "x", count: size - 1) + " HTTP/1.1\r\nHost: h\r\n\r\n"
    }
    #expect(status(text(HTTPLimits.target)) == nil)
    #expect(status(text(HTTPLimits.target + 1)) == 414)
    #expect(status(text(HTTPLimits.head)) == 414)
    #expect(status(text(100_000)) == 414)
  }

  @Test func `fields are taken up to their number`() {
    func text(_ count: Int) -> String {
      "GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X: y\r\n", count: count - 1) + "\r\n"
    }
    #expect(status(text(HTTPLimits.fieldCount)) == nil)
    #expect(status(text(HTTPLimits.fieldCount + 1)) == 431)
  }

  @Test func `a body is taken up to its limit, counted or in chunks`() {
    func counted(_ length: Int) -> String { "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n" }
    let chunked = "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(status(counted(10), bodyLimit: 10) == nil)
    #expect(status(counted(11), bodyLimit: 10) == 413)
    #expect(status(counted(HTTPLimits.body)) == nil)
    #expect(status(counted(HTTPLimits.body + 1)) == 413)
    #expect(status(chunked + "6\r\n123456\r\n4\r\n7890\r\n0\r\n\r\n", bodyLimit: 10) == nil)
    #expect(status(chunked + "6\r\n123456\r\n5\r\n", bodyLimit: 10) == 413)
    #expect(status(chunked + "fffffffffffffff\r\n") == 413)
    #expect(status(chunked + "ffffffffffffffff\r\n") == 413)
  }

  @Test(arguments: ["\rX: y", "X: a\rb", "X y", ": y", "X : y", " X: y", "X: \u{1}"])
  func `a trailer that is no field line is refused`(line: String) {
    let start = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    #expect(status(start + "X: y\r\n\r\n") == nil)
    #expect(status(start + line + "\r\n\r\n") == 400)
  }

  @Test func `the lines of chunks and trailers are taken up to their limits`() {
    let start = "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    let extensions = "1;" + String(repeating: "x", count: HTTPLimits.chunkLine - 3)
    #expect(status(start + extensions + "\r\n") == nil)
    #expect(status(start + extensions + "x\r\n") == 400)
    #expect(status(start + extensions + "x") == nil)
    #expect(status(start + extensions + "xx") == 400)
    let trailer = String(repeating: "X: 12345\r\n", count: HTTPLimits.head / 10)
    #expect(status(start + "0\r\n" + trailer + "\r\n") == nil)
    #expect(status(start + "0\r\n" + trailer + "X: 12345\r\n\r\n") == 431)
  }

  private func status(_ text: String, bodyLimit: Int = HTTPLimits.body) -> Int? {
    var parser = HTTPRequestReader(bodyLimit: bodyLimit)
    return parser.receive([UInt8](text.utf8)).compactMap(\.refusal).first?.status
  }
}
