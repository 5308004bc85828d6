import Testing
import ZoneKitRecords

@testable import ZoneKitWire

@Suite struct `who sends a request` {
  private static let cryptography = Cryptography(
    hash: { Array("#".utf8) + $0 }, code: { $1 + $0.suffix(8) }, areEqual: { $0 == $1 },
    isSigned: { message, signature, key in signature == key + message })
  private static let now = WallTime(milliseconds: 1_800_000_000_000)
  private static let secret = [UInt8](repeating: 7, count: 32)
  private static let apiToken = String(repeating: "a", count: 64)

  private static func authentication(_ mode: Authentication.Mode) -> Authentication {
    var authentication = Authentication(mode: mode, cryptography)
    authentication.registry = CredentialRegistry(secret: secret)
    let hash = Hexadecimal.text(cryptography.hash(Array(apiToken.utf8)))
    authentication.registry.tokens = [
      CredentialRegistry.APIToken(
        name: "web", hash: hash, reach: CredentialRegistry.Reach(container: "c", environment: .development))
    ]
    authentication.registry.users = [CredentialRegistry.User(account: "ann")]
    authentication.registry.keys = [
      CredentialRegistry.ServerKey(
        name: "importer", keyID: "k1", publicKey: [1, 2], reach: CredentialRegistry.Reach(container: "c"))
    ]
    return authentication
  }

  private static func webToken(
    _ account: Name = "ann", reach: CredentialRegistry.Reach = CredentialRegistry.Reach(container: "c"),
    age: Int64 = 0, life: Int64 = WebToken.life
  ) -> String {
    WebToken(account: account, reach: reach, issuedAt: now.advanced(byMilliseconds: -age), life: life)
      .text(secret: secret, cryptography)
  }

  private func identity(
    _ mode: Authentication.Mode, _ credentials: WebCredentials, _ purpose: WebCredentials.Purpose = .other,
    in container: Name = "c", _ environment: Environment = .development, _ scope: DatabaseScope = .private,
    opensPrivateToKeys: Bool = false
  ) -> Result<Identity, CloudError> {
    var authentication = Self.authentication(mode)
    authentication.opensPrivateToKeys = opensPrivateToKeys
    return authentication.identity(credentials, for: purpose, in: container, environment, scope, at: Self.now)
  }

  private func user(_ result: Result<Identity, CloudError>) -> Name? {
    if case .success(let identity) = result { identity.caller.user } else { nil }
  }

  private func code(_ result: Result<Identity, CloudError>) -> CloudErrorCode? {
    if case .failure(let error) = result { error.code } else { nil }
  }

  private static func signed(
    at date: String = WallTime(milliseconds: 1_800_000_000_000).iso8601Seconds, body: String = "{}",
    keyID: String = "k1", key: [UInt8] = [1, 2], path: String = "/p"
  ) -> RequestSignature? {
    let fields = [(RequestSignature.keyField, keyID), (RequestSignature.dateField, date)]
    guard
      var signature = request(fields + [(RequestSignature.signatureField, "")], body, path).flatMap(
        RequestSignature.init)
    else { return nil }
    signature.signature = Base64.encode(key + signature.messages(hashing: cryptography.hash)[0])
    return signature
  }

  private static func request(_ fields: [(String, String)], _ body: String = "", _ path: String = "/p") -> HTTPRequest?
  {
    let lines = fields.map { "\($0): \($1)\r\n" }.joined()
    let text = "POST \(path) HTTP/1.1\r\nHost: h\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    var parser = HTTPRequestReader()
    guard case .request(let request) = parser.receive(Array(text.utf8)).first else { return nil }
    return request
  }

  // MARK: Tokens (CloudKit Web Services, e.1)

