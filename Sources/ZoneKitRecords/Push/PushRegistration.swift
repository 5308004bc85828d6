/// A registered push token of an account's device, to which notifications are sent (CloudKit Web Services, f.1).
public struct PushRegistration: Hashable, Sendable {
  /// The push token, as base64 text.
  public var token: String
  /// The environment of the push service, `development` or `production`.
  public var environment: Environment
  /// The device ID in the device's requests (`clientId`); nil if they have none.
  public var deviceID: String?

  /// A registration of that token.
  public init(token: String, environment: Environment, deviceID: String?) {
    self.token = token
    self.environment = environment
    self.deviceID = deviceID
  }
}
