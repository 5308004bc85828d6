import ZoneKitRecords
import ZoneKitTables

/// A JSON web token that is signed with HMAC and SHA-256 (RFC 7519; RFC 7515, 7.1; RFC 7518, 3.2), without the
/// computation of its signature.
package struct JSONWebToken: Sendable {
  /// The longest token in bytes.
  package static let lengthLimit = 8 * 1024

  /// The bytes that the signature covers.
  package let signedBytes: [UInt8]
  /// The signature.
  package let signature: [UInt8]
  private let payload: JSON

  // MARK: Reading

  /// Parses a token. Nothing in it can be trusted until its signature is verified.
  package init(parsing text: String) throws(TokenProblem) {
    guard text.utf8.count <= Self.lengthLimit else {
      throw .malformed("token has more than \(Self.lengthLimit) bytes")
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .malformed("token contains an invalid number of segments") }
    let header = try Self.object(parts[0], "header")
    // Any other algorithm, "none" above all, would let the sender choose how it is verified.
    guard header["alg"]?.string == "HS256", header["crit"] == nil else {
      throw .malformed("the algorithm must be HS256")
    }
    payload = try Self.object(parts[1], "claims")
    guard let signature = Base64.decodeFromURL(parts[2]) else {
      throw .malformed("could not base64 decode signature")
    }
    self.signature = signature
    signedBytes = Array((parts[0] + "." + parts[1]).utf8)
  }

  private static func object(_ part: Substring, _ name: String) throws(TokenProblem) -> JSON {
    guard let bytes = Base64.decodeFromURL(part) else { throw .malformed("could not base64 decode \(name)") }
    guard let json = try? JSON(parsing: bytes), json.object != nil else {
      throw .malformed("could not JSON decode \(name)")
    }
    return json
  }

  /// The claims, whose times are not judged. Throws if they are not those of this server.
  package func claims() throws(TokenProblem) -> AccountClaims {
    guard let expiresAt = try seconds("exp") else { throw .claims("missing exp claim") }
    guard let role = payload["role"]?.string.flatMap(AccountClaims.Role.init) else {
      throw .claims("the role is unknown")
    }
    let account = payload["sub"]?.string.flatMap { UUID($0) }
    guard account != nil || role != .authenticated else { throw .claims("sub claim must be a UUID") }
    return AccountClaims(
      role: role, account: role == .authenticated ? account : nil,
      session: payload["session_id"]?.string.flatMap { UUID($0) }, email: payload["email"]?.string,
      issuedAt: try seconds("iat") ?? 0, notBefore: try seconds("nbf"), expiresAt: expiresAt)
  }

  /// The path of the object to which the token is a link. Throws if it is not that of a link, or if it is not valid at that
  /// time. Only one clock judges a link, so there is no leeway.
  package func objectPath(at now: WallTime) throws(TokenProblem) -> String {
    guard let end = payload["exp"]?.number, abs(end) <= Self.latest else { throw .claims("missing exp claim") }
    let expiresAt = Int64((end * 1000).rounded())
    guard expiresAt > now.milliseconds else { throw .expired(seconds: (now.milliseconds - expiresAt) / 1000) }
    guard let path = payload["url"]?.string else { throw .claims("missing url claim") }
    return path
  }

  /// The time of a claim in seconds since 1970, without its fraction (RFC 7519, 2, NumericDate); nil if it is absent.
  private func seconds(_ name: String) throws(TokenProblem) -> Int64? {
    guard let value = payload[name] else { return nil }
    guard let number = value.number, abs(number) <= Self.latest else { throw .claims("\(name) is no time") }
    return Int64(number.rounded(.down))
  }

  /// The latest time that is understood. It fits an integer in milliseconds.
  private static let latest = Double(WallTime.latestWritable.milliseconds / 1000)

  // MARK: Writing

  /// Makes a token. `sign` returns the signature of bytes.
  package static func text(
    of claims: AccountClaims, issuer: String, signedBy sign: (_ bytes: [UInt8]) -> [UInt8]
  ) -> String {
    text(
      of: JSON(known: [
        "iss": .string(issuer), "sub": claims.account.map { .string($0.text) },
        "aud": claims.role == .authenticated ? "authenticated" : nil, "exp": .integer(claims.expiresAt),
        "iat": .integer(claims.issuedAt), "role": .string(claims.role.rawValue),
        "email": claims.email.map { .string($0) }, "session_id": claims.session.map { .string($0.text) },
      ]), signedBy: sign)
  }

  /// Makes a token that is a link to the object at a path, valid for that many seconds. The times have their fractions of
  /// a second (RFC 7519, 2, NumericDate), so that the link ends when it should.
  package static func text(
    ofObjectAt path: String, at now: WallTime, seconds: Int64, signedBy sign: (_ bytes: [UInt8]) -> [UInt8]
  ) -> String {
    let end = now.advanced(byMilliseconds: seconds * 1000)
    return text(of: ["url": .string(path), "iat": date(now), "exp": date(end)], signedBy: sign)
  }

  private static func date(_ time: WallTime) -> JSON { .number(Double(time.milliseconds) / 1000) }

  private static func text(of payload: JSON, signedBy sign: (_ bytes: [UInt8]) -> [UInt8]) -> String {
    let header: JSON = ["alg": "HS256", "typ": "JWT"]
    let signed = [header, payload].map { Base64.encodeForURL($0.bytes()) }.joined(separator: ".")
    return signed + "." + Base64.encodeForURL(sign(Array(signed.utf8)))
  }
}
