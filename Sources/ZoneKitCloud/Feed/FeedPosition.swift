import ZoneKitRecords

/// The position of a token in a zone's feed. For tools that observe tokens; for a device a token is opaque.
package struct FeedPosition: Hashable, Sendable {
  /// The zone's incarnation. Positions of different incarnations cannot be compared.
  package let incarnation: UInt64
  /// The sequence of the last entry read.
  package let position: Int64

  /// The position of a token of a zone's feed; nil for any other text.
  package init?(_ token: ChangeToken) {
    guard let read = try? FeedToken.read(token, as: [.zone]) else { return nil }
    incarnation = read.identity
    position = read.position
  }
}
