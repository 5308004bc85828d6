/// How wrong a device's clock is, remembered while the device does not run.
struct RealClock {
  /// How far it was ahead when the drift began, in milliseconds.
  private(set) var offset: Int64 = 0
  /// By how many millionths it runs too fast.
  private(set) var drift: Int64 = 0
  private var since: Int64 = 0

  /// How far it is ahead at a time of a clock that never jumps, in milliseconds.
  func offset(at now: Int64) -> Int64 { offset + (now - since) * drift / 1_000_000 }

  /// Sets it ahead by so many milliseconds, or back.
  mutating func move(by distance: Int64) { offset += distance }

  /// Makes it run too fast from now on.
  mutating func drift(by millionths: Int64, at now: Int64) {
    offset = offset(at: now)
    since = now
    drift = millionths
  }
}
