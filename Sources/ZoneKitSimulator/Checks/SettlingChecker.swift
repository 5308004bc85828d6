import ZoneKitRecords
import ZoneKitSync

/// The feeds are read soon after a subscription or push token is new, for changes from before it was active.
package struct SettlingChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarting, .request, .answer, .settled],
    facts: [.pushTokenRegistered, .subscriptionChecked, .syncStarted, .signedOut, .accountChanged, .storeFailed])

  /// The time until a new subscription or push token is active, in milliseconds.
  private let span: Int64
  /// The period in which the feeds have to be read.
  private var period: (from: MonotonicTime, until: MonotonicTime)?
  /// Whether the store failed in that period. The device then schedules the look when it registers its token again.
  private var isReopened = false
  /// The request for a push token that waits for its answer.
  private var tokenRequest: RequestID?
  /// The last push token that was created, as long as it is not registered.
  private var newToken: String?

  /// A checker at the start of a log.
  package init(_ configuration: CoordinatorConfiguration) { span = configuration.pushes.settling }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .processStarting: (period, isReopened, tokenRequest, newToken) = (nil, false, nil, nil)
    case .request(let id, .createPushToken, _): tokenRequest = id
    case .answer(let id, .success(.pushToken(_, let token))): if id == tokenRequest { newToken = token }
    case .fact(let fact): take(fact, at: entry.now)
    case .settled: return settled(entry, history)
    default: break
    }
    return nil
  }

  private mutating func take(_ fact: DeviceFact, at now: MonotonicTime) {
    let active = now.advanced(byMilliseconds: span)
    switch fact {
    case .pushTokenRegistered(let token):
      if isReopened { period?.until = active }
      isReopened = false
      guard token == newToken else { return }
      newToken = nil
      period = (active, active)
    case .subscriptionChecked(let origin): if origin != .found { period = (active, active) }
    case .syncStarted(let reasons):
      if let period, !reasons.areOfEdits, period.from <= now { self.period = nil }
    case .signedOut, .accountChanged: period = nil
    case .storeFailed:
      period?.until = active
      isReopened = period != nil
    default: break
    }
  }

  private func settled(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    guard let period, history.acts(entry.device) else { return nil }
    let latest = max(period.until, history.excusedUntil ?? period.until)
    guard entry.device.nextDeadline.map({ $0 > latest }) ?? true else { return nil }
    return Finding(
      .requestMissing,
      "a subscription or push token is new, and nothing is due until \(period.until.milliseconds) ms to read the feeds")
  }
}
