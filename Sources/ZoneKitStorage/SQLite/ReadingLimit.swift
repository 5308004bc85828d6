import ZoneKitCSQLite

/// Ends the statements of connections that read for too long, or for whose result nobody waits any more. One thread uses it.
package final class ReadingLimit {
  /// When statements end, in nanoseconds of the monotonic clock; nil for not at a time.
  private var end: Int64?
  private let cancellation: Cancellation?

  /// The number of SQLite's steps after which a statement asks whether it goes on: some tenths of a millisecond.
  private static let steps: Int32 = 1_000

  /// No limit but the cancellation.
  init(_ cancellation: Cancellation? = nil) { self.cancellation = cancellation }

  /// Sets the time from now on after which statements end, in milliseconds; nil for none.
  func set(milliseconds: Int64?) {
    end = milliseconds.map { MonotonicClock.nanoseconds + max(0, $0) * 1_000_000 }
  }

  /// Makes the statements of a connection ask. The limit lives as long as the connection.
  func watch(_ connection: OpaquePointer) {
    sqlite3_progress_handler(
      connection, Self.steps,
      { limit in
        guard let limit else { return 0 }
        return Unmanaged<ReadingLimit>.fromOpaque(limit).takeUnretainedValue().isOver ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private var isOver: Bool {
    if let end, MonotonicClock.nanoseconds >= end { return true }
    return cancellation?.isCancelled == true
  }
}
