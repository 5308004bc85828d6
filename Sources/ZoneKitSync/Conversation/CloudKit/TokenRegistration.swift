import ZoneKitRecords

/// Whether the device's push token is registered with the cloud.
///
/// The token itself is in the store. A token that differs from the registered one is due. A push service that keeps
/// refusing new tokens is not the cloud's, so the pause before each further token grows.
struct TokenRegistration: Hashable, Sendable {
  private enum State: Hashable, Sendable {
    /// The app wants no pushes.
    case unwanted
    case due
    case registered(String)
    /// The cloud or the push service refused the token, or did not create one.
    case failed(retryAt: MonotonicTime, token: String?)
  }

  /// How long the push service must have accepted a token, in milliseconds, so that its refusal is the first one again.
  private static var provenAfter: Int64 { 60_000 }

  private var state = State.unwanted
  /// How many tokens the push service has refused in a row.
  private var refusals = 0
  /// When the push service accepted the token last; nil if not since the last refusal.
  private var acceptedAt: MonotonicTime?

  /// The app was launched, or the token is lost. If the app wants pushes, registration is due.
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

  /// The cloud registered the token.
  mutating func registered(_ token: String) { state = .registered(token) }

  /// The cloud did not create or register a token.
  mutating func failed(for token: String?, retryAt time: MonotonicTime) { state = .failed(retryAt: time, token: token) }

  /// The push service accepted the token.
  mutating func accepted(at now: MonotonicTime) { acceptedAt = now }

  /// The push service refused the token. Returns the pause before a new one is registered, in milliseconds: none after
  /// the first refusal, then `first`, and twice as long each time up to `limit`.
  mutating func refused(first: Int64, limit: Int64, at now: MonotonicTime) -> Int64 {
    if let acceptedAt, acceptedAt.advanced(byMilliseconds: Self.provenAfter) <= now { refusals = 0 }
    let wait = refusals == 0 ? 0 : min(first << Int64(min(refusals - 1, 20)), limit)
    refusals += 1
    acceptedAt = nil
    if state != .unwanted {
      state = wait == 0 ? .due : .failed(retryAt: now.advanced(byMilliseconds: wait), token: nil)
    }
    return wait
  }

  /// A sync started. A failed registration is due again after its pause, or at the user's request.
  mutating func beginSync(isManual: Bool, at now: MonotonicTime) {
    guard let retryAt, isManual || retryAt <= now else { return }
    state = .due
  }

  /// When a failed registration is tried again; nil if it did not fail since the last success.
  var retryAt: MonotonicTime? {
    switch state {
    case .failed(let time, _): time
    case .unwanted, .due, .registered: nil
    }
  }
}
