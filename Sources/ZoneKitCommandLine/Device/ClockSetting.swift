import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitService

/// A change of a device's wall clock.
enum ClockSetting: Equatable {
  /// The clock stands at that time.
  case standing(WallTime)
  /// The clock is moved forward by that many milliseconds from its present time; back if negative.
  case moved(Int64)
  /// The clock drifts by that many parts per million; it runs slow if negative.
  case drifting(Int64)
  /// The clock has the time of the machine's clock.
  case right

  /// The largest drift in parts per million: the clock runs at twice the speed, or stands.
  static let driftLimit: Int64 = 1_000_000

  /// Parses the words after `clock`.
  init(words: ArraySlice<String>) throws(AppRefusal) {
    let words = Array(words)
    if words == ["real"] {
      self = .right
    } else if words.count == 2, words[0] == "drift" {
      guard let drift = Int64(words[1]), drift.magnitude <= Self.driftLimit.magnitude else {
        throw AppRefusal(
          "clock drift takes millionths from -\(Self.driftLimit) to \(Self.driftLimit), not \(words[1])")
      }
      self = .drifting(drift)
    } else if words.count == 1, let distance = Self.distance(words[0]) {
      self = .moved(distance)
    } else if words.count == 1, let time = WallTime(iso8601: words[0]) {
      self = .standing(time)
    } else {
      throw AppRefusal(
        "clock takes a time such as 2026-08-14T06:31:05Z, at which it then stands, a step such as +1h or -90s, "
          + "drift and millionths, or real")
    }
  }

  /// The milliseconds of `+1h30m`, `-90s` or `+250ms`.
  private static func distance(_ word: String) -> Int64? {
    guard word.first == "+" || word.first == "-" else { return nil }
    if word.hasSuffix("ms") { return Int64(word.dropLast(2)).flatMap { $0.magnitude < 1 << 53 ? $0 : nil } }
    guard case .ago(let milliseconds)? = try? TimeWord(parsing: "-" + word.dropFirst()) else { return nil }
    return word.first == "+" ? milliseconds : -milliseconds
  }

  /// Applies the change to a clock.
  func set(_ clock: inout SystemClock) {
    switch self {
    case .standing(let time): clock.standsAt = time
    case .moved(let distance): clock.move(by: distance)
    case .drifting(let drift): clock.set(drift: drift)
    case .right: clock.setRight()
    }
  }
}
