import ZoneKitRecords

/// Determines the caller of a request from its tokens (CloudKit Web Services, e.1).
///
/// The only kind of sign-in is the web token `user:NAME`, which anyone can make. ZoneKit separates the test accounts of
/// developers; it does not protect them from each other.
package struct Authentication: Hashable, Sendable {
  /// How strictly the form of tokens is checked.
  package enum Mode: String, CaseIterable, Sendable {
    /// Any API token is accepted. With a web token the API token may be missing.
    case open
    /// The API token is required and must have 64 hexadecimal digits, like those of the real service.
    case strict
  }

  /// How strictly the form of tokens is checked.
  package var mode: Mode

  /// The prefix of a web token.
  package static let userPrefix = "user:"

  /// An authentication of that mode.
  package init(mode: Mode) { self.mode = mode }

  /// The caller of a request, or the error that refuses the request. Everyone with an API token may read records of a
  /// public database (CloudKit Web Services, e.1).
  package func caller(
    apiToken: String?, webAuthToken: String?, deviceID: String?, readsPublicRecords: Bool = false
  ) -> Result<Caller, CloudError> {
    guard apiToken != nil || (mode == .open && webAuthToken != nil) else {
      return .failure(
        CloudError(
          .authenticationFailed, "the request has no ckAPIToken; add ?ckAPIToken=…&ckWebAuthToken=user:NAME"))
    }
    if mode == .strict, let apiToken, !Self.looksReal(apiToken) {
      return .failure(CloudError(.authenticationFailed, "ckAPIToken must have 64 hexadecimal digits in strict mode"))
    }
    guard let webAuthToken else {
      if readsPublicRecords { return .success(Caller(user: DatabaseID.publicUser, deviceID: deviceID)) }
      return .failure(CloudError(.notAuthenticated, "request needs authorization; add ckWebAuthToken=user:NAME"))
    }
    guard let user = webAuthToken.after(Self.userPrefix).map({ Name($0) }) else {
      return .failure(CloudError(.authenticationFailed, "ckWebAuthToken must be user:NAME"))
    }
    guard Self.isUsable(user) else {
      return .failure(
        CloudError(.authenticationFailed, "the NAME of ckWebAuthToken=user:NAME must have 1 to 255 characters"))
    }
    return .success(Caller(user: user, deviceID: deviceID))
  }

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
}
