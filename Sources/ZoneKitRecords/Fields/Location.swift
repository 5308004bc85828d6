/// A place on Earth (CloudKit Web Services, b.5). Every number is finite.
public struct Location: Hashable, Sendable {
  /// Degrees north.
  public var latitude: Double
  /// Degrees east.
  public var longitude: Double
  /// Metres above sea level.
  public var altitude: Double?
  /// Metres.
  public var horizontalAccuracy: Double?
  /// Metres.
  public var verticalAccuracy: Double?
  /// Degrees from true north.
  public var course: Double?
  /// Metres a second.
  public var speed: Double?
  /// When the place was measured.
  public var timestamp: WallTime?

  /// The place at that latitude and longitude, in degrees.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}
