extension PushGateway {
  /// Why a connection is closed; the raw value is the `reason` that goes over the wire, APNs's own where it has one.
  package enum CloseReason: String, CaseIterable, Hashable, Sendable {
    /// Nobody registered the token of the hello.
    case badDeviceToken = "BadDeviceToken"
    /// Watching without a token needs the open mode.
    case forbidden = "Forbidden"
    /// A newer connection came with the same token.
    case replaced = "Replaced"
    /// There was input after the hello.
    case unexpectedInput = "UnexpectedInput"
    /// The token came to its end.
    case unregistered = "Unregistered"

    /// The reason in a sentence that says what would be right.
    package var message: String {
      switch self {
      case .badDeviceToken: "no device is registered with this token; register it with tokens/register first"
      case .forbidden: "watching by user name needs a server in open mode; say hello with a registered token"
      case .replaced: "a newer connection said hello with the same token; a token has one connection"
      case .unexpectedInput: "after the hello, the push socket takes no input"
      case .unregistered: "the token was unregistered; register again"
      }
    }
  }
}
