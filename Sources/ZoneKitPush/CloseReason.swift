extension PushGateway {
  /// The reason why the push service closes a connection. The raw value is the `reason` on the push socket; it is APNs'
  /// word if there is one.
  package enum CloseReason: String, CaseIterable, Hashable, Sendable {
    /// The token of the hello is not registered.
    case badDeviceToken = "BadDeviceToken"
    /// Watching without a token requires the open mode.
    case forbidden = "Forbidden"
    /// A newer connection uses the same token.
    case replaced = "Replaced"
    /// The client sent a line after the hello.
    case unexpectedInput = "UnexpectedInput"
    /// The token was unregistered.
    case unregistered = "Unregistered"

    /// A sentence with the reason and what would be right.
    package var message: String {
      switch self {
      case .badDeviceToken: "no device is registered with this token; register it with tokens/register first"
      case .forbidden: "watching by user name needs a server in open mode; say hello with a registered token"
      case .replaced: "a newer connection uses the same token; a token has one connection"
      case .unexpectedInput: "after the hello, the push socket takes no input"
      case .unregistered: "the token was unregistered; register again"
      }
    }
  }
}
