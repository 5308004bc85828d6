import ZoneKitMetrics
import ZoneKitThreads

/// How long this process has waited for its disk: for transactions of files, and for syncs alone. All threads count here.
package struct StoreTimes: Sendable {
  /// The times of COMMIT statements. With the usual durability, one waits for a sync of the file's WAL.
  package private(set) var commits = DurationHistogram()
  /// The times of fsync(2) and fdatasync(2), those of the checkpoint thread included.
  package private(set) var syncs = DurationHistogram()

  private static let times = Lock(StoreTimes())

  /// The times since the process started.
  package static var now: StoreTimes { times.withLock { $0 } }

  /// Runs a COMMIT statement and counts its time.
  static func commit<Failure: Error>(_ run: () throws(Failure) -> Void) throws(Failure) {
    let start = MonotonicClock.nanoseconds
    defer { times.withLock { $0.commits.record(MonotonicClock.nanoseconds - start) } }
    try run()
  }

  /// Syncs a file and counts the time of that.
  static func sync(_ run: () -> Int32) -> Int32 {
    let start = MonotonicClock.nanoseconds
    defer { times.withLock { $0.syncs.record(MonotonicClock.nanoseconds - start) } }
    return run()
  }
}
