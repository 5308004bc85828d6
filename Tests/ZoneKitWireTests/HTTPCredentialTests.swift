import Testing
import ZoneKitWire

/// Requests that say twice who sends them, and errors that repeat what a request said.
@Suite struct HTTPCredentialTests {
  private func request(_ target: String, _ lines: String...) throws -> HTTPRequest {
    var parser = HTTPRequestParser()
    var (position, body) = (0, [UInt8]())
    let text = "GET \(target) HTTP/1.1\r\nHost: h\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
    guard case .head(let request)? = parser.next(Array(text.utf8).span, at: &position, into: &body) else {
      throw HTTPError(status: 400, reason: text)
    }
    return request
  }

  @Test func `a credential that comes twice is found, in any case and also with the same value`() throws {
    #expect(try request("/", "Authorization: a", "authorization: b").repeatedCredential == "Authorization")
    #expect(try request("/", "apikey: a", "X: y", "ApiKey: a").repeatedCredential == "apikey")
    #expect(try request("/", "Api-Key: a", "Api-Key: a").repeatedCredential == "Api-Key")
    for name in ["apikey", "ckAPIToken", "ckWebAuthToken", "ckSession"] {
      #expect(try request("/?\(name)=a&x&\(name)=b").repeatedCredential == name)
    }
    #expect(try request("/?apikey=a&%61pikey=b").repeatedCredential == "apikey")
  }

  @Test func `a request that says once who sends it passes`() throws {
    #expect(try request("/", "Authorization: a", "apikey: b", "Cookie: a", "Cookie: b").repeatedCredential == nil)
    #expect(
      try request("/?apikey=a&ckAPIToken=b&ckWebAuthToken=c&id=eq.1&id=eq.2", "apikey: a").repeatedCredential == nil)
  }

  @Test func `the text of an error is cut at a character beyond its limit`() {
    let whole = String(repeating: "x", count: 1_000)
    #expect(whole.errorText == whole)
    #expect((whole + "x").errorText == String(repeating: "x", count: 900) + "… (1001 bytes)")
    let wide = "x" + String(repeating: "ü", count: 600)
    #expect(wide.errorText == "x" + String(repeating: "ü", count: 449) + "… (1201 bytes)")
    #expect(String(repeating: "😀", count: 1 << 18).errorText.utf8.count < 1_000)
  }
}
