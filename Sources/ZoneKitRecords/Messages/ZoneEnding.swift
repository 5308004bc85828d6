/// The end of a zone, as far as the cloud tells it.
public struct ZoneEnding: Hashable, Sendable {
  /// The reason.
  public var reason: ZoneDeletion
  /// When the zone ended, by the cloud's clock; nil if the cloud does not say.
  public var at: WallTime?

  /// An end for that reason.
  public init(_ reason: ZoneDeletion, at: WallTime? = nil) {
    self.reason = reason
    self.at = at
  }
}
