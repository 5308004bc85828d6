import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// The counters of a device.
package struct DeviceCounters: Hashable, Sendable {
  /// All requests that were sent.
  package internal(set) var requests = 0
  /// Requests for a feed of the database or of a zone.
  package internal(set) var fetches = 0
  /// Requests that wrote records.
  package internal(set) var writes = 0
  /// Pushes that were passed to the app.
  package internal(set) var pushes = 0
  /// Pushes that were lost, discarded or replaced on their way to the app.
  package internal(set) var lostPushes = 0
  /// Pushes without a notification ID that were passed to the app.
  package internal(set) var pushesWithoutID = 0
  /// When the last request was sent.
  package internal(set) var lastRequestAt: MonotonicTime?
  /// The shortest time between two requests, in milliseconds; nil if there were fewer than two.
  package internal(set) var closestRequests: Int64?
  /// How often the process was killed.
  package internal(set) var crashes = 0
  /// Syncs that began.
  package internal(set) var syncs = 0
  /// Syncs that read a feed and ended without an error.
  package internal(set) var completedFetches = 0
  /// When the last of them ended.
  package internal(set) var lastFetchAt: MonotonicTime?
  /// The largest number of zone feed requests in progress at the same time.
  package internal(set) var zoneFetchesAtOnce = 0
  /// The verdicts of a service of tables on rows of the device.
  package internal(set) var verdicts: [RowVerdict: Int] = [:]
  /// Facts that the coordinator reported, by kind.
  package internal(set) var facts: [Fact.Kind: Int] = [:]
  /// Whether the running sync has read a feed.
  private var hasAsked = false
  /// Zone feed requests without an answer so far, and when they were sent.
  private var open: [RequestID: MonotonicTime] = [:]

  /// How often the coordinator reported a fact of that kind.
  package func count(of fact: Fact.Kind) -> Int { facts[fact] ?? 0 }
}

extension DeviceCounters {
  /// Counts a request whose answer has a time limit of `timeout` milliseconds.
  mutating func count(_ request: CloudRequest, _ id: RequestID, timeout: Int64, at now: MonotonicTime) {
    requests += 1
    if let last = lastRequestAt {
      let gap = now.milliseconds - last.milliseconds
      closestRequests = min(gap, closestRequests ?? gap)
    }
    lastRequestAt = now
    if request.kind == .modifyRecords { writes += 1 }
    guard request.kind.isFetch else { return }
    fetches += 1
    hasAsked = true
    guard request.kind == .fetchZoneChanges else { return }
    open = open.filter { $0.value.advanced(byMilliseconds: timeout) > now }
    open[id] = now
    zoneFetchesAtOnce = max(zoneFetchesAtOnce, open.count)
  }

  /// A request was answered.
  mutating func answered(_ id: RequestID) { open[id] = nil }

  /// The process ended, so that it waits for no answers any more.
  mutating func ended() {
    open = [:]
    hasAsked = false
  }

  /// Counts a fact.
  mutating func count(_ fact: DeviceFact, at now: MonotonicTime) {
    facts[fact.kind, default: 0] += 1
    switch fact {
    case .syncStarted:
      syncs += 1
      hasAsked = false
    case .syncFinished where hasAsked:
      completedFetches += 1
      lastFetchAt = now
    case .pushReceived(notificationID: nil): pushesWithoutID += 1
    default: break
    }
  }

  /// Restarts the measurements of the time between requests and of requests at the same time.
  mutating func measureAnew() {
    lastRequestAt = nil
    closestRequests = nil
    zoneFetchesAtOnce = open.count
  }
}
