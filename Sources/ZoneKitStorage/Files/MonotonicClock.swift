import Glibc

/// The system's clock that only goes forward. It stands still while the machine is suspended.
package enum MonotonicClock {
  /// The time since an arbitrary moment, in nanoseconds.
  package static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
