import ZoneKitRecords
import ZoneKitSync

/// A refused check of the subscription, or a refused push token, is tried again by a later sync, after an interval or
/// at the user's request.
package struct SubscriptionRetryChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarting, .storeFailed, .request],
    facts: [
      .syncStarted, .syncFinished, .subscriptionFailed, .subscriptionChecked, .pushTokenFailed, .pushTokenRegistered,
      .pushTokenRefused, .reset, .signedOut, .accountChanged, .cloneDetected, .storeFailed,
    ])

  /// The interval in milliseconds.
  private let interval: Int64
  /// When a check of the subscription failed; nil after a successful one.
  private var checkFailedAt: MonotonicTime?
  /// When the registration of the push token failed; nil after a successful one.
  private var tokenFailedAt: MonotonicTime?
  /// The last request for a push token or its registration.
  private var tokenRequest: CloudRequest?
  /// The last of these requests that was refused.
  private var refusedRequest: CloudRequest?
  private var lastStart: MonotonicTime?
  /// Whether the user requested the running sync.
  private var isManual = false

  /// A checker at the start of a log.
  package init(_ configuration: CoordinatorConfiguration) { interval = configuration.pushes.retry }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .processStarting: self = SubscriptionRetryChecker(interval: interval)
    // The request may be sent again, because the device may not have stored the refusal.
    case .storeFailed: refusedRequest = nil
    case .fact(let fact): return take(fact, at: entry.now)
    case .request(_, let request, _):
      switch request {
      case .createPushToken, .registerPushToken: return sent(request)
      default: break
      }
    default: break
    }
    return nil
  }

  private init(interval: Int64) { self.interval = interval }

  private mutating func take(_ fact: DeviceFact, at now: MonotonicTime) -> Finding? {
    switch fact {
    case .syncStarted(let reasons): (lastStart, isManual) = (now, reasons.contains(.manual))
    case .syncFinished: return finished()
    case .subscriptionFailed: checkFailedAt = now
    case .subscriptionChecked: checkFailedAt = nil
    case .pushTokenFailed: (tokenFailedAt, refusedRequest) = (now, tokenRequest)
    case .pushTokenRegistered: tokenFailedAt = nil
    case .reset(.local, _), .signedOut, .accountChanged: (checkFailedAt, tokenFailedAt) = (nil, nil)
    // The refusal was of the old device ID.
    case .cloneDetected: tokenFailedAt = nil
    // A token that was valid is refused later: the device asks for another one, at its own pace.
    case .storeFailed, .pushTokenRefused: refusedRequest = nil
    default: break
    }
    return nil
  }

  private func finished() -> Finding? {
    guard let failed = [checkFailedAt, tokenFailedAt].compactMap({ $0 }).min(), let lastStart,
      lastStart >= failed.advanced(byMilliseconds: interval)
    else { return nil }
    return Finding(.requestMissing, "a sync ended, and what failed of the subscription was not tried again")
  }

  private mutating func sent(_ request: CloudRequest) -> Finding? {
    tokenRequest = request
    guard let tokenFailedAt, request == refusedRequest else { return nil }
    let retry = tokenFailedAt.advanced(byMilliseconds: interval)
    if let lastStart, lastStart >= retry || isManual && lastStart > tokenFailedAt { return nil }
    return Finding(.retry, "the push service refused the same within the hour, and the user did not ask")
  }
}
