import Testing
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitWire

@Suite struct `an answer about accounts` {
  private let account = Account(
    id: UUID(high: 1, low: 2), email: "mara@example.test", metadata: [JSON.Member("name", "Mara")],
    createdAt: WallTime(milliseconds: 1_800_000_000_123), updatedAt: WallTime(milliseconds: 1_800_000_000_124))

  private func writer(_ dialect: AuthDialect = .dated) -> AuthReplyWriter {
    AuthReplyWriter(dialect, root: "http://h", tokenLife: 3600) { _ in [1, 2, 3] }
  }

  private let user = #"""
    {"id":"00000000-0000-0001-0000-000000000002","aud":"authenticated","role":"authenticated","email":"mara@example.test","phone":"","email_confirmed_at":"2027-01-15T08:00:00.123Z","confirmed_at":"2027-01-15T08:00:00.123Z","last_sign_in_at":null,"app_metadata":{"provider":"email","providers":["email"]},"user_metadata":{"name":"Mara"},"identities":[],"is_anonymous":false,"created_at":"2027-01-15T08:00:00.123Z","updated_at":"2027-01-15T08:00:00.124Z"}
    """#

  private func text(_ reply: HTTPReply) -> String { String(decoding: reply.body, as: UTF8.self) }

  @Test func `has all members of a user`() {
    let reply = writer().reply(.account(account))
    #expect(text(reply) == user && reply.status == 200 && reply.contentType == "application/json")
    #expect(reply.fields == [HTTPField("X-Supabase-Api-Version", "2024-01-01")])
    #expect(writer(.original).reply(.account(account)).fields == [])
    let list = writer(.original).reply(.accounts([account], total: 7))
    #expect(text(list) == #"{"users":["# + user + #"],"aud":"authenticated"}"#)
    #expect(list.fields == [HTTPField("X-Total-Count", "7")])
  }

  @Test func `has all members of a session, with a token that says when it ends`() throws {
    let grant = SessionGrant(
      account: account, session: UUID(high: 3, low: 4), refreshToken: "r",
      issuedAt: WallTime(milliseconds: 1_800_000_000_999))
    let session = try JSON(parsing: writer().reply(.session(grant)).body)
    #expect(
      session.object?.map(\.key)
        == ["access_token", "token_type", "expires_in", "expires_at", "refresh_token", "user"])
    #expect(session["token_type"] == "bearer" && session["expires_in"] == 3600 && session["refresh_token"] == "r")
    #expect(session["expires_at"] == 1_800_003_600)
    let token = try JSONWebToken(parsing: #require(session["access_token"]?.string))
    let claims = try token.claims()
    #expect(claims.account == account.id && claims.session == grant.session && claims.expiresAt == 1_800_003_600)
    #expect(token.signature == [1, 2, 3])
  }

  @Test func `to a sign-out is empty`() {
    let reply = writer().reply(.signedOut)
    #expect(reply.status == 204 && reply.body == [])
  }

  @Test func `that is an error has the form that the client asked for`() {
    let weak = writer().failure(.passwordLength)
    #expect(
      text(weak)
        == #"{"code":"weak_password","message":"Password should be 6 to 72 characters.","#
        + #""weak_password":{"reasons":["length"]}}"#)
    #expect(weak.status == 422 && weak.fields == [HTTPField("X-Supabase-Api-Version", "2024-01-01")])
    let old = writer(.original).failure(.wrongCredentials)
    #expect(text(old) == #"{"code":400,"error_code":"invalid_credentials","msg":"Invalid login credentials"}"#)
    #expect(old.fields == [])
    let late = writer(.original).failure(AccountError(.overRequestRateLimit, "m", retryAfter: 7))
    #expect(late.status == 429 && late.fields == [HTTPField("Retry-After", "7")])
    #expect(writer().failure(.unavailable(StoreError(.full, "f", place: "p"))).status == 503)
  }

  @Test(arguments: [
    ("2024-01-01", AuthDialect.dated), ("2025-11-30", .dated), ("2023-12-31", .original), ("", .original),
    ("latest", .original), ("2024-1-1", .original), ("9999999999", .original), ("2024-01-01x", .original),
  ])
  func `has the form of the version that the request names`(text: String, dialect: AuthDialect) throws {
    let request = try #require(
      `a request to accounts`.request("GET", "/auth/v1/user", "", "x-supabase-api-version: \(text)\r\n"))
    #expect(AuthDialect(of: request) == dialect)
  }

  @Test func `that refuses a key names the key, and one that refuses a token has the form of its part`() {
    let none = AccessProblem.noKey.reply
    #expect(none.status == 401)
    #expect((try? JSON(parsing: none.body))?["message"] == "No API key found in request")
    #expect((try? JSON(parsing: AccessProblem.wrongKey.reply.body))?["message"] == "Invalid API key")
    let expired = HTTPReply(RowError(.expiredToken, "JWT expired"))
    #expect(text(expired) == #"{"code":"PGRST303","message":"JWT expired","details":null,"hint":null}"#)
    #expect(
      expired.fields.contains(
        HTTPField("WWW-Authenticate", #"Bearer error="invalid_token", error_description="JWT expired""#)))
    let forged = HTTPReply(RowError(.invalidToken, TokenProblem.signature.text))
    #expect(text(forged).hasPrefix(#"{"code":"PGRST301","message":"token signature is invalid""#))
    #expect(forged.fields.contains { $0.name == "WWW-Authenticate" })
    #expect(ObjectReplyWriter.failure(.invalidToken).status == 400)
  }
}

@Suite struct `the credentials of a request` {
  private func credentials(_ fields: String, query: String = "") throws -> SupabaseCredentials {
    SupabaseCredentials(try #require(`a request to accounts`.request("GET", "/rest/v1/x" + query, "", fields)))
  }

  @Test func `are a key, a token that is not the key, and a device`() throws {
    let all = try credentials("ApiKey: k\r\nAuthorization: Bearer t\r\nX-Client-Info: zonekit/0.2 device=A\r\n")
    #expect(all.key == "k" && all.bearer == "t" && all.deviceID == "A")
    #expect(try credentials("apikey: k\r\nAuthorization: bearer  k\r\n").bearer == nil)
    #expect(try credentials("apikey: k\r\nAuthorization: Basic t\r\n").bearer == nil)
    #expect(try credentials("apikey: k\r\nAuthorization: Bearer \r\n").bearer == nil)
    #expect(try credentials("X-Client-Info: supabase-py/2.34.1\r\n") == credentials(""))
    #expect(try credentials("apikey: \r\n", query: "?apikey=q%2B").key == "q+")
    #expect(try credentials("", query: "?apikey=").key == nil)
    #expect(try credentials("X-Client-Info: device=\r\n").deviceID == nil)
  }
}

@Suite struct `web pages of other origins` {
  private func fields(_ rule: CrossOriginRule, _ method: String, _ fields: String) throws -> [HTTPField] {
    rule.fields(for: try #require(`a request to accounts`.request(method, "/x", "", fields)))
  }

  @Test func `may use a Supabase-style service with any header fields`() throws {
    let rule = CrossOriginRule.supabase
    let asked = try #require(
      `a request to accounts`.request("OPTIONS", "/x", "", "Access-Control-Request-Headers: x-a, x-b\r\n"))
    let preflight = rule.preflight(asked)
    #expect(preflight.status == 204)
    #expect(preflight.fields.contains(HTTPField("Access-Control-Allow-Headers", "x-a, x-b")))
    #expect(preflight.fields.contains(HTTPField("Access-Control-Max-Age", "86400")))
    #expect(try fields(rule, "OPTIONS", "") == [HTTPField("Access-Control-Allow-Origin", "*")])
    let answer = try fields(rule, "GET", "")
    #expect(answer.map(\.name) == ["Access-Control-Allow-Origin", "Access-Control-Expose-Headers"])
    #expect(answer.last?.value.contains("ETag, X-Supabase-Api-Version, ZoneKit-Feed, ZoneKit-Verdicts") == true)
  }

  @Test func `may use CloudKit Web Services if they name themselves`() throws {
    #expect(try fields(.cloudKit, "GET", "") == [])
    let named = try fields(.cloudKit, "GET", "Origin: http://a\r\n")
    #expect(named == [HTTPField("Access-Control-Allow-Origin", "http://a")])
  }
}
