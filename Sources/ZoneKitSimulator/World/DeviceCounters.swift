import ZoneKitRecords
import ZoneKitSync

/// What happened to a device, in numbers.
package struct DeviceCounters: Hashable, Sendable {
  /// Requests sent, all kinds.
  package internal(set) var requests = 0
  /// Requests that asked a feed of the database or of a zone.
  package internal(set) var fetches = 0
  /// Requests that wrote records.
  package internal(set) var writes = 0
  /// Pushes that were handed to the app.
  package internal(set) var pushes = 0
  /// Pushes that were lost, thrown away or displaced on their way to the app.
  package internal(set) var lostPushes = 0
  /// Pushes that were handed to the app without a notification ID.
  package internal(set) var pushesWithoutID = 0
  /// When the last request was sent.
  package internal(set) var lastRequestAt: MonotonicTime?
  /// The shortest time between two requests, in milliseconds; nil where there were none.
  package internal(set) var closestRequests: Int64?
  /// How often the process died.
  package internal(set) var crashes = 0
  /// Syncs that were started.
  package internal(set) var syncs = 0
  /// Syncs that asked a feed and ended well.
  package internal(set) var completedFetches = 0
  /// When the last of them ended.
  package internal(set) var lastFetchAt: MonotonicTime?
  /// Requests to zones' feeds that were under way at once, at most.
  package internal(set) var zoneFetchesAtOnce = 0
  /// Facts that were told, by name.
  package internal(set) var facts: [String: Int] = [:]
  /// Whether the sync under way has asked a feed.
  private var hasAsked = false
  /// Requests to zones' feeds without an answer so far, and when they were sent.
  private var open: [RequestID: MonotonicTime] = [:]

  /// How often a fact of that name was told.
  package func count(of fact: String) -> Int { facts[fact] ?? 0 }
}

extension DeviceCounters {
  /// Counts a request whose answer is awaited for `timeout` milliseconds.
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

  /// Takes in that an answer came.
  mutating func answered(_ id: RequestID) { open[id] = nil }

  /// Takes in that the process ended: it waits for nothing any more.
  mutating func ended() {
    open = [:]
    hasAsked = false
  }

  /// Counts a fact.
  mutating func count(_ fact: DeviceFact, at now: MonotonicTime) {
    facts[fact.kind.rawValue, default: 0] += 1
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

  /// Measures the time between requests, and what is under way at once, from now on.
  mutating func measureAnew() {
    lastRequestAt = nil
    closestRequests = nil
    zoneFetchesAtOnce = open.count
  }
}
