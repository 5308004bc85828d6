import ZoneKitRecords

/// Determines who sends a request from its credentials (CloudKit Web Services, e.1 and e.3).
package struct Authentication: Sendable {
  /// How far credentials are trusted.
  package enum Mode: String, CaseIterable, Sendable {
    /// The tokens and keys of a request need not be known. ZoneKit separates the test accounts of developers; it does not
    /// protect them from each other.
    case open
    /// Only registered API tokens, users and keys are accepted.
    case strict
  }

  /// How far credentials are trusted.
  package var mode: Mode
  /// What the server knows.
  package var registry = CredentialRegistry()
  /// Whether keys of servers may use private and shared databases. Apple's service has them in public ones only.
  package var opensPrivateToKeys = false
  /// Whether a request with tokens and a signature is refused, as a strict server always does. Otherwise the signature
  /// counts.
  package var refusesMixedCredentials = false
  /// How far the date of a signature may be from the server's clock, in milliseconds (CloudKit Web Services, e.3).
  package var dateTolerance: Int64 = 600_000
  private let cryptography: Cryptography

  /// The prefix of a web token with the name of an account, which an open server accepts.
  package static let userPrefix = "user:"
  /// The prefix of the account of a key (CloudKit Web Services, c.7).
  static let keyPrefix = "_key:"
  /// The prefix of the account of a web token that names none.
  private static let tokenPrefix = "token:"

  /// An authentication of that mode.
  package init(mode: Mode, _ cryptography: Cryptography) {
    self.mode = mode
    self.cryptography = cryptography
  }

  /// The sender of a request to a database of that scope, or the error that refuses the request.
  package func identity(
    _ credentials: WebCredentials, for purpose: WebCredentials.Purpose, in container: Name, _ environment: Environment,
    _ scope: DatabaseScope, at now: WallTime
  ) -> Result<Identity, CloudError> {
    do throws(CloudError) {
      let place = CredentialRegistry.Reach(container: container, environment: environment)
      if let signature = credentials.signature {
        guard
          mode == .open && !refusesMixedCredentials || credentials.apiToken == nil && credentials.webAuthToken == nil
        else {
          throw Self.failed("a request has tokens or the signature of a key, not both")
        }
        return .success(
          Identity(
            try caller(signature, deviceID: credentials.deviceID, for: purpose, container, environment, scope, at: now))
        )
      }
      return .success(try identity(credentials, for: purpose, place, at: now))
    } catch {
      return .failure(error)
    }
  }

  private static func failed(_ reason: String) -> CloudError { CloudError(.authenticationFailed, reason) }

  // MARK: Tokens

  private func identity(
    _ credentials: WebCredentials, for purpose: WebCredentials.Purpose, _ place: CredentialRegistry.Reach,
    at now: WallTime
  ) throws(CloudError) -> Identity {
    guard credentials.apiToken != nil || mode == .open && credentials.webAuthToken != nil else {
      throw Self.failed("the request has no ckAPIToken; add ?ckAPIToken=…&ckWebAuthToken=…")
    }
    if mode == .strict, let token = credentials.apiToken { try check(token, place) }
    guard let webAuthToken = credentials.webAuthToken else {
      if purpose == .publicReading {
        return Identity(Caller(user: DatabaseID.publicUser, deviceID: credentials.deviceID))
      }
      throw CloudError(.notAuthenticated, "request needs authorization; sign in at redirectURL, and add ckWebAuthToken")
    }
    let (user, next) = try user(of: webAuthToken, place, at: now)
    return Identity(
      Caller(user: user, deviceID: credentials.deviceID),
      webAuthToken: next ?? (Self.fitsHeader(webAuthToken) ? webAuthToken : nil))
  }

  private func check(_ token: String, _ place: CredentialRegistry.Reach) throws(CloudError) {
    guard let known = registry.token(token, cryptography) else {
      throw Self.failed("ckAPIToken is not registered; `zonekit auth token add NAME` makes one")
    }
    guard known.reach.covers(place) else { throw Self.failed("ckAPIToken is not of this container and environment") }
  }

  /// The account of a web token, and the token for the next requests if that is another one.
  private func user(
    of text: String, _ place: CredentialRegistry.Reach, at now: WallTime
  ) throws(CloudError) -> (Name, String?) {
    if let token = WebToken(text, secret: registry.secret, cryptography) {
      guard token.reach.covers(place) else {
        throw Self.failed("ckWebAuthToken is not of this container and environment")
      }
      guard !token.isOver(at: now) else {
        throw CloudError(.notAuthenticated, "ckWebAuthToken has expired; sign in again at redirectURL")
      }
      guard mode == .open || registry.users.contains(where: { $0.account == token.account }) else {
        throw Self.failed("the user of ckWebAuthToken is not registered any more")
      }
      return (token.account, token.renewed(at: now)?.text(secret: registry.secret, cryptography))
    }
    guard mode == .open else {
      throw Self.failed(
        "ckWebAuthToken is not one of this server; sign in, or `zonekit auth user token NAME` makes one")
    }
    guard let name = text.after(Self.userPrefix) else {
      guard !text.isEmpty else { throw Self.failed("ckWebAuthToken is empty") }
      return (Name(Self.tokenPrefix + Hexadecimal.text(FNV1a.hash(text))), nil)
    }
    guard Self.isUsable(Name(name)) else {
      throw Self.failed("the NAME of ckWebAuthToken=user:NAME must have 1 to 255 characters")
    }
    return (Name(name), nil)
  }

  /// Whether a token can stand in a header field as it is.
  private static func fitsHeader(_ token: String) -> Bool { token.utf8.allSatisfy { (0x21...0x7E).contains($0) } }

  /// Whether the name is valid for an account: not empty, not longer than a record name, and not that of the public
  /// database.
  package static func isUsable(_ user: Name) -> Bool {
    !user.text.isEmpty && user.text.count <= Name.lengthLimit && user != DatabaseID.publicUser
  }

  /// Whether a token has the form of the real service.
  static func looksReal(_ token: String) -> Bool {
    token.utf8.count == 64 && token.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || isHexLetter($0) }
  }

  private static func isHexLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  // MARK: Keys of servers

  /// The account of the key that signed a request.
  private func caller(
    _ signature: RequestSignature, deviceID: String?, for purpose: WebCredentials.Purpose, _ container: Name,
    _ environment: Environment, _ scope: DatabaseScope, at now: WallTime
  ) throws(CloudError) -> Caller {
    try verify(signature, CredentialRegistry.Reach(container: container, environment: environment), at: now)
    guard purpose != .users else { throw Self.failed("a key of a server knows no users; sign in as one") }
    guard scope == .public || opensPrivateToKeys else {
      throw CloudError(
        .permissionFailure, "a key of a server uses the public database, not the \(scope) one, unless --key-scope all")
    }
    return Caller(user: Name(Self.keyPrefix + signature.keyID), deviceID: deviceID)
  }

  /// Why the signature of a request is not accepted; nil if it is. For a request that cannot be read: who changed one on
  /// its way learns no more than that.
  package func problem(of signature: RequestSignature, at now: WallTime) -> CloudError? {
    do throws(CloudError) {
      try verify(signature, nil, at: now)
      return nil
    } catch {
      return error
    }
  }

  /// Checks a signature, and whether the key is valid at that place. An open server trusts a key that it does not know.
  private func verify(
    _ signature: RequestSignature, _ place: CredentialRegistry.Reach?, at now: WallTime
  ) throws(CloudError) {
    for (name, value) in [
      (RequestSignature.keyField, signature.keyID), (RequestSignature.dateField, signature.date),
      (RequestSignature.signatureField, signature.signature),
    ] where value.isEmpty {
      throw Self.failed("the header \(name) is missing")
    }
    guard Self.isUsable(Name(Self.keyPrefix + signature.keyID)), Self.fitsHeader(signature.keyID) else {
      throw Self.failed("\(RequestSignature.keyField) must be the ID of a key")
    }
    guard let key = registry.key(signature.keyID) else {
      guard mode == .open else {
        throw Self.failed("the key is not registered; `zonekit auth key add NAME PUBLIC.pem` registers one")
      }
      return
    }
    if let place, !key.reach.covers(place) { throw Self.failed("the key is not of this container and environment") }
    guard let date = WallTime(iso8601: signature.date) else {
      throw Self.failed("\(RequestSignature.dateField) must be a time such as 2026-01-02T03:04:05Z")
    }
    guard abs(now.milliseconds - date.milliseconds) <= dateTolerance else {
      throw Self.failed("\(RequestSignature.dateField) is more than \(dateTolerance / 1000) s from the server's clock")
    }
    guard let bytes = Base64.decode(signature.signature),
      signature.messages(hashing: cryptography.hash).contains(where: {
        cryptography.isSigned($0, bytes, key.publicKey)
      })
    else { throw Self.failed("the signature does not fit the date, the body and the path of the request") }
  }
}

extension CredentialRegistry.Reach {
  /// Whether it includes a place, which names a container and an environment.
  fileprivate func covers(_ place: CredentialRegistry.Reach) -> Bool {
    guard let container = place.container, let environment = place.environment else { return false }
    return includes(container, environment)
  }
}
