import Testing
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitWire

@Suite struct `a request to accounts` {
  static func request(_ method: String, _ target: String, _ body: String = "", _ fields: String = "") -> HTTPRequest? {
    var reader = HTTPRequestReader()
    let text = "\(method) \(target) HTTP/1.1\r\nHost: h\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    for event in reader.receive(Array(text.utf8)) {
      if case .request(let request) = event { return request }
    }
    return nil
  }

  private func call(_ method: String, _ path: String, _ body: String = "") throws -> AuthCall {
    try AuthCall(#require(Self.request(method, "/auth/v1/" + path, body)))
  }

  private func code(_ method: String, _ path: String, _ body: String = "") throws -> AccountError.Code? {
    do {
      _ = try call(method, path, body)
      return nil
    } catch let error as AccountError {
      return error.code
    }
  }

  @Test func `is read with what it has, and nothing else`() throws {
    let id = UUID(high: 1, low: 2)
    #expect(
      try call("POST", "token?grant_type=password", #"{"email":"a@b","password":"p","gotrue_meta_security":{}}"#)
        == .account(.signIn(email: "a@b", password: "p")))
    #expect(
      try call("POST", "token?grant_type=password", #"{"phone":"+41","password":null}"#)
        == .account(.signIn(email: "+41", password: "")))
    #expect(
      try call("POST", "token?x=1&grant_type=refresh_token", #"{"refresh_token":"r"}"#)
        == .account(.refresh(token: "r")))
    #expect(
      try call("POST", "signup", #"{"email":"a@b","password":"p","data":{"x":1},"code_challenge":"c"}"#)
        == .account(.signUp(email: "a@b", password: "p", metadata: [JSON.Member("x", 1)])))
    #expect(try call("GET", "user", "{}") == .account(.read))
    #expect(
      try call("PUT", "user", #"{"data":{"x":null},"password":"p","email":"e"}"#)
        == .account(.update(AccountEdit(email: "e", password: "p", metadata: [JSON.Member("x", .null)]))))
    #expect(try call("POST", "logout") == .account(.signOut(.global)))
    #expect(try call("POST", "logout?scope=others", "{}") == .account(.signOut(.others)))
    #expect(try call("GET", "admin/users?page=2&per_page=7") == .account(.list(page: 2, size: 7)))
    #expect(try call("GET", "admin/users?page=&per_page=x") == .account(.list(page: 1, size: 50)))
    #expect(
      try call("POST", "admin/users", #"{"email":"e","user_metadata":{"x":1},"email_confirm":true}"#)
        == .account(.create(AccountEdit(email: "e", metadata: [JSON.Member("x", 1)]))))
    #expect(try call("GET", "admin/users/\(id.text.uppercased())") == .account(.find(id)))
    #expect(try call("PUT", "admin/users/\(id.text)", "{}") == .account(.change(id, AccountEdit())))
    #expect(try call("DELETE", "admin/users/\(id.text)", "{}") == .account(.remove(id)))
    #expect(try call("HEAD", "health") == .health)
    #expect(try call("GET", "settings") == .settings)
    #expect(try call("GET", ".well-known/jwks.json") == .keySet)
  }

  @Test(
    arguments: [
      ("POST", "otp", "{}", .notFound), ("GET", "token?grant_type=password", "{}", .notFound),
      ("POST", "user", "{}", .notFound), ("GET", "", "", .notFound), ("GET", "user/", "", .notFound),
      ("GET", "admin/users/1/factors", "", .notFound), ("GET", "admin/users/1", "", .validationFailed),
      ("POST", "token", "{}", .validationFailed), ("POST", "token?grant_type=pkce", "{}", .validationFailed),
      ("POST", "token?grant_type=%ff", "{}", .validationFailed),
      ("POST", "token?grant_type=password", "", .badJSON), ("POST", "token?grant_type=password", "[]", .badJSON),
      ("POST", "token?grant_type=password", "{}", .validationFailed),
      ("POST", "token?grant_type=password", #"{"email":1}"#, .validationFailed),
      ("POST", "token?grant_type=refresh_token", "{}", .validationFailed),
      ("POST", "signup", "{}", .anonymousProviderDisabled),
      ("POST", "signup", #"{"data":{}}"#, .anonymousProviderDisabled),
      ("POST", "signup", #"{"phone":"+41","password":"p"}"#, .validationFailed),
      ("POST", "signup", #"{"email":"a@b"}"#, .validationFailed),
      ("POST", "signup", #"{"email":"a@b","password":"p","data":[]}"#, .validationFailed),
      ("POST", "logout?scope=all", "", .validationFailed),
    ] as [(String, String, String, AccountError.Code)])
  func `that cannot be is refused`(method: String, path: String, body: String, code: AccountError.Code) throws {
    #expect(try self.code(method, path, body) == code)
  }

  @Test func `to another version is refused with its path`() throws {
    let request = try #require(Self.request("GET", "/auth/v2/user"))
    let error = #expect(throws: AccountError.self) { try AuthCall(request) }
    #expect(error?.message == "/auth/v2/user is not served by this version")
  }

  @Test(arguments: 0..<10)
  func `of any bytes is read or refused`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let words = [
      "{", "}", "\"email\"", ":", "\"a@b\"", ",", "\"password\"", "null", "[", "]", "1e9", "\"data\"", "\\", "\"",
      "\u{0}", "é", "{}", "\"refresh_token\"",
    ]
    let paths = [
      "token?grant_type=password", "token?grant_type=refresh_token", "signup", "user", "logout?scope=%", "admin/users",
      "admin/users?page=99999999999999999999", "admin/users/%00", "%/", "admin/users/{0}",
    ]
    for _ in 0..<500 {
      let length = Int.random(in: 0...20, using: &generator)
      let body = (0..<length).compactMap { _ in words.randomElement(using: &generator) }.joined()
      let method = ["GET", "POST", "PUT", "DELETE", "X"].randomElement(using: &generator) ?? ""
      let path = paths.randomElement(using: &generator) ?? ""
      _ = try code(method, path, body)
    }
  }
}
