import ZoneKitRecords
import ZoneKitTableClient
import ZoneKitTableServer

/// A device has one refresh of its session under way at a time, and repeats one without an answer while its service still
/// takes the token that it may have replaced.
package struct RefreshChecker: Sendable {
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

  /// The last refresh of each device, if the service has not answered it.
  private var unanswered: [Int: Refresh] = [:]

  /// A checker at the start.
  package init() {}

  /// A device asks for a refresh with that token. Returns the violation; nil for none.
  package mutating func asked(_ id: UInt64, _ token: String, by device: Int, at now: MonotonicTime) -> Finding? {
    let last = unanswered[device]
    unanswered[device] = Refresh(id: id, token: token, at: now, isRepeat: last?.token == token)
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

  /// A device gets the answer to a request, or learns that none comes. A late answer counts as none, and the second one
  /// to a request that a link doubled too.
  package mutating func answered(_ id: UInt64, on device: Int, hasFailed: Bool, at now: MonotonicTime) {
    guard let refresh = unanswered[device], refresh.id == id, !refresh.hasFailed,
      now.milliseconds - refresh.at.milliseconds < Session.answerTime
    else { return }
    if hasFailed { unanswered[device]?.hasFailed = true } else { unanswered[device] = nil }
  }

  /// The app of a device was suspended, or lost its link.
  package mutating func paused(_ device: Int) { unanswered[device]?.isAwake = false }

  /// The process of a device ended.
  package mutating func ended(_ device: Int) { unanswered[device] = nil }
}
