/// A change of one of the app's own values: a new value, or nil to remove it.
public struct AppValueChange: Hashable, Sendable {
  /// The key, which the app chooses.
  public var key: String
  /// The new value; nil removes the key.
  public var value: DeviceValue?

  /// A change of the value under that key.
  public init(_ key: String, _ value: DeviceValue?) {
    self.key = key
    self.value = value
  }
}
