import Testing
import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

@Suite struct `a web token` {
  static let now = WallTime(milliseconds: 1_800_000_000_500)
  static let account = UUID(high: 1, low: 2)

  static var claims: AccountClaims {
    AccountClaims(
      role: .authenticated, account: account, session: UUID(high: 3, low: 4), email: "mara@example.test",
      issuedAt: 1_800_000_000, expiresAt: 1_800_003_600)
  }

  /// A signature that a test can compute.
  static func sign(_ bytes: [UInt8]) -> [UInt8] { [bytes.reduce(0, &+)] }

  static func token(_ payload: String, header: String = #"{"alg":"HS256","typ":"JWT"}"#) -> String {
    let signed = [header, payload].map { Base64.encodeForURL(Array($0.utf8)) }.joined(separator: ".")
    return signed + "." + Base64.encodeForURL(sign(Array(signed.utf8)))
  }

  static func problem(_ text: String) -> TokenProblem? {
    do throws(TokenProblem) {
      return try JSONWebToken(parsing: text).claims().problem(at: now)
    } catch {
      return error
    }
  }

  @Test func `is read as it was written`() throws {
    let text = JSONWebToken.text(of: Self.claims, issuer: "http://h/auth/v1", signedBy: Self.sign)
    let token = try JSONWebToken(parsing: text)
    #expect(try token.claims() == Self.claims)
    #expect(token.signature == Self.sign(token.signedBytes))
    let payload = try #require(Base64.decodeFromURL(text.split(separator: ".")[1]))
    let shown = String(decoding: payload, as: UTF8.self)
    #expect(
      shown
        == #"{"iss":"http://h/auth/v1","sub":"00000000-0000-0001-0000-000000000002","aud":"authenticated","#
        + #""exp":1800003600,"iat":1800000000,"role":"authenticated","email":"mara@example.test","#
        + #""session_id":"00000000-0000-0003-0000-000000000004"}"#)
  }

  @Test(arguments: [
    "", ".", "..", "a.b", "a.b.c.d", "e30.e30.", "e30=.e30.AA", "e30.e30.AB", "e30.e30.+/", "W10.e30.AA",
    "eyJhbGciOiJIUzI1NiJ9.W10.AA",
  ])
  func `of another form is refused`(text: String) {
    guard case .malformed? = Self.problem(text) else {
      Issue.record("expected a malformed token")
      return
    }
  }

  @Test(arguments: [
    #"{"alg":"none"}"#, #"{"alg":"hs256"}"#, #"{"alg":"HS512"}"#, #"{"alg":"RS256"}"#, #"{"typ":"JWT"}"#,
    #"{"alg":["HS256"]}"#, #"{"alg":"HS256","crit":["exp"]}"#, #"{"alg":"HS256","alg":"none"}"#,
  ])
  func `whose sender chooses another algorithm is refused`(header: String) {
    let text = Self.token(#"{"exp":1800003600,"role":"service_role"}"#, header: header)
    #expect(Self.problem(text) == .malformed("the algorithm must be HS256"))
  }

  @Test(
    arguments: [
      (#"{"exp":1800000000,"role":"anon"}"#, nil),
      (#"{"exp":1799999971,"role":"anon"}"#, nil),
      (#"{"exp":1799999970,"role":"anon"}"#, .expired(seconds: 30)),
      (#"{"exp":-5,"role":"anon"}"#, .expired(seconds: 1_800_000_005)),
      (#"{"role":"anon"}"#, .claims("missing exp claim")),
      (#"{"exp":"1800003600","role":"anon"}"#, .claims("exp is no time")),
      (#"{"exp":1e300,"role":"anon"}"#, .claims("exp is no time")),
      (#"{"exp":9223372036854775807,"role":"anon"}"#, .claims("exp is no time")),
      (#"{"exp":1800003600.9,"role":"anon"}"#, nil),
      (#"{"exp":1800003600,"iat":1800000030,"role":"anon"}"#, nil),
      (#"{"exp":1800003600,"iat":1800000031,"role":"anon"}"#, .claims("iat is in the future")),
      (#"{"exp":1800003600,"nbf":1800000031,"role":"anon"}"#, .claims("nbf is in the future")),
      (#"{"exp":1800003600}"#, .claims("the role is unknown")),
      (#"{"exp":1800003600,"role":"postgres"}"#, .claims("the role is unknown")),
      (#"{"exp":1800003600,"role":"authenticated"}"#, .claims("sub claim must be a UUID")),
      (#"{"exp":1800003600,"role":"authenticated","sub":"mara"}"#, .claims("sub claim must be a UUID")),
      (#"{"exp":1800003600,"role":"service_role","sub":"mara"}"#, nil),
    ] as [(String, TokenProblem?)])
  func `is judged by its claims`(payload: String, problem: TokenProblem?) {
    #expect(Self.problem(Self.token(payload)) == problem)
  }

  @Test(arguments: [(0, true), (6_999, true), (7_000, false), (37_000, false)])
  func `that is a link is valid for the time that was asked for, and no longer`(later: Int64, isValid: Bool) throws {
    let made = Self.now.advanced(byMilliseconds: 123)
    let text = JSONWebToken.text(ofObjectAt: "photos/a", at: made, seconds: 7, signedBy: Self.sign)
    let token = try JSONWebToken(parsing: text)
    let now = made.advanced(byMilliseconds: later)
    if isValid {
      #expect(try token.objectPath(at: now) == "photos/a")
    } else {
      #expect(throws: TokenProblem.expired(seconds: (later - 7_000) / 1_000)) { try token.objectPath(at: now) }
    }
    #expect(throws: TokenProblem.self) { try token.claims() }
  }

  @Test(arguments: [(0, true), (1, false)])
  func `has at most 8 KiB`(excess: Int, isRight: Bool) {
    let text = String(repeating: ".", count: JSONWebToken.lengthLimit + excess)
    let isTooLong = Self.problem(text) == .malformed("token has more than 8192 bytes")
    #expect(isTooLong == !isRight)
  }

  @Test(arguments: 0..<10)
  func `of any bytes is refused or read, and a changed one is not signed`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let good = Array(JSONWebToken.text(of: Self.claims, issuer: "i", signedBy: Self.sign).utf8)
    for _ in 0..<1_000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0x20...0x7E, using: &generator)
        case 1: bytes.removeSubrange(place...)
        case 2: bytes.insert(UInt8(ascii: "."), at: place)
        default: bytes.remove(at: place)
        }
        if bytes.isEmpty { bytes = [0x2E] }
      }
      guard bytes != good, let token = try? JSONWebToken(parsing: String(decoding: bytes, as: UTF8.self)) else {
        continue
      }
      _ = try? token.claims()
      #expect(token.signedBytes + [0x2E] + Array(Base64.encodeForURL(token.signature).utf8) == bytes)
    }
  }
}

@Suite struct `base64 for URLs` {
  @Test(arguments: [([], ""), ([0], "AA"), ([0xFB, 0xFF], "-_8"), ([1, 2, 3], "AQID")] as [([UInt8], String)])
  func `has no padding and other letters`(bytes: [UInt8], text: String) {
    #expect(Base64.encodeForURL(bytes) == text && Base64.decodeFromURL(text) == bytes)
  }

  @Test(arguments: ["A", "AA==", "-_9", "+/8", "A A", "AQI\u{E9}"])
  func `of another form is refused`(text: String) { #expect(Base64.decodeFromURL(text) == nil) }
}
