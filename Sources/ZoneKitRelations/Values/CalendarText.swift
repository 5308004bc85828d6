import ZoneKitRecords

/// Days, times of day and moments as PostgreSQL reads and writes them with the style ISO.
enum CalendarText {
  static let microsecondsPerDay: Int64 = 86_400_000_000
  static let microsecondsPerSecond: Int64 = 1_000_000

  // MARK: Writing

  /// `2026-05-04`.
  static func date(_ days: Int64) -> String {
    if days == .max { return "infinity" }
    if days == .min { return "-infinity" }
    let (year, month, day) = WallTime.civil(daysSince1970: days)
    let written = year > 0 ? year : 1 - year
    return padded(written, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + (year > 0 ? "" : " BC")
  }

  /// `07:08:09.12`, with as many digits of the fraction as count.
  static func time(_ microseconds: Int64) -> String {
    let seconds = microseconds / microsecondsPerSecond
    var text = padded(seconds / 3_600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2)
    let fraction = microseconds % microsecondsPerSecond
    guard fraction > 0 else { return text }
    text += "." + padded(fraction, 6)
    while text.utf8.last == UInt8(ascii: "0") { text.removeLast() }
    return text
  }

  /// `2026-05-04 07:08:09.12`, with that text between day and time, and with that zone behind them.
  static func timestamp(_ microseconds: Int64, between: String = " ", zone: String = "") -> String {
    if microseconds == .max { return "infinity" }
    if microseconds == .min { return "-infinity" }
    let days = microseconds.flooredQuotient(by: microsecondsPerDay)
    let text = date(days)
    let clock = between + time(microseconds - days * microsecondsPerDay) + zone
    guard text.hasSuffix(" BC") else { return text + clock }
    return text.dropLast(3) + clock + " BC"
  }

  private static func padded(_ number: Int64, _ digits: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
