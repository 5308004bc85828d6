/// A change of a value: a new value, or nil to remove it.
public struct ValueChange: Hashable, Sendable {
  /// The key.
  public var key: DeviceKey
  /// The new value; nil removes the key.
  public var value: DeviceValue?

  /// A change of the value under that key.
  public init(_ key: DeviceKey, _ value: DeviceValue?) {
    self.key = key
    self.value = value
  }
}
