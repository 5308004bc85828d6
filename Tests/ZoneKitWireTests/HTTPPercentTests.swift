import Testing
import ZoneKitWire

@Suite struct HTTPPercentTests {
  @Test(
    arguments: [
      ("", ""), ("abc", "abc"), ("a+b", "a+b"), ("%41%2f%2F", "A//"), ("%C3%A9", "é"), ("é", "é"), ("%00", "\0"),
      ("%25", "%"), ("%", nil), ("%4", nil), ("%4g", nil), ("%%41", nil), ("a%", nil), ("%FF", nil), ("%C3", nil),
      ("%ED%A0%80", nil), ("%+1", nil), ("%\u{FF11}1", nil),
    ] as [(String, String?)])
  func `encoded text is decoded or refused`(encoded: String, text: String?) {
    #expect(HTTPPercent.decode(encoded) == text)
  }

  @Test func `only unreserved characters are left as they are`() {
    #expect(HTTPPercent.encode("aZ09-._~ /?#+%&=é\n") == "aZ09-._~%20%2F%3F%23%2B%25%26%3D%C3%A9%0A")
  }

  @Test func `every character comes back`() {
    let text = String(String.UnicodeScalarView((0..<0x800).compactMap(Unicode.Scalar.init)))
    #expect(HTTPPercent.decode(HTTPPercent.encode(text)) == text)
  }

  @Test(arguments: [
    ("", []), ("a=1", [HTTPField("a", "1")]), ("a", [HTTPField("a", "")]), ("a=", [HTTPField("a", "")]),
    ("=1", [HTTPField("", "1")]), ("a=1=2&&b=%26&", [HTTPField("a", "1=2"), HTTPField("b", "&")]),
    ("%61=+", [HTTPField("a", "+")]), ("t=a+b/c==", [HTTPField("t", "a+b/c==")]),
  ])
  func `a query is cut into items`(query: String, items: [HTTPField]) throws {
    #expect(try HTTPQuery(parsing: query).items == items)
  }

  @Test func `the first item of a name is found`() throws {
    let query = try HTTPQuery(parsing: "a=1&a=2&b")
    #expect(query["a"] == "1")
    #expect(query["b"] == "")
    #expect(query["A"] == nil)
  }

  @Test(arguments: ["a=%", "%=a", "a=1&b=%zz", "a=%FF"])
  func `a badly encoded query is refused`(query: String) {
    let error = #expect(throws: HTTPError.self) { try HTTPQuery(parsing: query) }
    #expect(error?.status == 400)
  }

  @Test(
    arguments: [
      ("/", [""]), ("/a", ["a"]), ("/a/", ["a", ""]), ("/a//b", ["a", "", "b"]), ("/%2F/%2e%2e", ["/", ".."]),
      ("/%zz", nil),
    ] as [(String, [String]?)])
  func `a path is cut before it is decoded`(path: String, segments: [String]?) throws {
    var parser = HTTPRequestReader()
    let request = try #require(parser.receive([UInt8]("GET \(path) HTTP/1.0\r\n\r\n".utf8)).first?.request)
    if let segments {
      #expect(try request.pathSegments() == segments)
    } else {
      #expect(throws: HTTPError.self) { try request.pathSegments() }
    }
  }
}
