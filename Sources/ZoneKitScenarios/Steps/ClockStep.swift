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

  /// The values of its sentence by the labels of the slots.
  var values: SlotValues {
    switch self {
    case .offset(let device, let difference), .drift(let device, let difference):
      [
        "device": .name(device), "way": .flag(difference >= 0),
        "span": .span(TimeSpan(milliseconds: Int64(clamping: difference.magnitude))),
      ]
    case .right(let device): ["device": .name(device)]
    case .set(let device, let time), .stands(let device, let time): ["device": .name(device), "time": .time(time)]
    case .zone(let device, let name): ["device": .name(device), "zone": .name(name)]
    }
  }
}
