import ZoneKitRecords

/// Whether the device's push token is registered with the cloud.
///
/// The token itself is in the store. A token that differs from the registered one is due.
struct TokenRegistration: Hashable, Sendable {
  private enum State: Hashable, Sendable {
    /// The app wants no pushes.
    case unwanted
    case due
    case registered(String)
    /// The cloud or the push service refused the token, or did not create one.
    case failed(at: MonotonicTime, token: String?)
  }

  private var state = State.unwanted

  /// Takes in a launch or the loss of the token. If the app wants pushes, registration is due.
  mutating func renew(isWanted: Bool) { state = isWanted ? .due : .unwanted }

  /// Whether registration is due. `token` is the device's present token.
  func isDue(for token: String?) -> Bool {
    switch state {
    case .unwanted: false
    case .due: true
    case .registered(let known): known != token
    case .failed(_, let refused): refused != token
    }
  }

  /// Takes in that the cloud registered the token.
  mutating func registered(_ token: String) { state = .registered(token) }

  /// Takes in that the cloud did not create or register a token.
  mutating func failed(for token: String?, at now: MonotonicTime) { state = .failed(at: now, token: token) }

  /// Takes in the start of a sync. A failed registration is due again after `wait`, or at the user's request.
  mutating func beginSync(isManual: Bool, retryAfter wait: Int64, at now: MonotonicTime) {
    guard let failedAt, isManual || failedAt.advanced(byMilliseconds: wait) <= now else { return }
    state = .due
  }

  /// When the registration last failed; nil if it did not fail since the last success.
  var failedAt: MonotonicTime? {
    switch state {
    case .failed(let at, _): at
    case .unwanted, .due, .registered: nil
    }
  }
}
