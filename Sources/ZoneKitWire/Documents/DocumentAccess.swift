import ZoneKitDocuments
import ZoneKitRecords

/// Determines the account of a request for documents from its header fields. It protects as little as
/// `Authentication`, whose words it uses: everyone can write `Bearer user:NAME`.
package struct DocumentAccess: Hashable, Sendable {
  /// How strictly the form of credentials is checked.
  package var mode: Authentication.Mode

  /// An access of that mode.
  package init(mode: Authentication.Mode) { self.mode = mode }

  /// The field with the key of the app.
  static let keyField = "Api-Key"
  private static let scheme = "bearer "

  /// The account of a request.
  func user(of request: HTTPRequest) throws(DocumentError) -> Name {
    if mode == .strict {
      guard let key = request.fields[Self.keyField], Authentication.looksReal(key) else {
        throw DocumentError(.badToken, "the request needs `\(Self.keyField)` with 64 hexadecimal digits in strict mode")
      }
    }
    guard let authorization = request.fields["Authorization"] else {
      throw DocumentError(.unauthenticated, "the request needs `Authorization: Bearer user:NAME`")
    }
    guard authorization.prefix(Self.scheme.count).lowercased() == Self.scheme,
      let token = HTTPPercent.decode(String(authorization.dropFirst(Self.scheme.count))),
      let user = token.after(Authentication.userPrefix).map({ Name($0) })
    else {
      throw DocumentError(.badToken, "`Authorization` must be `Bearer user:NAME`, with NAME percent-encoded")
    }
    guard Authentication.isUsable(user) else {
      throw DocumentError(.badToken, "the NAME of `Bearer user:NAME` must have 1 to 255 characters")
    }
    return user
  }

  /// The fields of a device's request for an account.
  static func fields(user: Name, key: String) -> [HTTPField] {
    let name = HTTPPercent.encode(user.text)
    return [
      HTTPField("Authorization", "Bearer \(Authentication.userPrefix)\(name)"), HTTPField(keyField, key),
    ]
  }
}
