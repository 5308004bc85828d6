import ZoneKitRecords

/// Reads the text of a day, a time of day or a moment: `2026-05-04`, `20260504`, `07:08`, `07:08:09.123456`, both with a blank or
/// `T` between them, a zone as `Z`, `UTC`, `±HH`, `±HHMM`, `±HH:MM` or `±HH:MM:SS`, `BC` at the end, and the words `epoch`,
/// `infinity`, `now`, `today`, `tomorrow` and `yesterday`. PostgreSQL reads other forms too; they are refused as it refuses what is no
/// time.
struct CalendarReader {
  /// What the text is for.
  enum Target {
    case date
    case time
    case timestamp
  }

  /// The type's name in messages.
  let typeName: String
  let target: Target
  /// The time of the statement, in microseconds from 1970.
  let now: Int64
  private let text: String
  private var rest: Substring.UTF8View

  init(_ text: String, for target: Target, typeName: String, now: Int64) {
    (self.text, self.target, self.typeName, self.now) = (text, target, typeName, now)
    rest = text.utf8.trimmed()
  }

  /// The value: days for a date, microseconds otherwise. `usesZone` tells whether a zone counts.
  mutating func value(usesZone: Bool, precision: Int?) throws(SQLFailure) -> Int64 {
    if let word = word() { return word }
    var days: Int64 = 0
    if target != .time || hasDate {
      days = try day()
      if !skipSeparator() {
        let isBefore = try skipEra()
        days = try isBefore ? beforeChrist(days) : days
        return target == .date ? days : try microseconds(days, 0)
      }
    }
    let clock = try clock()
    let zone = try zone()
    if try skipEra() { days = try beforeChrist(days) }
    guard rest.isEmpty else { throw invalid }
    switch target {
    case .date: return days
    case .time: return Self.rounded(clock, precision)
    case .timestamp:
      let local = try microseconds(days, clock)
      let time = usesZone ? local - zone * CalendarText.microsecondsPerSecond : local
      // PostgreSQL counts from 2000.
      return Self.rounded(time - Self.year2000, precision) + Self.year2000
    }
  }

  private func word() -> Int64? {
    let day = now.flooredQuotient(by: CalendarText.microsecondsPerDay)
    func days(_ number: Int64) -> Int64? {
      switch target {
      case .date: number
      case .timestamp: number * CalendarText.microsecondsPerDay
      case .time: nil
      }
    }
    switch String(decoding: rest, as: UTF8.self).lowercased() {
    case "infinity" where target != .time, "+infinity" where target != .time: return .max
    case "-infinity" where target != .time: return .min
    case "epoch": return days(0)
    case "today": return days(day)
    case "tomorrow": return days(day + 1)
    case "yesterday": return days(day - 1)
    case "now":
      return target == .date ? day : target == .time ? now - day * CalendarText.microsecondsPerDay : now
    default: return nil
    }
  }

  /// Whether the text begins with a day: three digits or more, then a hyphen, or eight digits in all.
  private var hasDate: Bool {
    let digits = rest.prefix { $0.isDigit }.count
    return digits >= 3 && (rest.dropFirst(digits).first == UInt8(ascii: "-") || digits == 8)
  }

  private mutating func day() throws(SQLFailure) -> Int64 {
    let digits = rest.prefix { $0.isDigit }
    var (year, month, day): (Int64, Int64, Int64)
    if digits.count == 8, rest.dropFirst(8).first != UInt8(ascii: "-") {
      (year, month, day) = (try number(4...4), try number(2...2), try number(2...2))
    } else {
      year = try number(3...6)
      guard skip("-") else { throw invalid }
      month = try number(1...2)
      guard skip("-") else { throw invalid }
      day = try number(1...2)
    }
    guard (1...Self.lastYear).contains(year), (1...12).contains(month),
      (1...WallTime.days(inMonth: month, of: year)).contains(day)
    else { throw outOfRange }
    return WallTime.daysSince1970(year: year, month: month, day: day)
  }

  /// The same day of a year before our era.
  private func beforeChrist(_ days: Int64) throws(SQLFailure) -> Int64 {
    let (year, month, day) = WallTime.civil(daysSince1970: days)
    guard year <= 4_713, day <= WallTime.days(inMonth: month, of: 1 - year) else { throw outOfRange }
    return WallTime.daysSince1970(year: 1 - year, month: month, day: day)
  }

  private mutating func clock() throws(SQLFailure) -> Int64 {
    let isCompact = rest.prefix(while: \.isDigit).count == 6
    let hour = try number(1...2)
    guard isCompact || skip(":") else { throw invalid }
    let minute = try number(1...2)
    var (second, fraction): (Int64, Int64) = (0, 0)
    if isCompact || skip(":") {
      second = try number(1...2)
      if skip(".") { fraction = try self.fraction() }
    }
    let isEndOfDay = hour == 24 && minute == 0 && second == 0 && fraction == 0
    guard isEndOfDay || hour < 24, minute < 60, second <= 60 else { throw outOfRange }
    return ((hour * 60 + minute) * 60 + second) * CalendarText.microsecondsPerSecond + fraction
  }

