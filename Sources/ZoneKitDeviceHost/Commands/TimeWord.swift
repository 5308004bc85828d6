import ZoneKitRecords

/// A time as a user types it.
package enum TimeWord: Hashable, Sendable {
  case now
  /// ISO 8601 with `Z` or an offset, such as `2026-08-14T06:31:05Z`.
  case absolute(WallTime)
  /// `2026-08-14` or `2026-08-14T06:31` in the device's time zone, given as if it were UTC.
  case local(WallTime)
  /// `HH:MM` of the current day in the device's time zone, in minutes after midnight.
  case today(minutes: Int64)
  /// `-90m`, `-2h` or `-1h30m`: that many milliseconds before now.
  case ago(milliseconds: Int64)

  /// The accepted forms, for errors.
  package static let forms = "now, HH:MM (today), -90m, -2h, 2026-08-14T06:31, or ISO 8601 such as 2026-08-14T06:31:05Z"

  /// Parses a word.
  package init(parsing text: String) throws(AppRefusal) {
    if text == "now" {
      self = .now
    } else if let time = Self.local(text) {
      self = .local(time)
    } else if let time = WallTime(iso8601: text) {
      self = .absolute(time)
    } else if let minutes = Self.minutesOfDay(text) {
      self = .today(minutes: minutes)
    } else if let milliseconds = Self.distance(text) {
      self = .ago(milliseconds: milliseconds)
    } else {
      throw AppRefusal("\"\(text)\" is not a time; expected \(Self.forms)")
    }
  }

  /// The time that the word means at the time `now` on a device in that time zone. Of a time that comes twice it is the
  /// first one; one that is skipped moves forward by the length of the gap.
  package func resolved(now: WallTime, in zone: TimeZoneRules = .utc) -> WallTime {
    switch self {
    case .now: return now
    case .absolute(let time): return time
    case .local(let time): return zone.time(ofLocal: time)
    case .today(let minutes):
      let day: Int64 = 86_400_000
      let local = zone.local(now)
      let sinceMidnight = (local.milliseconds % day + day) % day
      return zone.time(ofLocal: local.advanced(byMilliseconds: minutes * 60_000 - sinceMidnight))
    case .ago(let milliseconds): return now.advanced(byMilliseconds: -milliseconds)
    }
  }

  /// A date, or a date with hours and minutes, and seconds if wanted, without a zone.
  private static func local(_ text: String) -> WallTime? {
    switch text.utf8.count {
    case 10: WallTime(iso8601: text)
    case 16: WallTime(iso8601: text + ":00Z")
    default: WallTime(iso8601: text + "Z")
    }
  }

  private static func minutesOfDay(_ text: String) -> Int64? {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
      let hours = digits(parts[0]), let minutes = digits(parts[1]), hours < 24, minutes < 60
    else { return nil }
    return hours * 60 + minutes
  }

  /// The milliseconds of `-1h30m`; nil if a number has more than nine digits.
  private static func distance(_ text: String) -> Int64? {
    guard text.utf8.first == UInt8(ascii: "-"), (2...40).contains(text.utf8.count) else { return nil }
    var total: Int64 = 0
    var number: [UInt8] = []
    for byte in text.utf8.dropFirst() {
      if let unit = unit(byte) {
        guard let value = digits(number[...]) else { return nil }
        total += value * unit
        number = []
      } else {
        number.append(byte)
      }
    }
    return number.isEmpty ? total : nil
  }

  private static func unit(_ byte: UInt8) -> Int64? {
    switch byte {
    case UInt8(ascii: "s"): 1000
    case UInt8(ascii: "m"): 60_000
    case UInt8(ascii: "h"): 3_600_000
    case UInt8(ascii: "d"): 86_400_000
    default: nil
    }
  }

  private static func digits(_ bytes: some Collection<UInt8>) -> Int64? {
    guard (1...9).contains(bytes.count) else { return nil }
    var value: Int64 = 0
    for byte in bytes {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return value
  }
}
