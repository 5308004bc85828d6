extension WallTime {
  /// The earliest time that has a text form: 0001-01-01T00:00:00Z.
  public static let earliestWritable = WallTime(milliseconds: -62_135_596_800_000)
  /// The latest time that has a text form: 9999-12-31T23:59:59.999Z.
  public static let latestWritable = WallTime(milliseconds: 253_402_300_799_999)

  /// The time in ISO 8601, in UTC with milliseconds, as in `2026-08-14T06:31:05.250Z`. Times outside the years 1 to
  /// 9999 are clamped.
  public var iso8601: String { text(withMilliseconds: true) }

  /// The time in ISO 8601, in UTC in whole seconds (rounded down), as in `2026-08-14T06:31:05Z`.
  public var iso8601Seconds: String { text(withMilliseconds: false) }

  /// Parses `2026-08-14T06:31:05Z`, with an optional fraction (digits after the millisecond are ignored), an offset
  /// such as `+02:00` instead of `Z`, or a date `2026-08-14` (midnight UTC); nil for any other text.
  public init?(iso8601 text: String) { self.init(iso8601: text.utf8.span) }

  /// Parses the bytes of such a text.
  package init?(iso8601 bytes: Span<UInt8>) {
    var reader = DigitReader()
    guard let year = reader.number(digits: 4, in: bytes), reader.take("-", in: bytes),
      let month = reader.number(digits: 2, in: bytes), reader.take("-", in: bytes),
      let day = reader.number(digits: 2, in: bytes),
      year >= 1, (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year)
    else { return nil }
    let midnight = Self.daysSince1970(year: year, month: month, day: day) * 86_400_000
    guard reader.position < bytes.count else {
      self.init(milliseconds: midnight)
      return
    }
    guard reader.take("T", in: bytes), let time = reader.timeOfDay(in: bytes), let offset = reader.offset(in: bytes),
      reader.position == bytes.count
    else { return nil }
    self.init(milliseconds: midnight + time - offset)
  }

  private func text(withMilliseconds: Bool) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    bytes.appendISO8601(self, withMilliseconds: withMilliseconds)
    bytes.append(UInt8(ascii: "Z"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Days in the proleptic Gregorian calendar, counted in eras of 400 years (146,097 days) that begin on 1 March.
  package static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted.flooredQuotient(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The date of a day in that calendar.
  package static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted.flooredQuotient(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// The number of days of a month.
  package static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Int64 {
  /// The quotient, rounded down.
  package func flooredQuotient(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : (self + 1) / divisor - 1
  }
}

extension WallTime {
  /// The time in ISO 8601, in UTC with milliseconds, without the `Z` at its end. Times outside the years 1 to 9999 are
  /// clamped.
  var iso8601Text: InlineArray<23, UInt8> {
    let clamped = min(max(self, .earliestWritable), .latestWritable).milliseconds
    let days = clamped.flooredQuotient(by: 86_400_000)
    let time = clamped - days * 86_400_000
    let (year, month, day) = Self.civil(daysSince1970: days)
    var text = InlineArray<23, UInt8>(repeating: UInt8(ascii: "-"))
    text.write(year / 100, at: 0)
    text.write(year % 100, at: 2)
    text.write(month, at: 5)
    text.write(day, at: 8)
    text[10] = UInt8(ascii: "T")
    text.write(time / 3_600_000, at: 11)
    text[13] = UInt8(ascii: ":")
    text.write(time / 60_000 % 60, at: 14)
    text[16] = UInt8(ascii: ":")
    text.write(time / 1_000 % 60, at: 17)
    text[19] = UInt8(ascii: ".")
    text.write(time % 1_000 / 10, at: 20)
    text[22] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: time % 10)
    return text
  }
}

extension [UInt8] {
  /// Appends a time in ISO 8601, in UTC, without the `Z` at its end. Times outside the years 1 to 9999 are clamped.
  package mutating func appendISO8601(_ time: WallTime, withMilliseconds: Bool = true) {
    let text = time.iso8601Text
    append(copying: text.span.extracting(0..<(withMilliseconds ? 23 : 19)))
  }
}

extension InlineArray<23, UInt8> {
  /// Writes a number below 100 with two digits.
  fileprivate mutating func write(_ number: Int64, at place: Int) {
    self[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
    self[place + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
  }
}

/// Reads numbers of fixed width and single characters from ASCII text. Its methods take the bytes at every call, because a
/// span cannot be stored.
private struct DigitReader {
  var position = 0

  mutating func take(_ mark: Unicode.Scalar, in bytes: Span<UInt8>) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: mark) else { return false }
    position += 1
    return true
  }

  mutating func number(digits: Int, in bytes: Span<UInt8>) -> Int64? {
    guard position + digits <= bytes.count else { return nil }
    var value: Int64 = 0
    for place in position..<position + digits {
      guard let digit = Self.digit(bytes[place]) else { return nil }
      value = value * 10 + digit
    }
    position += digits
    return value
  }

  mutating func timeOfDay(in bytes: Span<UInt8>) -> Int64? {
    guard let hour = number(digits: 2, in: bytes), take(":", in: bytes), let minute = number(digits: 2, in: bytes),
      take(":", in: bytes), let second = number(digits: 2, in: bytes), hour < 24, minute < 60, second < 60
    else { return nil }
    guard let fraction = fraction(in: bytes) else { return nil }
    return ((hour * 60 + minute) * 60 + second) * 1000 + fraction
  }

  /// Milliseconds of an optional fraction; nil if no digit follows the dot.
  private mutating func fraction(in bytes: Span<UInt8>) -> Int64? {
    guard take(".", in: bytes) else { return 0 }
    var value: Int64 = 0
    var count = 0
    while position < bytes.count, let digit = Self.digit(bytes[position]) {
      if count < 3 { value = value * 10 + digit }
      count += 1
      position += 1
    }
    guard count > 0 else { return nil }
    return count == 1 ? value * 100 : count == 2 ? value * 10 : value
  }

  /// The offset from UTC in milliseconds; 0 for `Z`.
  mutating func offset(in bytes: Span<UInt8>) -> Int64? {
    if take("Z", in: bytes) { return 0 }
    let sign: Int64 = take("+", in: bytes) ? 1 : take("-", in: bytes) ? -1 : 0
    guard sign != 0, let hours = number(digits: 2, in: bytes), take(":", in: bytes),
      let minutes = number(digits: 2, in: bytes), hours < 24, minutes < 60
    else { return nil }
    return sign * (hours * 60 + minutes) * 60_000
  }

  private static func digit(_ byte: UInt8) -> Int64? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int64(byte - UInt8(ascii: "0")) : nil
  }
}
