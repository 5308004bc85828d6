/// Why a session could not be continued.
package enum SessionFailure: Hashable, Sendable {
  /// The service cannot answer at present. It may have asked for a pause, in milliseconds.
  case transient(retryAfter: Int64?)
  /// The answer was lost. The service may have replaced the token.
  case unanswered
  /// The service refused, with this code.
  case refused(String)

  /// Whether the service gave no answer.
  package var isUnanswered: Bool {
    switch self {
    case .transient, .unanswered: true
    case .refused: false
    }
  }

  /// Whether the session is over. Any other refusal may pass, such as that of too many requests.
  package var endsSession: Bool {
    switch self {
    case .transient, .unanswered: false
    case .refused(let code): Self.final.contains(code)
    }
  }

  /// The codes that end a session. The last one belongs to services that limit how long a session may live.
  private static let final: Set<String> = [
    AccountError.Code.refreshTokenNotFound.rawValue, AccountError.Code.refreshTokenAlreadyUsed.rawValue,
    AccountError.Code.sessionNotFound.rawValue, "session_expired",
  ]
}
