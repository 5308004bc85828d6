/// Who sends a request to the cloud.
public struct Caller: Hashable, Sendable {
  /// The account's plain name, for example `nanny`.
  public let user: Name
  /// The device that the request names as its sender (`clientId`); nil where it names none.
  public let deviceID: String?
  /// The caller's user record name, worked out once because every answer names it many times.
  public let userRecordName: Name

  /// The caller with that account and device.
  public init(user: Name, deviceID: String? = nil) {
    self.user = user
    self.deviceID = deviceID
    userRecordName = UserRecordName.of(user: user)
  }
}
