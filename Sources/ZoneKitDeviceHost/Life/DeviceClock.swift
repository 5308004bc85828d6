import ZoneKitRecords

/// The error of a device's wall clock: it may be ahead or behind, and run too fast or too slow. Its monotonic clock is right.
package struct DeviceClock: Hashable, Sendable {
  /// How far ahead of the true time it was when it was set, in milliseconds; negative where it was behind.
  package private(set) var offset: Int64
  /// How many parts of a million too fast it runs; negative where too slow.
  package private(set) var drift: Int64
  private var setAt: MonotonicTime

  /// A clock that is right.
  package init() {
    offset = 0
    drift = 0
    setAt = MonotonicTime(milliseconds: 0)
  }

  /// How far ahead of the true time it is then, in milliseconds.
  package func offset(at now: MonotonicTime) -> Int64 {
    offset + (now.milliseconds - setAt.milliseconds) * drift / 1_000_000
  }

  /// Sets it that far ahead of the true time.
  package mutating func set(offset: Int64, at now: MonotonicTime) {
    self.offset = offset
    setAt = now
  }

  /// Makes it run that many parts of a million too fast from now on.
  package mutating func set(drift: Int64, at now: MonotonicTime) {
    offset = offset(at: now)
    setAt = now
    self.drift = drift
  }
}
