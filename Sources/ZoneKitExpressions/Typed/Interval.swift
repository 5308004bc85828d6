import ZoneKitRelations

/// A constant span of time.
package struct Interval: Hashable, Sendable {
  /// The months, with those of the years.
  package var months: Int64
  /// The days, with those of the weeks.
  package var days: Int64
  /// The rest.
  package var microseconds: Int64

  /// That span.
  package init(months: Int64 = 0, days: Int64 = 0, microseconds: Int64 = 0) {
    self.months = months
    self.days = days
    self.microseconds = microseconds
  }

  /// The span in the other direction.
  package var negated: Interval { Interval(months: -months, days: -days, microseconds: -microseconds) }

  /// Reads pairs of a whole number and a unit, and a time of day: `7 days`, `1 year 2 months`, `01:30:00`.
  package init(_ text: String) throws(SQLFailure) {
    self.init()
    let invalid = SQLFailure(.invalidTime, "invalid input syntax for type interval: \"\(text)\"")
    let words = text.utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) }
      .map { String(decoding: $0, as: UTF8.self).lowercased() }
    var place = 0
    guard !words.isEmpty else { throw invalid }
    while place < words.count {
      if words[place].utf8.contains(UInt8(ascii: ":")) {
        guard let time = Self.clock(words[place]) else { throw invalid }
        try add(0, 0, time, of: text)
        place += 1
      } else {
        guard let (number, unit) = Self.pair(words, &place), let size = Self.units[unit] else { throw invalid }
        try add(number * size.months, number * size.days, number * size.microseconds, of: text)
      }
    }
  }

  private static func pair(_ words: [String], _ place: inout Int) -> (Int64, String)? {
    let word = words[place].utf8
    let sign = word.first == UInt8(ascii: "-") || word.first == UInt8(ascii: "+") ? 1 : 0
    let digits = word.dropFirst(sign).prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count + sign
    // More digits would leave the range of times anyway.
    guard digits - sign <= 9, let number = Int64(String(decoding: word.prefix(digits), as: UTF8.self)) else {
      return nil
    }
    place += 1
    if word.count > digits { return (number, String(decoding: word.dropFirst(digits), as: UTF8.self)) }
    guard place < words.count else { return (number, "second") }
    place += 1
    return (number, words[place - 1])
  }

  /// Adds a span. PostgreSQL keeps months and days as integers of 32 bits.
  private mutating func add(
    _ months: Int64, _ days: Int64, _ microseconds: Int64, of text: String
  ) throws(SQLFailure) {
    let (sum, isTooLong) = self.microseconds.addingReportingOverflow(microseconds)
    guard !isTooLong, sum != .min, let months = Int32(exactly: self.months + months), months != .min,
      let days = Int32(exactly: self.days + days), days != .min
    else { throw SQLFailure(.intervalOutOfRange, "interval field value out of range: \"\(text)\"") }
    (self.months, self.days, self.microseconds) = (Int64(months), Int64(days), sum)
  }

  private typealias Size = (months: Int64, days: Int64, microseconds: Int64)

  private static let units: [String: Size] = {
    var units: [String: Size] = [:]
    let words: [(String, Size)] = [
      ("microsecond microseconds us usec usecs", (0, 0, 1)), ("millisecond milliseconds ms msec msecs", (0, 0, 1_000)),
      ("second seconds sec secs s", (0, 0, 1_000_000)), ("minute minutes min mins m", (0, 0, 60_000_000)),
      ("hour hours hr hrs h", (0, 0, 3_600_000_000)), ("day days d", (0, 1, 0)), ("week weeks w", (0, 7, 0)),
      ("month months mon mons", (1, 0, 0)), ("year years yr yrs y", (12, 0, 0)), ("decade decades", (120, 0, 0)),
    ]
    for (names, size) in words { for name in names.split(separator: " ") { units[String(name)] = size } }
    return units
  }()

  private static func clock(_ word: String) -> Int64? {
    let isNegative = word.utf8.first == UInt8(ascii: "-")
    let parts = word.utf8.dropFirst(isNegative ? 1 : 0).split(
      separator: UInt8(ascii: ":"), omittingEmptySubsequences: false
    )
    .map { $0.count <= 5 ? UInt16(String(decoding: $0, as: UTF8.self)).map { Int64($0) } : nil }
    guard (2...3).contains(parts.count), let hours = parts[0], let minutes = parts[1], minutes < 60,
      let seconds = parts.count == 3 ? parts[2] : 0, seconds <= 60
    else { return nil }
    return (isNegative ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds) * 1_000_000
  }
}
