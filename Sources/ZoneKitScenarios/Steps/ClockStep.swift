import ZoneKitRecords

/// What happens to a device's wall clock. The true time goes on alike for all.
package enum ClockStep: Hashable, Sendable {
  /// `A's clock is 1h ahead` of the true time; behind where negative, in milliseconds.
  case offset(String, milliseconds: Int64)
  /// `A's clock is right`.
  case right(String)
  /// `A's clock gains 2s a day`; loses where negative, in milliseconds a day.
  case drift(String, millisecondsADay: Int64)
  /// `A's clock is set to 2027-01-15T08:00:00Z`, and goes on from there.
  case set(String, WallTime)
  /// `A's clock stands at 2027-01-15T08:00:00Z`.
  case stands(String, WallTime)

  /// The line that reads as this.
  package var text: String {
    switch self {
    case .offset(let device, let offset):
      "\(device)'s clock is \(Self.span(offset)) \(offset < 0 ? "behind" : "ahead")"
    case .right(let device): "\(device)'s clock is right"
    case .drift(let device, let drift): "\(device)'s clock \(drift < 0 ? "loses" : "gains") \(Self.span(drift)) a day"
    case .set(let device, let time): "\(device)'s clock is set to \(time.iso8601)"
    case .stands(let device, let time): "\(device)'s clock stands at \(time.iso8601)"
    }
  }

  private static func span(_ milliseconds: Int64) -> String {
    TimeSpan(milliseconds: Int64(clamping: milliseconds.magnitude)).text
  }
}
