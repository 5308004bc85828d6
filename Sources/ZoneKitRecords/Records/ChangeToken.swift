/// A position in a change feed. It is opaque to everyone but the cloud that issued it. The text is standard base64 with
/// padding.
public struct ChangeToken: Hashable, Sendable {
  /// The text of the token.
  public var text: String

  /// A token with that text. Only the cloud can check whether it issued it.
  public init(_ text: String) { self.text = text }

  /// The token; nil if it is empty, which means the same as none (CloudKit Web Services, c.6).
  package var unlessEmpty: ChangeToken? { text.isEmpty ? nil : self }
}
