import ZoneKitRecords
import ZoneKitSync

/// The state of a device's syncs, derived from its log, and the time until which the device need not send requests.
///
/// All reasons for sending nothing are kept here: the retry time of an answer, a failed store, a lost link, and an
/// account that the cloud refuses.
package struct DeviceHistory: Sendable {
  /// The kinds of events that it reads.
  static let reads = LogEventKinds(
    events: [.processStarting, .processStarted, .request, .storeFailed, .diskReplaced, .clockSet, .accountSet],
    facts: [
      .launched, .syncStarted, .syncFinished, .syncFailed, .storeFailed, .signedOut, .linkChanged, .accountChanged,
      .reset,
    ])

  /// Whether a sync is running.
  package private(set) var isSyncing = false
  /// Whether the running sync, or the last one, has read the database's feed.
  package private(set) var hasAskedDatabase = false
  /// Whether the running sync, or the last one, has read a zone's feed.
  package private(set) var hasAskedZones = false
  /// The time before which the device may send nothing, because the cloud asked for that.
  package private(set) var retryTime: MonotonicTime?
  /// When the cloud asked for that, if the device's disk has stored it and its clock was not set since.
  private var retryTimeNotedAt: MonotonicTime?
  /// The time before which the device need not send anything, because the last sync failed.
  private var pause: MonotonicTime?
  /// The time before which the device may send nothing, as far as it can know.
  private var floor: MonotonicTime?
  /// Whether the app has been launched with its account. Nothing is due before that.
  private var hasLaunched = false
  /// Whether the cloud refuses the account or the version of the app.
  private var isRefused = false

  /// The time until which nothing is due; nil for none.
  var excusedUntil: MonotonicTime? { [pause, floor].compactMap { $0 }.max() }

  /// Whether a device in that state acts without an event. Then its pending work must have a deadline.
  func acts(_ device: DeviceSnapshot) -> Bool {
    hasLaunched && !isRefused && device.isComputing && device.isOnline && device.account != nil && !device.isSyncing
  }

  /// The history of an empty log.
  package init() {}

  /// The next entry was read.
  package mutating func take(_ entry: LogEntry) {
    switch entry.event {
    case .processStarting:
      if retryTimeNotedAt == nil { retryTime = nil }
      (pause, floor) = (nil, nil)
      (isSyncing, hasLaunched, isRefused) = (false, false, false)
    case .processStarted: isSyncing = entry.device.isSyncing
    case .fact(let fact): take(fact, entry)
    case .request(_, .fetchDatabaseChanges, _): hasAskedDatabase = true
    case .request(_, .fetchZoneChanges, _): hasAskedZones = true
    case .storeFailed, .diskReplaced, .clockSet, .accountSet: retryTimeNotedAt = nil
    default: break
    }
  }

  private mutating func take(_ fact: DeviceFact, _ entry: LogEntry) {
    switch fact {
    case .launched: launched(entry)
    case .syncStarted:
      (isSyncing, hasAskedDatabase, hasAskedZones, isRefused) = (true, false, false, false)
      floor = nil
    case .syncFinished(let reasons, _, _):
      isSyncing = false
      // A sync that only sends edits need not end the back-off of fetching.
      if !reasons.areOfEdits { pause = nil }
    case .syncFailed(_, let error, let wait):
      isSyncing = false
      // A device that is refused waits for its user.
      if let wait { failed(error, wait, at: entry.now) } else { isRefused = true }
    // The log does not contain how long the device then waits, nor its handling of the event that could not be stored.
    case .storeFailed:
      retryTimeNotedAt = nil
      pause = Self.longAfter(entry.now)
      floor = pause
    case .signedOut: (isSyncing, isRefused) = (false, true)
    case .linkChanged(let isOnline):
      pause = nil
      if !isOnline { isSyncing = false }
    case .accountChanged:
      isRefused = false
      pause = nil
      retryTimeNotedAt = nil
    case .reset: retryTimeNotedAt = nil
    default: break
    }
  }

  /// A process started. It knows only by its clock how long ago the cloud asked for a pause, and the clock may be fast.
  private mutating func launched(_ entry: LogEntry) {
    hasLaunched = true
    let isNoted = entry.device.value(.retryAfter) != nil
    if isNoted { floor = Self.longAfter(entry.now) }
    guard let asked = retryTime, let retryTimeNotedAt, isNoted else {
      retryTime = nil
      return
    }
    let span = asked.milliseconds - retryTimeNotedAt.milliseconds
    retryTime = asked.advanced(byMilliseconds: -span / 20)
  }

  private mutating func failed(_ error: CloudError, _ wait: Int64, at now: MonotonicTime) {
    if let asked = error.retryAfterMilliseconds {
      retryTime = max(retryTime ?? now, now.advanced(byMilliseconds: asked))
      retryTimeNotedAt = now
    }
    pause = now.advanced(byMilliseconds: wait)
    floor = retryTime
  }

  private static func longAfter(_ now: MonotonicTime) -> MonotonicTime { now.advanced(byMilliseconds: 86_400_000) }
}