  @Test(arguments: Authentication.Mode.allCases)
  func `without credentials is refused, and with an API token alone reads public records`(mode: Authentication.Mode) {
    for purpose in [WebCredentials.Purpose.publicReading, .users, .other] {
      #expect(code(identity(mode, WebCredentials(), purpose)) == .authenticationFailed)
    }
    let app = WebCredentials(apiToken: Self.apiToken)
    #expect(user(identity(mode, app, .publicReading)) == DatabaseID.publicUser)
    #expect(code(identity(mode, app, .users)) == .notAuthenticated)
    #expect(code(identity(mode, app, .other)) == .notAuthenticated)
    let both = WebCredentials(apiToken: Self.apiToken, webAuthToken: Self.webToken(), deviceID: "d")
    guard case .success(let identity) = identity(mode, both) else {
      Issue.record("refused")
      return
    }
    #expect(identity.caller == Caller(user: "ann", deviceID: "d") && identity.webAuthToken == both.webAuthToken)
  }

  @Test func `an open server takes any token, and each for the same user at all times`() {
    let users = ["user:nanny", "abc+/=def", "abc+/=def", "abc+/=deg"].map {
      user(identity(.open, WebCredentials(webAuthToken: $0)))
    }
    #expect(users[0] == "nanny" && users[1] == users[2] && users[1] != users[3])
    #expect(users[1] == Name("token:\(Hexadecimal.text(FNV1a.hash("abc+/=def")))"))
    for token in ["", "user:", "user:_public"] {
      #expect(code(identity(.open, WebCredentials(apiToken: "t", webAuthToken: token))) == .authenticationFailed)
    }
  }

  @Test func `a strict server takes registered tokens of the container and environment alone`() {
    let web = Self.webToken()
    for token in ["t", String(repeating: "0", count: 64)] {
      #expect(code(identity(.strict, WebCredentials(apiToken: token, webAuthToken: web))) == .authenticationFailed)
    }
    let known = WebCredentials(apiToken: Self.apiToken, webAuthToken: web)
    #expect(code(identity(.strict, known, in: "other")) == .authenticationFailed)
    #expect(code(identity(.strict, known, in: "c", .production)) == .authenticationFailed)
    for foreign in ["user:ann", "opaque-token", web + "x", Self.webToken("removed")] {
      let shown = WebCredentials(apiToken: Self.apiToken, webAuthToken: foreign)
      #expect(code(identity(.strict, shown)) == .authenticationFailed)
    }
    for elsewhere in [CredentialRegistry.Reach(container: "d"), CredentialRegistry.Reach(environment: .production)] {
      let shown = WebCredentials(apiToken: Self.apiToken, webAuthToken: Self.webToken(reach: elsewhere))
      #expect(code(identity(.strict, shown)) == .authenticationFailed)
    }
  }

  @Test func `a token ends with its life, and an older one is answered by a new one and stays valid`() throws {
    func identity(age: Int64) -> Result<Identity, CloudError> {
      self.identity(.strict, WebCredentials(apiToken: Self.apiToken, webAuthToken: Self.webToken(age: age)))
    }
    #expect(code(identity(age: WebToken.life)) == .notAuthenticated)
    let old = try identity(age: WebToken.life - 1).get()
    #expect(old.webAuthToken == Self.webToken())
    #expect(try identity(age: 59_999).get().webAuthToken == Self.webToken(age: 59_999))
  }

  @Test func `a token that no header can carry is not repeated`() throws {
    let identity = try identity(.open, WebCredentials(webAuthToken: "user:é\r\nX: y")).get()
    #expect(identity.webAuthToken == nil)
  }

  // MARK: Keys of servers (CloudKit Web Services, e.3)

  @Test(arguments: Authentication.Mode.allCases)
  func `a key signs requests to the public database, as a user of its own`(mode: Authentication.Mode) throws {
    let shown = WebCredentials(signature: Self.signed())
    #expect(user(identity(mode, shown, .publicReading, in: "c", .production, .public)) == "_key:k1")
    #expect(user(identity(mode, shown, in: "c", .production, .public)) == "_key:k1")
    #expect(code(identity(mode, shown, .users, in: "c", .production, .public)) == .authenticationFailed)
    for scope in [DatabaseScope.private, .shared] {
      #expect(code(identity(mode, shown, in: "c", .production, scope)) == .permissionFailure)
      #expect(user(identity(mode, shown, in: "c", .production, scope, opensPrivateToKeys: true)) == "_key:k1")
    }
    #expect(code(identity(mode, shown, in: "other", .production, .public)) == .authenticationFailed)
  }

