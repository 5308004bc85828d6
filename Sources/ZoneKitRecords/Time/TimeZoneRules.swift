/// The rules of a time zone: its offset from UTC at every time.
///
/// Rules come from the bytes of a compiled time zone (RFC 8536), or from a POSIX rule such as
/// `CET-1CEST,M3.5.0,M10.5.0/3`. They read no file and no environment.
public struct TimeZoneRules: Hashable, Sendable, CustomStringConvertible {
  /// A change of the offset.
  struct Transition: Hashable, Sendable {
    /// When it happens, in seconds since 1970.
    var at: Int64
    /// The offset from then on, in seconds.
    var offset: Int64
  }

  /// The name, such as `Europe/Zurich`.
  public let name: String
  /// The offset before the first transition, in seconds.
  private let first: Int64
  /// The transitions in ascending order.
  private let transitions: [Transition]
  /// The rule after the last transition; nil if the offset stays.
  private let yearly: YearlyRule?

  init(name: String, first: Int64, transitions: [Transition] = [], yearly: YearlyRule? = nil) {
    self.name = name
    self.first = first
    self.transitions = transitions
    self.yearly = yearly
  }

  /// A zone that follows a POSIX rule at all times. Throws if the text is no such rule.
  public init(name: String, posix rule: String) throws(TimeZoneError) {
    let yearly = try YearlyRule(parsing: Array(rule.utf8))
    self.init(name: name, first: yearly.standard, yearly: yearly)
  }

  /// Coordinated universal time.
  public static let utc = TimeZoneRules(name: "UTC", first: 0)

  /// The zones that need no files, UTC first. Random worlds are in them.
  package static let known: [TimeZoneRules] =
    [utc]
    + [
      ("Europe/Zurich", "CET-1CEST,M3.5.0,M10.5.0/3"), ("America/New_York", "EST5EDT,M3.2.0,M11.1.0"),
      ("Asia/Kathmandu", "<+0545>-5:45"), ("Pacific/Tongatapu", "<+13>-13"),
    ].compactMap { try? TimeZoneRules(name: $0.0, posix: $0.1) }

  /// The zone of that name among those that need no files. Throws if there is none.
  package static func known(_ name: String) throws(TimeZoneError) -> TimeZoneRules {
    guard let zone = known.first(where: { $0.name == name }) else {
      let names = known.map(\.name).joined(separator: ", ")
      throw TimeZoneError("no time zone \(name) is known without files of zones; expected one of \(names)")
    }
    return zone
  }

  /// Whether a text has the form of a zone's name: parts of letters, digits, `_`, `+` and `-`, with slashes between them.
  package static func isName(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return text.utf8.count <= 64
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
              UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
              true
            default: false
            }
          }
      }
  }

  /// The name of the zone.
  public var description: String { name }

  // MARK: Times

  /// The offset from UTC at that time, in milliseconds; positive east of Greenwich.
  public func offset(at time: WallTime) -> Int64 {
    let clamped = min(max(time, .earliestWritable), .latestWritable).milliseconds
    return offset(atSecond: clamped.flooredQuotient(by: 1000)) * 1000
  }

  private func offset(atSecond second: Int64) -> Int64 {
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].at <= second { low = middle + 1 } else { high = middle }
    }
    if low == transitions.count, let yearly { return yearly.offset(at: second) }
    return low == 0 ? first : transitions[low - 1].offset
  }

  /// The time of a clock on the wall in the zone, as if it were UTC: for texts and days.
  package func local(_ time: WallTime) -> WallTime { time.advanced(byMilliseconds: offset(at: time)) }

  /// The calendar day in the zone at that time, such as `2026-11-21`.
  public func day(of time: WallTime) -> String { String(local(time).iso8601.prefix(10)) }

  /// The time at which a clock on the wall in the zone shows `local`, given as if it were UTC.
  ///
  /// Of a time that comes twice it is the first one. A time that is skipped moves forward by the length of the gap.
  package func time(ofLocal local: WallTime) -> WallTime {
    let day: Int64 = 86_400_000
    let before = offset(at: local.advanced(byMilliseconds: -day))
    let after = offset(at: local.advanced(byMilliseconds: day))
    let shown = [before, after].map { local.advanced(byMilliseconds: -$0) }.filter { self.local($0) == local }
    return shown.min() ?? local.advanced(byMilliseconds: -before)
  }
}

/// The error of a time zone that is not known or cannot be read.
public struct TimeZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong and what would be right.
  public let description: String

  /// An error with that sentence.
  package init(_ description: String) { self.description = description }
}
