import ZoneKitRecords

/// Determines when the subscription has to be checked: at each launch, when pushes are missing, after a failed check,
/// and periodically, because a cloud can lose a subscription without notice (sync semantics, 2.1).
struct SubscriptionWatch: Hashable, Sendable {
  private struct Check: Hashable, Sendable {
    var at: MonotonicTime
    /// Whether the cloud had the subscription.
    var isVerified: Bool
  }

  private enum State: Hashable, Sendable {
    /// The app wants no pushes.
    case unwanted
    case due(last: Check?)
    case checked(Check)
  }

  private var state = State.unwanted
  /// Whether there is a sign since the last sync began that the cloud has lost the subscription.
  private var isDoubted = false

  /// The app was launched. If the app wants pushes, the check is due.
  mutating func launched(isWanted: Bool) { state = isWanted ? .due(last: last) : .unwanted }

  /// Another account signed in, whose subscription was not checked yet.
  mutating func accountChanged(isWanted: Bool) { state = isWanted ? .due(last: nil) : .unwanted }

  /// Whether the check is due.
  var isDue: Bool {
    switch state {
    case .due: true
    case .unwanted, .checked: false
    }
  }

  /// The cloud has the subscription.
  mutating func verified(at now: MonotonicTime) { state = .checked(Check(at: now, isVerified: true)) }

  /// The check failed.
  mutating func failed(at now: MonotonicTime) { state = .checked(Check(at: now, isVerified: false)) }

  /// A sync started. A successful check is repeated after `period`, a failed one after `wait` or at the user's request.
  mutating func beginSync(isManual: Bool, period: Int64, retryAfter wait: Int64, at now: MonotonicTime) {
    defer { isDoubted = false }
    guard case .checked(let check) = state else { return }
    let due = check.at.advanced(byMilliseconds: check.isVerified ? period : wait)
    guard due <= now || isDoubted || (isManual && !check.isVerified) else { return }
    state = .due(last: check)
  }

  /// Changes arrived without pushes. The check is due unless there was one within `period`. Returns whether it is due.
  mutating func missedPush(period: Int64, at now: MonotonicTime) -> Bool {
    guard state != .unwanted, last.map({ $0.at.advanced(byMilliseconds: period) <= now }) ?? true else { return false }
    state = .due(last: last)
    return true
  }

  /// The push service does not know the device any more. A cloud that lost registrations may have lost the subscription
  /// too, so the next sync checks it.
  mutating func pushTokenRefused() { isDoubted = true }

  /// When the last check failed; nil if it succeeded or there was none.
  var failedAt: MonotonicTime? { last.flatMap { $0.isVerified ? nil : $0.at } }

  private var last: Check? {
    switch state {
    case .unwanted: nil
    case .due(let last): last
    case .checked(let check): check
    }
  }
}
