import ZoneKitRecords

/// The format of times, durations and texts in a timeline.
package enum TimelineWords {
  /// A time in milliseconds since the start: `0:01.250`, `2:00:00.000`, `1 d 00:00:00.000`.
  package static func moment(_ milliseconds: Int64) -> String {
    guard milliseconds >= 0 else { return "\(milliseconds) ms" }
    let seconds = milliseconds / 1000
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60)
    let rest = "\(padded(seconds % 60, 2)).\(padded(milliseconds % 1000, 3))"
    if days > 0 { return "\(days) d \(padded(hours, 2)):\(padded(minutes, 2)):\(rest)" }
    return hours > 0 ? "\(hours):\(padded(minutes, 2)):\(rest)" : "\(minutes):\(rest)"
  }

  /// A duration in milliseconds, in its two largest units: `12 min`, `1 h 5 min`, `45 s`.
  static func spell(_ milliseconds: Int64) -> String {
    let units: [(size: Int64, name: String)] = [
      (86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1000, "s"), (1, "ms"),
    ]
    guard let first = units.firstIndex(where: { $0.size <= milliseconds }) else { return "\(milliseconds) ms" }
    var parts = ["\(milliseconds / units[first].size) \(units[first].name)"]
    if units.indices.contains(first + 1), units[first].size > 1000 {
      let rest = milliseconds % units[first].size / units[first + 1].size
      if rest > 0 { parts.append("\(rest) \(units[first + 1].name)") }
    }
    return parts.joined(separator: " ")
  }

  /// The text for a number of events that are not shown.
  static func leftOut(_ count: Int) -> String { "\(count.counted("event")) left out" }

  /// The text on one line. Characters that a terminal or an XML document cannot show are replaced by visible symbols.
  ///
  /// XML 1.0, section 2.2, allows no control characters except tab and line ends, and not U+FFFE and U+FFFF. Direction
  /// marks are replaced because they would affect the text around them.
  static func shown(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(shown(scalar)) }
    return String(result)
  }

  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7f: "\u{2421}"
    case 0x80..<0xa0, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff, 0xfffe, 0xffff: "\u{FFFD}"
    default: scalar
    }
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
