/// A duration in a scenario, such as `250ms`, `2s` or `1h30m`.
package struct TimeSpan: Hashable, Sendable {
  /// The duration in milliseconds, 0 or more.
  package var milliseconds: Int64

  /// A duration of that many milliseconds.
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// The longest duration: ten years of 365 days.
  package static let longest = TimeSpan(milliseconds: 3650 * 86_400_000)

  private static let units: [(name: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
  ]

  /// Parses integers with the units d, h, m, s and ms, at most `longest` in total; nil for any other text.
  package init?(_ text: String) {
    var total: Int64 = 0
    var rest = text.utf8[...]
    while !rest.isEmpty {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(digits.count)
      let letters = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      rest = rest.dropFirst(letters.count)
      guard (1...9).contains(digits.count), let number = Int64(String(decoding: digits, as: UTF8.self)),
        let unit = Self.units.first(where: { $0.name == String(decoding: letters, as: UTF8.self) })
      else { return nil }
      // Nine digits of days are less than 2^63, and the sum is checked after each part.
      total += number * unit.milliseconds
      guard total <= Self.longest.milliseconds else { return nil }
    }
    guard !text.isEmpty else { return nil }
    self.init(milliseconds: total)
  }

  /// The shortest text from which `init(_:)` makes the same duration.
  package var text: String {
    guard milliseconds > 0 else { return "0s" }
    var rest = milliseconds
    var text = ""
    for unit in Self.units where rest >= unit.milliseconds {
      text += "\(rest / unit.milliseconds)\(unit.name)"
      rest %= unit.milliseconds
    }
    return text
  }
}
