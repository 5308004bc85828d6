import ZoneKitRecords
import ZoneKitSync

/// A check of the subscription or a push token that was refused is tried again with a later sync, not before the interval
/// for it is over or the user asks.
package struct SubscriptionRetryChecker: DeviceChecker {
  /// How long what failed is left alone, in milliseconds.
  private let interval: Int64
  /// When the subscription could not be checked, and it was not since.
  private var checkFailedAt: MonotonicTime?
  /// When the push token could not be registered, and none was since.
  private var tokenFailedAt: MonotonicTime?
  /// The last request for a push token, or for its registration.
  private var tokenRequest: CloudRequest?
  /// The one that was refused last.
  private var refusedRequest: CloudRequest?
  private var lastStart: MonotonicTime?
  /// Whether the sync under way is the user's own wish.
  private var isManual = false

  /// A checker before anything happened.
  package init(_ configuration: CoordinatorConfiguration) { interval = configuration.subscriptionRetry }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .processStarting: self = SubscriptionRetryChecker(interval: interval)
    // What was refused may be asked for again: the device may not have kept that it was.
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
    case .storeFailed: refusedRequest = nil
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
