/// A position in a change feed: opaque to everybody but the cloud that issued it. Padded standard base64 text.
public struct ChangeToken: Hashable, Sendable {
  /// The token as the cloud wrote it.
  public var text: String

  /// A token as a client sends it; only the cloud can say whether it issued it.
  public init(_ text: String) { self.text = text }

  /// The token; nil where it is empty, which means the same as none (CloudKit Web Services, c.6).
  package var unlessEmpty: ChangeToken? { text.isEmpty ? nil : self }
}
