import ZoneKitRecords

/// Where in a zone's feed a token stands: for tools that watch tokens, never for a device, to which a token is opaque.
package struct FeedPosition: Hashable, Sendable {
  /// The zone's incarnation; positions of different incarnations have nothing to do with each other.
  package let incarnation: UInt64
  /// The sequence of the last entry read.
  package let position: Int64

  /// Where a token of a zone's feed stands; nil for any other text.
  package init?(_ token: ChangeToken) {
    guard let read = try? FeedToken.read(token, as: [.zone]) else { return nil }
    incarnation = read.identity
    position = read.position
  }
}
