/// A geographic location (CloudKit Web Services, b.5). All numbers are finite.
public struct Location: Hashable, Sendable {
  /// The latitude in degrees north.
  public var latitude: Double
  /// The longitude in degrees east.
  public var longitude: Double
  /// The altitude above sea level in metres.
  public var altitude: Double?
  /// The horizontal accuracy in metres.
  public var horizontalAccuracy: Double?
  /// The vertical accuracy in metres.
  public var verticalAccuracy: Double?
  /// The course in degrees from true north.
  public var course: Double?
  /// The speed in metres per second.
  public var speed: Double?
  /// The time of the measurement.
  public var timestamp: WallTime?

  /// A location with that latitude and longitude in degrees.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}
