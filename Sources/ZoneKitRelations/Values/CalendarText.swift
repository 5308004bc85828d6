import ZoneKitRecords

/// Days, times of day and moments as PostgreSQL reads and writes them with the style ISO.
enum CalendarText {
  static let microsecondsPerDay: Int64 = 86_400_000_000
  static let microsecondsPerSecond: Int64 = 1_000_000

  // MARK: Writing

  /// `2026-05-04`.
  static func date(_ days: Int64) -> String { text { $0.append(date: days) } }

  /// `07:08:09.12`, with as many digits of the fraction as count.
  static func time(_ microseconds: Int64) -> String { text { $0.append(time: microseconds) } }

  /// `2026-05-04 07:08:09.12`, with that text between day and time, and with that zone behind them.
  static func timestamp(_ microseconds: Int64, between: String = " ", zone: String = "") -> String {
    text { $0.append(timestamp: microseconds, between: between, zone: zone) }
  }

  private static func text(_ body: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    body(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The same as bytes. Texts of their own for each part would take most of the time of a long answer.
extension [UInt8] {
  /// Appends a day.
  mutating func append(date days: Int64) {
    guard days != .max, days != .min else { return append(infinite: days) }
    let (year, month, day) = WallTime.civil(daysSince1970: days)
    append(year: year, month, day)
    if year <= 0 { self += " BC".utf8 }
  }

  /// Appends a time of day.
  mutating func append(time microseconds: Int64) {
    let seconds = microseconds / CalendarText.microsecondsPerSecond
    append(seconds / 3_600, digits: 2)
    append(UInt8(ascii: ":"))
    append(seconds / 60 % 60, digits: 2)
    append(UInt8(ascii: ":"))
    append(seconds % 60, digits: 2)
    let fraction = microseconds % CalendarText.microsecondsPerSecond
    guard fraction > 0 else { return }
    append(UInt8(ascii: "."))
    append(fraction, digits: 6)
    while last == UInt8(ascii: "0") { removeLast() }
  }

  /// Appends a moment.
  mutating func append(timestamp microseconds: Int64, between: String, zone: String) {
    guard microseconds != .max, microseconds != .min else { return append(infinite: microseconds) }
    let days = microseconds.flooredQuotient(by: CalendarText.microsecondsPerDay)
    let (year, month, day) = WallTime.civil(daysSince1970: days)
    append(year: year, month, day)
    self += between.utf8
    append(time: microseconds - days * CalendarText.microsecondsPerDay)
    self += zone.utf8
    if year <= 0 { self += " BC".utf8 }
  }

  private mutating func append(infinite value: Int64) { self += (value == .max ? "infinity" : "-infinity").utf8 }

  private mutating func append(year: Int64, _ month: Int64, _ day: Int64) {
    append(year > 0 ? year : 1 - year, digits: 4)
    append(UInt8(ascii: "-"))
    append(month, digits: 2)
    append(UInt8(ascii: "-"))
    append(day, digits: 2)
  }

  /// Appends a number that is not below zero, with at least so many digits.
  private mutating func append(_ number: Int64, digits: Int) {
    var divisor: Int64 = 1
    for _ in 1..<digits { divisor *= 10 }
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }
}
