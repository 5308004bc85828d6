import EventLoop
import Glibc
import Records

/// The machine's two clocks, with a wall clock that can be set wrong on purpose.
package struct SystemClock {
  private let loop: Loop
  /// Added to what the wall clock says, in milliseconds: how wrong this device's clock is.
  package var offset: Int64
  /// A moment at which the wall clock stands still; nil lets it run.
  package var standsAt: WallTime?

  /// The clocks of a loop's process.
  package init(loop: Loop, offset: Int64 = 0) {
    self.loop = loop
    self.offset = offset
  }

  /// Both clocks at once.
  package var now: Moment {
    Moment(
      wall: standsAt ?? Self.wall.advanced(byMilliseconds: offset), monotonic: MonotonicTime(milliseconds: loop.now))
  }

  /// What the wall clock says.
  package static var wall: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