  /// A fraction of a second in microseconds, rounded.
  private mutating func fraction() throws(SQLFailure) -> Int64 {
    let digits = rest.prefix { $0.isDigit }
    rest = rest.dropFirst(digits.count)
    var number: Int64 = 0
    for place in 0..<7 {
      let digit = digits.dropFirst(place).first.map { Int64($0 - UInt8(ascii: "0")) } ?? 0
      number = 10 * number + digit
    }
    return (number + 5) / 10
  }

  /// The seconds of a zone east of UTC; 0 without one.
  private mutating func zone() throws(SQLFailure) -> Int64 {
    while skip(" ") {}
    let letters = String(decoding: rest.prefix { !$0.isSpace }, as: UTF8.self).lowercased()
    if ["z", "utc", "gmt", "zulu"].contains(letters) {
      rest = rest.dropFirst(letters.utf8.count)
      return 0
    }
    guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return 0 }
    rest = rest.dropFirst()
    let digits = rest.prefix { $0.isDigit }.count
    var (hour, minute, second): (Int64, Int64, Int64) = (0, 0, 0)
    if digits == 4 {
      (hour, minute) = (try number(2...2), try number(2...2))
    } else {
      hour = try number(1...2)
      if skip(":") { minute = try number(2...2) }
      if skip(":") { second = try number(2...2) }
    }
    guard hour < 16, minute < 60, second < 60 else {
      throw SQLFailure(.timeZoneOutOfRange, "time zone displacement out of range: \"\(text)\"")
    }
    return (sign == UInt8(ascii: "-") ? -1 : 1) * ((hour * 60 + minute) * 60 + second)
  }

  // MARK: Parts

  private mutating func number(_ count: ClosedRange<Int>) throws(SQLFailure) -> Int64 {
    let digits = rest.prefix(count.upperBound).prefix { $0.isDigit }
    guard count.contains(digits.count) else { throw invalid }
    rest = rest.dropFirst(digits.count)
    return digits.reduce(0) { 10 * $0 + Int64($1 - UInt8(ascii: "0")) }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Passes what separates day and time. Returns false if only a zone, an era or nothing follows.
  private mutating func skipSeparator() -> Bool {
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "t") {
      rest = rest.dropFirst()
      return true
    }
    guard rest.first == UInt8(ascii: " ") else { return false }
    let behind = rest.drop { $0 == UInt8(ascii: " ") }
    guard behind.first?.isDigit == true else { return false }
    rest = behind
    return true
  }

  /// Passes `BC` or `AD` at the end. Returns whether it is `BC`.
  private mutating func skipEra() throws(SQLFailure) -> Bool {
    switch String(decoding: rest.trimmed(), as: UTF8.self).lowercased() {
    case "": return false
    case "bc":
      rest = rest.suffix(0)
      return true
    case "ad":
      rest = rest.suffix(0)
      return false
    default: throw invalid
    }
  }

  private func microseconds(_ days: Int64, _ clock: Int64) throws(SQLFailure) -> Int64 {
    let (start, isTooLarge) = days.multipliedReportingOverflow(by: CalendarText.microsecondsPerDay)
    let (sum, isBeyond) = start.addingReportingOverflow(clock)
    guard !isTooLarge, !isBeyond else {
      throw SQLFailure(.timeOutOfRange, "timestamp out of range: \"\(text)\"")
    }
    return sum
  }

  /// The last year whose microseconds from 1970 fit 64 bits; PostgreSQL, which counts from 2000, has thirty years more.
  private static var lastYear: Int64 { 294_246 }

  /// The beginning of the year 2000, in microseconds from 1970.
  private static var year2000: Int64 { 10_957 * CalendarText.microsecondsPerDay }

  /// Rounds to that many digits of a second, half away from zero.
  private static func rounded(_ microseconds: Int64, _ precision: Int?) -> Int64 {
    guard let precision, precision < 6 else { return microseconds }
    let unit = (0..<(6 - precision)).reduce(Int64(1)) { unit, _ in unit * 10 }
    let half = microseconds >= 0 ? unit / 2 : -unit / 2
    return (microseconds + half) / unit * unit
  }

  private var invalid: SQLFailure {
    SQLFailure(.invalidTime, "invalid input syntax for type \(typeName): \"\(text)\"")
  }

  private var outOfRange: SQLFailure {
    SQLFailure(.timeOutOfRange, "date/time field value out of range: \"\(text)\"")
  }
}

extension UInt8 {
  /// Whether the byte is a decimal digit.
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
