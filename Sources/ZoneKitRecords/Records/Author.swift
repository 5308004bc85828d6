/// An account on a device. The cloud stores the author of each change.
public struct Author: Hashable, Sendable {
  /// The account's user record name.
  public var userRecordName: Name
  /// The device ID; `unnamedDevice` if the request named none.
  public var deviceID: String

  /// The device ID for requests that name none.
  public static let unnamedDevice = "unnamed"

  /// That account on that device.
  public init(userRecordName: Name, deviceID: String = Author.unnamedDevice) {
    self.userRecordName = userRecordName
    self.deviceID = deviceID
  }

  /// The author for the changes of a caller.
  public init(_ caller: Caller) {
    self.init(userRecordName: caller.userRecordName, deviceID: caller.deviceID ?? Author.unnamedDevice)
  }
}
