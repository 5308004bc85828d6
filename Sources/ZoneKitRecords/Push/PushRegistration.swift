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

  /// The beginning of the token, to show it: a reader of a status or a log cannot use the token.
  package var shortToken: String { Self.shortened(token) }

  /// The beginning of a token, to show it.
  package static func shortened(_ token: String) -> String { "\(token.prefix(min(8, token.count / 2)))…" }
}
