import ZoneKitRecords
import ZoneKitTableClient
import ZoneKitTableServer

/// A device has one refresh of its session under way at a time, and repeats one without an answer while its service still
/// takes the token that it may have replaced.
package struct RefreshChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.asked, .answered, .suspended, .processStarting], facts: [.linkChanged])

  private struct Refresh {
    var id: UInt64
    var token: String
    var at: MonotonicTime
    /// Whether the refresh before it had the same token and no answer.
    var isRepeat: Bool
    /// Whether the device has learned that no answer comes.
    var hasFailed = false
    /// Whether the app has been running with a link since.
    var isAwake = true
  }

  /// The last refresh, if the service has not answered it.
  private var unanswered: Refresh?

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .asked(let id, .account(.refresh(let token))): return asked(id, token, at: entry.now)
    case .answered(let id, let answer): answered(id, hasFailed: answer.isLost, at: entry.now)
    case .suspended, .fact(.linkChanged(isOnline: false)): unanswered?.isAwake = false
    case .processStarting: unanswered = nil
    default: break
    }
    return nil
  }

  private mutating func asked(_ id: UInt64, _ token: String, at now: MonotonicTime) -> Finding? {
    let last = unanswered
    unanswered = Refresh(id: id, token: token, at: now, isRepeat: last?.token == token)
    guard let last else { return nil }
    let wait = now.milliseconds - last.at.milliseconds
    if !last.hasFailed, wait < Session.answerTime {
      return Finding(.requestTooEarly, "a second refresh of the session begins")
    }
    // After two lost answers the back-off may be longer than the service waits.
    guard last.token == token, !last.isRepeat, last.isAwake, wait > AccountLimits.reuseTime else { return nil }
    return Finding(
      .retry,
      "a refresh without an answer is repeated after \(wait) ms; the service takes a replaced token again for "
        + "\(AccountLimits.reuseTime) ms")
  }

  /// A late answer counts as none, and the second one to a request that a link doubled too.
  private mutating func answered(_ id: UInt64, hasFailed: Bool, at now: MonotonicTime) {
    guard let refresh = unanswered, refresh.id == id, !refresh.hasFailed,
      now.milliseconds - refresh.at.milliseconds < Session.answerTime
    else { return }
    if hasFailed { unanswered?.hasFailed = true } else { unanswered = nil }
  }
}
