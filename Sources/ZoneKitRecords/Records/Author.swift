/// An account on a device. The cloud records one for every change.
public struct Author: Hashable, Sendable {
  /// The account's user record name.
  public var userRecordName: Name
  /// The device; `unnamedDevice` where the request named none.
  public var deviceID: String

  /// Stands where a request did not say from which device it came.
  public static let unnamedDevice = "unnamed"

  /// That account on that device.
  public init(userRecordName: Name, deviceID: String = Author.unnamedDevice) {
    self.userRecordName = userRecordName
    self.deviceID = deviceID
  }

  /// The author that the cloud records for a caller's changes.
  public init(_ caller: Caller) {
    self.init(userRecordName: caller.userRecordName, deviceID: caller.deviceID ?? Author.unnamedDevice)
  }
}
