/// Who sends a request to the cloud.
public struct Caller: Hashable, Sendable {
  /// The account's plain name, for example `nanny`.
  public var user: Name
  /// The device that the request names as its sender (`clientId`); nil where it names none.
  public var deviceID: String?

  /// The caller with that account and device.
  public init(user: Name, deviceID: String? = nil) {
    self.user = user
    self.deviceID = deviceID
  }

  /// The caller's user record name.
  public var userRecordName: Name { UserRecordName.of(user: user) }
}
