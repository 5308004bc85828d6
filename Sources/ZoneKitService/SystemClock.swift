import ZoneKitDeviceHost
import ZoneKitEventLoop
import Glibc
import ZoneKitRecords

/// The monotonic clock and the wall clock of this machine. The wall clock can be given an error, for tests.
package struct SystemClock {
  private let loop: Loop
  /// The error of the wall clock.
  private var error = DeviceClock()
  /// The time at which the wall clock stands; nil if it runs.
  package var standsAt: WallTime?

  /// The clocks for a loop. The wall clock is `offset` milliseconds ahead and runs fast by `drift` parts per million.
  package init(loop: Loop, offset: Int64 = 0, drift: Int64 = 0) {
    self.loop = loop
    error.set(offset: offset, at: monotonic)
    error.set(drift: drift, at: monotonic)
  }

  /// Moves the wall clock forward by that many milliseconds; back if negative.
  package mutating func move(by milliseconds: Int64) {
    standsAt = standsAt?.advanced(byMilliseconds: milliseconds)
    error.set(offset: error.offset(at: monotonic) + milliseconds, at: monotonic)
  }

  /// Makes the wall clock run fast by that many parts per million from now on; slow if negative. Its present error is
  /// kept.
  package mutating func set(drift: Int64) { error.set(drift: drift, at: monotonic) }

  /// Removes the error of the wall clock.
  package mutating func setRight() {
    error = DeviceClock()
    standsAt = nil
  }

  private var monotonic: MonotonicTime { MonotonicTime(milliseconds: loop.now) }

  /// The present time of both clocks.
  package var now: Moment {
    Moment(
      wall: standsAt ?? Self.wall.advanced(byMilliseconds: error.offset(at: monotonic)), monotonic: monotonic)
  }

  /// The time of this machine's wall clock, without an error.
  package static var wall: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
