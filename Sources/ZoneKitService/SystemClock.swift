import ZoneKitEventLoop
import Glibc
import ZoneKitRecords

/// The machine's two clocks, with a wall clock that can be set wrong on purpose.
package struct SystemClock {
  private let loop: Loop
  /// Added to what the wall clock says, in milliseconds: how wrong this device's clock is, its drift left out.
  package var offset: Int64
  /// A moment at which the wall clock stands still; nil lets it run.
  package var standsAt: WallTime?
  /// By how many millionths the wall clock runs too fast, or too slow where negative. What it has gained so far stays.
  package var drift: Int64 {
    get { rate }
    set {
      offset += gained
      driftsSince = loop.now
      rate = newValue
    }
  }
  private var rate: Int64
  private var driftsSince: Int64

  /// The clocks of a loop's process, wrong by that many milliseconds and getting worse by that many millionths.
  package init(loop: Loop, offset: Int64 = 0, drift: Int64 = 0) {
    self.loop = loop
    self.offset = offset
    rate = drift
    driftsSince = loop.now
  }

  /// What the drift has added since it began.
  private var gained: Int64 { (loop.now - driftsSince) * rate / 1_000_000 }

  /// Makes the wall clock right again.
  package mutating func setRight() {
    drift = 0
    offset = 0
    standsAt = nil
  }

  /// Both clocks at once.
  package var now: Moment {
    Moment(
      wall: standsAt ?? Self.wall.advanced(byMilliseconds: offset + gained),
      monotonic: MonotonicTime(milliseconds: loop.now))
  }

  /// What the wall clock says.
  package static var wall: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
