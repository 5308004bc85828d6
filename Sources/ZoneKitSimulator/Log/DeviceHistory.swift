import ZoneKitRecords
import ZoneKitSync

/// What a device's log says so far of its syncs, and until when the device is excused from asking the cloud for anything.
///
/// Excuses are kept here and nowhere else: an answer's retry time, a failed store, a link that is gone, an account that the
/// cloud refuses.
package struct DeviceHistory: Sendable {
  /// Whether a sync is under way.
  package private(set) var isSyncing = false
  /// Whether the sync under way, or the last one, has asked the database's feed.
  package private(set) var hasAskedDatabase = false
  /// Before this the device may ask nothing, because the cloud said so.
  package private(set) var retryTime: MonotonicTime?
  /// When the cloud said so, where the device's disk has noted it and its clock was not set since.
  private var retryTimeNotedAt: MonotonicTime?
  /// Before this the device need not ask, because the last sync failed.
  private var pause: MonotonicTime?
  /// Before this the device may not ask, as far as it can know.
  private var floor: MonotonicTime?
  /// Whether the process has told its coordinator whose it is. Nothing can be due before.
  private var hasLaunched = false
  /// Whether the cloud refuses the account.
  private var isRefused = false

  /// Until when nothing has to be due; nil where the device is not excused.
  var excusedUntil: MonotonicTime? { [pause, floor].compactMap { $0 }.max() }

  /// Whether a device in that state acts by itself: something that it has to do must then be due.
  func acts(_ device: DeviceSnapshot) -> Bool {
    hasLaunched && !isRefused && device.isComputing && device.isOnline && device.account != nil && !device.isSyncing
  }

  /// A history of nothing.
  package init() {}

  /// Takes in what happened next.
  package mutating func take(_ entry: LogEntry) {
    switch entry.event {
    case .processStarting:
      if retryTimeNotedAt == nil { retryTime = nil }
      (pause, floor) = (nil, nil)
      (isSyncing, hasLaunched, isRefused) = (false, false, false)
    case .processStarted: isSyncing = entry.device.isSyncing
    case .fact(let fact): take(fact, entry)
    case .request(_, .fetchDatabaseChanges, _): hasAskedDatabase = true
    case .storeFailed, .diskReplaced, .clockSet, .accountSet: retryTimeNotedAt = nil
    case .request, .answer, .recordsShown, .everythingShown, .settled, .syncWanted, .pushHanded, .resetting, .wrote,
      .edited, .repaired:
      break
    }
  }

  private mutating func take(_ fact: DeviceFact, _ entry: LogEntry) {
    switch fact {
    case .launched: launched(entry)
    case .syncStarted:
      (isSyncing, hasAskedDatabase, isRefused) = (true, false, false)
      floor = nil
    case .syncFinished:
      isSyncing = false
      pause = nil
    case .syncFailed(_, let error, let wait):
      isSyncing = false
      if let wait { failed(error, wait, at: entry.now) }
    // Nobody is told how long the device waits then, nor what it did of the event whose end it could not keep.
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

  /// A process starts anew. It knows only by its clock how long ago the cloud asked, and that clock may be fast.
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
