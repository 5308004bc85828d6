import ZoneKitRecords

/// Whether the device's address with the push service is registered with the cloud.
///
/// It does not hold the address, which the store does: an address that differs from the registered one is due.
struct TokenRegistration: Hashable, Sendable {
  private enum State: Hashable, Sendable {
    /// The app wants no pushes.
    case unwanted
    case due
    case registered(String)
    /// The cloud or the push service did not take the address, or gave none.
    case failed(at: MonotonicTime, token: String?)
  }

  private var state = State.unwanted

  /// The app was launched, or the address was taken away: it is to be registered where the app wants pushes.
  mutating func renew(isWanted: Bool) { state = isWanted ? .due : .unwanted }

  /// Whether the address is to be registered now; `token` is the one that the device has.
  func isDue(for token: String?) -> Bool {
    switch state {
    case .unwanted: false
    case .due: true
    case .registered(let known): known != token
    case .failed(_, let refused): refused != token
    }
  }

  /// The cloud registered the address.
  mutating func registered(_ token: String) { state = .registered(token) }

  /// The cloud did not give or did not register the address.
  mutating func failed(for token: String?, at now: MonotonicTime) { state = .failed(at: now, token: token) }

  /// A sync begins: what failed is due again after `wait`, or because the user asks for it.
  mutating func beginSync(isManual: Bool, retryAfter wait: Int64, at now: MonotonicTime) {
    guard let failedAt, isManual || failedAt.advanced(byMilliseconds: wait) <= now else { return }
    state = .due
  }

  /// When the registration failed last; nil where it did not since.
  var failedAt: MonotonicTime? {
    switch state {
    case .failed(let at, _): at
    case .unwanted, .due, .registered: nil
    }
  }
}
