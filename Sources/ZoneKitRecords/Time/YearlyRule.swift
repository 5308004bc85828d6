/// A POSIX rule for the offsets of a zone, such as `CET-1CEST,M3.5.0,M10.5.0/3`: the same two changes each year, or none.
struct YearlyRule: Hashable, Sendable {
  /// When the offset changes in each year.
  private struct Change: Hashable, Sendable {
    /// A day of a year.
    enum Day: Hashable, Sendable {
      /// `M10.5.0`: that weekday of that week of the month, from Sunday, 0. Week 5 is the last one.
      case weekday(month: Int64, week: Int64, day: Int64)
      /// `J60`: a day of the year from 1, without 29 February.
      case julian(Int64)
      /// `59`: a day of the year from 0, with 29 February.
      case zeroBased(Int64)
    }

    var day: Day
    /// Seconds of a clock on the wall after the midnight at the beginning of the day; may be negative.
    var time: Int64

    /// The change in that year by a clock on the wall, in seconds since 1970.
    func second(in year: Int64) -> Int64 { days(in: year) * 86_400 + time }

    private func days(in year: Int64) -> Int64 {
      let newYear = WallTime.daysSince1970(year: year, month: 1, day: 1)
      switch day {
      case .zeroBased(let number): return newYear + number
      case .julian(let number):
        let isAfterLeapDay = number > 59 && WallTime.days(inMonth: 2, of: year) == 29
        return newYear + number - (isAfterLeapDay ? 0 : 1)
      case .weekday(let month, let week, let day):
        let first = WallTime.daysSince1970(year: year, month: month, day: 1)
        // 1970-01-01 was a Thursday.
        let weekday = (first + 4) - (first + 4).flooredQuotient(by: 7) * 7
        let place = (day - weekday + 7) % 7 + (week - 1) * 7
        return first + (place < WallTime.days(inMonth: month, of: year) ? place : place - 7)
      }
    }
  }

  /// The standard offset, in seconds.
  let standard: Int64
  private let summer: Summer?

  /// The time of the year with another offset.
  private struct Summer: Hashable, Sendable {
    var offset: Int64
    var begin: Change
    var end: Change
  }

  /// The offset at that second since 1970, in seconds.
  func offset(at second: Int64) -> Int64 {
    guard let summer else { return standard }
    let days = (second + standard).flooredQuotient(by: 86_400)
    let year = WallTime.civil(daysSince1970: days).year
    // Of two changes at the same second the one to summer time holds: so a zone can have it all year.
    let changes = (year - 1...year + 1).flatMap { year in
      [
        (summer.begin.second(in: year) - standard, summer.offset),
        (summer.end.second(in: year) - summer.offset, standard),
      ]
    }
    return changes.filter { $0.0 <= second }.max { $0 < $1 }?.1 ?? standard
  }

  // MARK: Reading

  /// Reads a rule. Throws if the bytes are none.
  init(parsing bytes: [UInt8]) throws(TimeZoneError) {
    var reader = RuleReader(bytes: bytes)
    guard reader.name(), let west = reader.time(hours: 24) else { throw reader.error }
    standard = -west
    guard !reader.isAtEnd else {
      summer = nil
      return
    }
    guard reader.name() else { throw reader.error }
    var offset = standard + 3600
    if reader.next != UInt8(ascii: ",") {
      guard let west = reader.time(hours: 24) else { throw reader.error }
      offset = -west
    }
    guard let begin = Self.change(&reader), let end = Self.change(&reader), reader.isAtEnd else { throw reader.error }
    summer = Summer(offset: offset, begin: begin, end: end)
  }

  /// `,M10.5.0/3`.
  private static func change(_ reader: inout RuleReader) -> Change? {
    guard reader.take(","), let day = day(&reader) else { return nil }
    guard reader.take("/") else { return Change(day: day, time: 7200) }
    return reader.time(hours: 167).map { Change(day: day, time: $0) }
  }

  private static func day(_ reader: inout RuleReader) -> Change.Day? {
    if reader.take("M") {
      guard let month = reader.number(1...12), reader.take("."), let week = reader.number(1...5), reader.take("."),
        let day = reader.number(0...6)
      else { return nil }
      return .weekday(month: month, week: week, day: day)
    }
    return reader.take("J") ? reader.number(1...365).map { .julian($0) } : reader.number(0...365).map { .zeroBased($0) }
  }
}

/// Reads the parts of a rule from left to right.
private struct RuleReader {
  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }
  var isAtEnd: Bool { position == bytes.count }

  /// The error that the rule is wrong at this position.
  var error: TimeZoneError {
    let text = String(decoding: bytes.prefix(64), as: UTF8.self)
    return TimeZoneError(
      "\"\(text)\" is wrong after \(position) characters; expected a rule such as CET-1CEST,M3.5.0,M10.5.0/3")
  }

  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: mark) else { return false }
    position += 1
    return true
  }

  /// Passes an abbreviation: at least three letters, or `<+0545>`.
  mutating func name() -> Bool {
    if take("<") {
      while let byte = next, byte != UInt8(ascii: ">") { position += 1 }
      return take(">")
    }
    let start = position
    while let byte = next, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) { position += 1 }
    return position - start >= 3
  }

  mutating func number(_ range: ClosedRange<Int64>) -> Int64? {
    var value: Int64?
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), value ?? 0 < 1000 {
      value = (value ?? 0) * 10 + Int64(byte - UInt8(ascii: "0"))
      position += 1
    }
    return value.flatMap { range.contains($0) ? $0 : nil }
  }

  /// `-1`, `5:45` or `+3:00:00` in seconds.
  mutating func time(hours limit: Int64) -> Int64? {
    let sign: Int64 = take("-") ? -1 : 1
    if sign == 1 { _ = take("+") }
    guard var seconds = number(0...limit).map({ $0 * 3600 }) else { return nil }
    for unit in [60, 1] as [Int64] where take(":") {
      guard let part = number(0...59) else { return nil }
      seconds += part * unit
    }
    return sign * seconds
  }
}
