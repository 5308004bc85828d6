/// Where an account's notifications go: one push token of one device (CloudKit Web Services, f.1).
public struct PushRegistration: Hashable, Sendable {
  /// The device's address with the push service: base64 text.
  public var token: String
  /// `development` or `production`, the push service's own environment.
  public var environment: Environment
  /// The device, as it names itself in its requests (`clientId`); nil where it does not.
  public var deviceID: String?

  /// A registration of that token.
  public init(token: String, environment: Environment, deviceID: String?) {
    self.token = token
    self.environment = environment
    self.deviceID = deviceID
  }
}
