import ZoneKitRecords

/// The error of a device's wall clock: its offset from the true time and its drift. The monotonic clock of a device has
/// no error.
package struct DeviceClock: Hashable, Sendable {
  /// The offset from the true time when the clock was set, in milliseconds; negative if it was behind.
  package private(set) var offset: Int64
  /// The drift in parts per million; negative if the clock runs slow.
  package private(set) var drift: Int64
  private var setAt: MonotonicTime

  /// A clock without an error.
  package init() {
    offset = 0
    drift = 0
    setAt = MonotonicTime(milliseconds: 0)
  }

  /// The offset from the true time at that time, in milliseconds.
  package func offset(at now: MonotonicTime) -> Int64 {
    offset + (now.milliseconds - setAt.milliseconds) * drift / 1_000_000
  }

  /// Sets the clock to that offset from the true time.
  package mutating func set(offset: Int64, at now: MonotonicTime) {
    self.offset = offset
    setAt = now
  }

  /// Sets the drift in parts per million. The present offset is kept.
  package mutating func set(drift: Int64, at now: MonotonicTime) {
    offset = offset(at: now)
    setAt = now
    self.drift = drift
  }
}
