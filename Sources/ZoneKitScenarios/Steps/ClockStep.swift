import ZoneKitRecords

/// A step that changes the wall clock of a device, or the time zone in which it is read. The true time is the same for all devices.
package enum ClockStep: Hashable, Sendable {
  /// `A's clock is 1h ahead` of the true time; behind if negative.
  case offset(String, milliseconds: Int64)
  /// `A's clock is right`.
  case right(String)
  /// `A's clock gains 2s a day`; loses if negative.
  case drift(String, millisecondsADay: Int64)
  /// `A's clock is set to 2027-01-15T08:00:00Z`, and runs on from there.
  case set(String, WallTime)
  /// `A's clock stands at 2027-01-15T08:00:00Z`: it does not run.
  case stands(String, WallTime)
  /// `A is in Europe/Zurich`: its app reads the clock in that time zone.
  case zone(String, String)

  /// The line from which the parser makes this step.
  package var text: String {
    switch self {
    case .offset(let device, let offset):
      "\(device)'s clock is \(Self.span(offset)) \(offset < 0 ? "behind" : "ahead")"
    case .right(let device): "\(device)'s clock is right"
    case .drift(let device, let drift): "\(device)'s clock \(drift < 0 ? "loses" : "gains") \(Self.span(drift)) a day"
    case .set(let device, let time): "\(device)'s clock is set to \(time.iso8601)"
    case .stands(let device, let time): "\(device)'s clock stands at \(time.iso8601)"
    case .zone(let device, let name): "\(device) is in \(name)"
    }
  }

  private static func span(_ milliseconds: Int64) -> String {
    TimeSpan(milliseconds: Int64(clamping: milliseconds.magnitude)).text
  }
}
