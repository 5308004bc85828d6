import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitService

/// What is done to a device's wall clock.
enum ClockSetting: Equatable {
  /// It stands at a moment.
  case standing(WallTime)
  /// It is set ahead by so many milliseconds of what it says, or back.
  case moved(Int64)
  /// It runs too fast by so many millionths, or too slow.
  case drifting(Int64)
  /// It says what the machine's clock says.
  case right

  /// The largest drift, in millionths: a clock that runs twice as fast, or stands still.
  static let driftLimit: Int64 = 1_000_000

  /// Reads the words behind `clock`; the error says what would be right.
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

  /// `+1h30m`, `-90s` or `+250ms` in milliseconds.
  private static func distance(_ word: String) -> Int64? {
    guard word.first == "+" || word.first == "-" else { return nil }
    if word.hasSuffix("ms") { return Int64(word.dropLast(2)).flatMap { $0.magnitude < 1 << 53 ? $0 : nil } }
    guard case .ago(let milliseconds)? = try? TimeWord(parsing: "-" + word.dropFirst()) else { return nil }
    return word.first == "+" ? milliseconds : -milliseconds
  }

  /// Does it to a clock.
  func set(_ clock: inout SystemClock) {
    switch self {
    case .standing(let time): clock.standsAt = time
    case .moved(let distance): clock.move(by: distance)
    case .drifting(let drift): clock.set(drift: drift)
    case .right: clock.setRight()
    }
  }
}
