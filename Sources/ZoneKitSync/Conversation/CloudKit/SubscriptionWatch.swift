import ZoneKitRecords

/// When the subscription that wakes the device is to be checked: at each launch, when pushes are missing, after a check
/// that failed, and now and then, because a cloud can lose a subscription without a word (sync semantics, 2.1).
struct SubscriptionWatch: Hashable, Sendable {
  private struct Check: Hashable, Sendable {
    var at: MonotonicTime
    /// Whether the cloud held the subscription.
    var isVerified: Bool
  }

  private enum State: Hashable, Sendable {
    /// The app wants no pushes.
    case unwanted
    case due(last: Check?)
    case checked(Check)
  }

  private var state = State.unwanted

  /// The app was launched: the subscription is to be checked where the app wants pushes.
  mutating func launched(isWanted: Bool) { state = isWanted ? .due(last: last) : .unwanted }

  /// Another account signed in, whose subscription nobody checked.
  mutating func accountChanged(isWanted: Bool) { state = isWanted ? .due(last: nil) : .unwanted }

  /// Whether the subscription is to be checked now.
  var isDue: Bool {
    switch state {
    case .due: true
    case .unwanted, .checked: false
    }
  }

  /// The cloud holds the subscription.
  mutating func verified(at now: MonotonicTime) { state = .checked(Check(at: now, isVerified: true)) }

  /// The check failed.
  mutating func failed(at now: MonotonicTime) { state = .checked(Check(at: now, isVerified: false)) }

  /// A sync begins: a check that went well is repeated after `period`, one that failed after `wait` or because the user
  /// asks for it.
  mutating func beginSync(isManual: Bool, period: Int64, retryAfter wait: Int64, at now: MonotonicTime) {
    guard case .checked(let check) = state else { return }
    let due = check.at.advanced(byMilliseconds: check.isVerified ? period : wait)
    guard due <= now || (isManual && !check.isVerified) else { return }
    state = .due(last: check)
  }

  /// Changes came without their pushes: the subscription is due unless it was checked within `period`. Returns whether it is.
  mutating func missedPush(period: Int64, at now: MonotonicTime) -> Bool {
    guard state != .unwanted, last.map({ $0.at.advanced(byMilliseconds: period) <= now }) ?? true else { return false }
    state = .due(last: last)
    return true
  }

  /// When the last check failed; nil where it went well or there was none.
  var failedAt: MonotonicTime? { last.flatMap { $0.isVerified ? nil : $0.at } }

  private var last: Check? {
    switch state {
    case .unwanted: nil
    case .due(let last): last
    case .checked(let check): check
    }
  }
}
