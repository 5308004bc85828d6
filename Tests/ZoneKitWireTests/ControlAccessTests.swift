import Testing
import ZoneKitRecords

@testable import ZoneKitWire

/// Which requests the control interface accepts.
struct ControlAccessTests {
  private func refusal(
    _ method: String, _ fields: [(String, String)], of access: ControlAccess = ControlAccess()
  ) throws -> CloudErrorCode? {
    var reader = HTTPRequestReader()
    let lines = fields.map { "\($0): \($1)\r\n" }.joined()
    var request: HTTPRequest?
    for event in reader.receive(Array("\(method) /zonekit/status HTTP/1.0\r\n\(lines)\r\n".utf8)) {
      if case .request(let received) = event { request = received }
    }
    let received = try #require(request)
    let error = access.refusal(of: received) ?? (method == "GET" ? nil : access.refusal(ofBodyOf: received))
    return error?.code
  }

  private let json = ("Content-Type", "application/json")

  @Test(arguments: [
    "localhost", "localhost:7440", "LocalHost", "127.0.0.1", "127.0.0.1:7440", "192.168.0.7:1", "[::1]", "[::1]:7440",
    "[fe80::1]",
  ])
  func `a host that is an address or localhost is accepted`(host: String) throws {
    #expect(try refusal("POST", [("Host", host), json]) == nil)
    #expect(try refusal("GET", [("Host", host), ("Origin", "http://\(host)")]) == nil)
  }

  @Test(arguments: [
    "evil.example", "evil.example:7440", "127.0.0.1.evil.example", "localhost.evil.example", "x", "1.2.3", "1.2.3.256",
    "1.2.3.4:x", "[::1", "[evil]", "[::1]x", "0x7f.1", "",
  ])
  func `a host name is refused, because its owner can point it at this machine`(host: String) throws {
    #expect(try refusal("GET", [("Host", host)]) == .permissionFailure)
    #expect(try refusal("GET", [("Host", host)], of: ControlAccess(isSocket: true)) == nil)
  }

  @Test(arguments: [
    "null", "http://evil.example", "http://127.0.0.1:7441", "https://127.0.0.1:7440", "http://localhost:7440", "",
  ])
  func `a page of another origin is refused`(origin: String) throws {
    #expect(try refusal("GET", [("Host", "127.0.0.1:7440"), ("Origin", origin)]) == .permissionFailure)
  }

  @Test func `a request for which a browser names another site is refused, also without an origin`() throws {
    for (site, code) in [
      ("same-origin", nil), ("none", nil), ("cross-site", CloudErrorCode.permissionFailure),
      ("same-site", .permissionFailure),
    ] {
      #expect(try refusal("GET", [("Host", "localhost"), ("Sec-Fetch-Site", site)]) == code)
    }
  }

  @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "application/jsonp"])
  func `a body that a page could send without asking is refused`(type: String) throws {
    for method in ["POST", "PUT"] {
      #expect(try refusal(method, [("Host", "localhost"), ("Content-Type", type)]) == .invalidArguments)
    }
    #expect(try refusal("POST", [("Host", "localhost"), ("Content-Type", "Application/JSON; charset=utf-8")]) == nil)
    #expect(try refusal("POST", [("Host", "localhost")]) == nil)
  }

  @Test func `a server with a key accepts no request without it`() throws {
    let access = ControlAccess(key: "k1")
    #expect(try refusal("GET", [("Host", "localhost")], of: access) == .permissionFailure)
    #expect(
      try refusal("GET", [("Host", "localhost"), ("Authorization", "Bearer k2")], of: access) == .permissionFailure)
    let field = ControlAccess.field(key: "k1")
    #expect(try refusal("GET", [("Host", "localhost"), (field.name, field.value)], of: access) == nil)
  }
}
