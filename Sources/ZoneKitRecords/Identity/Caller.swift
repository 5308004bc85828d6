/// The sender of a request to the cloud.
public struct Caller: Hashable, Sendable {
  /// The name of the account, for example `nanny`.
  public let user: Name
  /// The device ID in the request (`clientId`); nil if there is none.
  public let deviceID: String?
  /// The caller's user record name, computed once because every answer contains it many times.
  public let userRecordName: Name

  /// A caller with that account and device.
  public init(user: Name, deviceID: String? = nil) {
    self.user = user
    self.deviceID = deviceID
    userRecordName = UserRecordName.of(user: user)
  }
}
