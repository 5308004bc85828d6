import ZoneKitRecords

/// The token of `zones/changes`: the database's change token with a mark before it, so that neither is valid for the other
/// endpoint (CloudKit Web Services, c.6).
enum MetaToken {
  /// The mark: three bytes, so that the base64 text of the token follows it.
  private static let mark = Base64.encode([0x4D, 0x54, 0x31])

  /// The text for clients.
  static func text(of token: ChangeToken) -> String { mark + token.text }

  /// The database's token in a text; nil if it has no mark.
  static func databaseToken(_ text: String) -> ChangeToken? { text.after(mark).map { ChangeToken($0) } }

  /// What is wrong with a text without the mark.
  static let problem = "must be a token of zones/changes: Unknown sync continuation type"
}