  @Test(arguments: Authentication.Mode.allCases)
  func `a signature fits one date, one body and one path, within the tolerance of the clock`(
    mode: Authentication.Mode
  ) throws {
    let right = try #require(Self.signed())
    var wrong = [right, right, right, right]
    wrong[0].body.append(0x20)
    wrong[1].path += "x"
    wrong[2].date = Self.now.advanced(byMilliseconds: 1_000).iso8601Seconds
    wrong[3].signature = "?"
    let other = try #require(Self.signed(key: [9]))
    let (late, early) = (Self.now.advanced(byMilliseconds: 601_000), Self.now.advanced(byMilliseconds: -601_000))
    let unreadable = try #require(Self.signed(at: "yesterday"))
    let off = [try #require(Self.signed(at: late.iso8601Seconds)), try #require(Self.signed(at: early.iso8601Seconds))]
    for signature in wrong + [other, unreadable] + off {
      let result = identity(mode, WebCredentials(signature: signature), in: "c", .development, .public)
      #expect(code(result) == .authenticationFailed)
    }
    let edge = try #require(Self.signed(at: Self.now.advanced(byMilliseconds: -600_000).iso8601Seconds))
    #expect(user(identity(mode, WebCredentials(signature: edge), in: "c", .development, .public)) == "_key:k1")
  }

  @Test func `an unknown key is trusted by an open server and refused by a strict one`() throws {
    let shown = WebCredentials(signature: Self.signed(keyID: "k2", key: [5]))
    #expect(user(identity(.open, shown, in: "c", .development, .public)) == "_key:k2")
    #expect(code(identity(.strict, shown, in: "c", .development, .public)) == .authenticationFailed)
  }

  @Test func `a strict server refuses both schemes in one request`() throws {
    var shown = WebCredentials(apiToken: Self.apiToken, signature: Self.signed())
    #expect(code(identity(.strict, shown, in: "c", .development, .public)) == .authenticationFailed)
    #expect(user(identity(.open, shown, in: "c", .development, .public)) == "_key:k1")
    (shown.apiToken, shown.webAuthToken) = (nil, Self.webToken())
    #expect(code(identity(.strict, shown, in: "c", .development, .public)) == .authenticationFailed)
  }

  @Test func `a header field of a signature that is missing is named`() throws {
    let names = [RequestSignature.keyField, RequestSignature.dateField, RequestSignature.signatureField]
    for missing in names {
      let fields = names.filter { $0 != missing }.map { ($0, "x") }
      let request = try #require(Self.request(fields))
      let shown = WebCredentials(signature: RequestSignature(request))
      guard case .failure(let error) = identity(.open, shown, in: "c", .development, .public) else {
        Issue.record("accepted without \(missing)")
        continue
      }
      #expect(error.code == .authenticationFailed && error.reason == "the header \(missing) is missing")
    }
    let plain = try #require(Self.request([]))
    #expect(RequestSignature(plain) == nil)
  }

  @Test func `a request without a body is signed with the hash of nothing or with nothing`() throws {
    let fields = [RequestSignature.keyField, RequestSignature.dateField, RequestSignature.signatureField].map {
      ($0, "x")
    }
    let empty = try #require(Self.request(fields).flatMap(RequestSignature.init))
    let texts = empty.messages(hashing: Self.cryptography.hash).map { String(decoding: $0, as: UTF8.self) }
    #expect(texts == ["x:\(Base64.encode(Array("#".utf8))):/p", "x::/p"])
    let full = try #require(Self.request(fields, "{}").flatMap(RequestSignature.init))
    #expect(full.messages(hashing: Self.cryptography.hash).count == 1)
  }

  // MARK: The registry and the sign-in

  @Test func `a registry comes back from its document, and a broken one says where`() throws {
    var registry = Self.authentication(.strict).registry
    registry.users[0].emailAddress = "ann@example.com"
    registry.users[0].password = ("h", "s")
    registry.tokens[0].callback = "https://a.example/x"
    #expect(try CredentialRegistry(registry.json) == registry)
    let broken: JSON = [
      "secret": .string(Base64.encode(Self.secret)), "tokens": [["name": "a"]], "keys": [], "users": [],
    ]
    #expect(throws: MemberError("tokens[0].hash", "must be a string, not empty")) { try CredentialRegistry(broken) }
  }

  @Test func `a ticket comes back from its URL, and other texts are none`() {
    let ticket = SignInTicket(container: "c&é", environment: .production, apiToken: "t+/=")
    #expect(SignInTicket(ticket.text) == ticket)
    #expect(ticket.url(root: "http://h") == "http://h/signin?ticket=" + ticket.text)
    for text in ["", "abc", Base64.encodeForURL(Array("{}".utf8)), String(repeating: "A", count: 5_000)] {
      #expect(SignInTicket(text) == nil)
    }
  }

  @Test func `the page shows what it is given as text, and its form goes where it may`() {
    let ticket = SignInTicket(container: "<b>'\"&", environment: .development, apiToken: nil)
    let reply = SignInPage.form(
      ticket, name: "\"><script>", asksPassword: true, callback: "https://app.example/x?y", nonce: "n")
    let text = String(decoding: reply.body, as: UTF8.self)
    #expect(text.contains("&lt;b&gt;&#39;&quot;&amp;") && text.contains("value=\"&quot;&gt;&lt;script&gt;\""))
    #expect(!text.contains("<script") && text.contains("type=\"password\""))
    let policy = reply.fields.first { $0.name == "Content-Security-Policy" }?.value ?? ""
    #expect(policy.contains("form-action 'self' https://app.example;") && policy.contains("frame-ancestors 'none'"))
  }

  @Test func `the message of a sign-in cannot end its script`() {
    let reply = SignInPage.signedIn(token: "</script>", targetOrigin: "https://a.example", nonce: "n")
    let text = String(decoding: reply.body, as: UTF8.self)
    #expect(text.contains(#"{"ckWebAuthToken":"\u003C/script>""#) && text.contains(#""https://a.example""#))
    #expect(text.components(after: "</script>") == 1)
  }

  @Test(arguments: [
    ("https://a.example/cb", "https://a.example/cb?ckWebAuthToken=a%2Bb"),
    ("https://a.example/cb?x=1", "https://a.example/cb?x=1&ckWebAuthToken=a%2Bb"),
  ])
  func `a sign-in redirects to the callback with the token`(callback: String, location: String) {
    let reply = SignInPage.redirect(to: callback, token: "a+b")
    #expect(reply.status == 303 && reply.fields.first == HTTPField("Location", location))
  }

  @Test(
    arguments: [
      ("https://a.example/x", "https://a.example"), ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
      ("http://[::1]:8/x", "http://[::1]:8"), ("javascript:alert(1)", nil), ("https://", nil), ("https://a b/", nil),
      ("https://a.example/\r\nX: y", nil), ("https://a.example;x/", nil),
    ] as [(String, String?)])
  func `an origin is the scheme and host of a URL of the web`(url: String, origin: String?) {
    #expect(SignInPage.origin(of: url) == origin)
  }

  @Test func `tries of one name are limited, and forgotten after a while`() {
    var tries = SignInTries()
    let start = MonotonicTime(milliseconds: 1_000_000)
    let later = MonotonicTime(milliseconds: start.milliseconds + SignInTries.window)
    let first = (0..<SignInTries.limit).map { _ in tries.admit("ann", at: start) }
    let more = [tries.admit("ann", at: start), tries.admit("ben", at: start), tries.admit("ann", at: later)]
    #expect(first.allSatisfy { $0 } && more == [false, true, true])
  }
}

extension String {
  /// How often another text is in this one.
  fileprivate func components(after text: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: text) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
