import ZoneKitDeviceHost
import ZoneKitEventLoop
import Glibc
import ZoneKitRecords

/// The machine's two clocks, with a wall clock that can be set wrong on purpose.
package struct SystemClock {
  private let loop: Loop
  /// The error of the wall clock.
  private var error = DeviceClock()
  /// The time at which the wall clock stands still; nil while it runs.
  package var standsAt: WallTime?

  /// The clocks of a loop's process, whose wall clock is that many milliseconds ahead and runs that many parts of a million
  /// too fast.
  package init(loop: Loop, offset: Int64 = 0, drift: Int64 = 0) {
    self.loop = loop
    error.set(offset: offset, at: monotonic)
    error.set(drift: drift, at: monotonic)
  }

  /// Sets the wall clock ahead by that many milliseconds, or back.
  package mutating func move(by milliseconds: Int64) {
    standsAt = standsAt?.advanced(byMilliseconds: milliseconds)
    error.set(offset: error.offset(at: monotonic) + milliseconds, at: monotonic)
  }

  /// Makes the wall clock run that many parts of a million too fast from now on; negative for too slow. Its error so far
  /// stays.
  package mutating func set(drift: Int64) { error.set(drift: drift, at: monotonic) }

  /// Makes the wall clock right again.
  package mutating func setRight() {
    error = DeviceClock()
    standsAt = nil
  }

  private var monotonic: MonotonicTime { MonotonicTime(milliseconds: loop.now) }

  /// Both clocks at once.
  package var now: Moment {
    Moment(
      wall: standsAt ?? Self.wall.advanced(byMilliseconds: error.offset(at: monotonic)), monotonic: monotonic)
  }

  /// What the wall clock says.
  package static var wall: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
