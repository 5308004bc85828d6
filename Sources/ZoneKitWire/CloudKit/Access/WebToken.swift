import ZoneKitRecords

/// A web token of a server: whom it signs in, where, and until when. Its text is signed with the server's secret, so that the
/// server need not remember it.
package struct WebToken: Hashable, Sendable {
  /// The account.
  package var account: Name
  /// Where it is valid.
  package var reach: CredentialRegistry.Reach
  /// When it was made.
  package var issuedAt: WallTime
  /// How long it is valid, in milliseconds.
  package var life: Int64

  /// The life of a token in milliseconds (CloudKit Web Services, e.2): of a session, and of one that is kept.
  package static let life: Int64 = 30 * 60_000, keptLife: Int64 = 14 * 86_400_000
  /// The age in milliseconds from which an answer carries a new token.
  private static let renewalAge: Int64 = 60_000
  private static let prefix = "zk."

  /// A token.
  package init(
    account: Name, reach: CredentialRegistry.Reach, issuedAt: WallTime, life: Int64 = WebToken.life
  ) {
    self.account = account
    self.reach = reach
    self.issuedAt = issuedAt
    self.life = life
  }

  /// The token of a text; nil if this secret did not sign it.
  package init?(_ text: String, secret: [UInt8], _ cryptography: Cryptography) {
    guard !secret.isEmpty, let rest = text.after(Self.prefix) else { return nil }
    let parts = rest.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let content = Base64.decodeFromURL(parts[0]), let code = Base64.decodeFromURL(parts[1]),
      cryptography.areEqual(code, cryptography.code(content, secret)), let json = try? JSON(parsing: content),
      let account = json["account"]?.string, let issuedAt = json["issuedAt"]?.integer, let life = json["life"]?.integer
    else { return nil }
    self.account = Name(account)
    reach = CredentialRegistry.Reach(
      container: json["container"]?.string.map { Name($0) },
      environment: json["environment"]?.string.flatMap(Environment.init(rawValue:)))
    self.issuedAt = WallTime(milliseconds: issuedAt)
    self.life = life
  }

  /// The text of the token. It needs no percent-encoding.
  package func text(secret: [UInt8], _ cryptography: Cryptography) -> String {
    let members =
      [
        JSON.Member("account", .string(account.text)), JSON.Member("issuedAt", .integer(issuedAt.milliseconds)),
        JSON.Member("life", .integer(life)),
      ] + reach.members
    let content = JSON.object(members).bytes()
    return Self.prefix + Base64.encodeForURL(content) + "."
      + Base64.encodeForURL(cryptography.code(content, secret))
  }

  /// Whether it is over.
  package func isOver(at now: WallTime) -> Bool { now.milliseconds >= issuedAt.milliseconds + life }

  /// The same token from now on; nil if it is new enough.
  func renewed(at now: WallTime) -> WebToken? {
    guard now.milliseconds - issuedAt.milliseconds >= Self.renewalAge else { return nil }
    var renewed = self
    renewed.issuedAt = now
    return renewed
  }
}
