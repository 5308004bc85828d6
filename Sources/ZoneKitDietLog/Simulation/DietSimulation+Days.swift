import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// Checks of the days of entries, for devices in any time zone.
extension DietSimulation {
  /// Commands that log an entry on the day that the device has in its time zone.
  static let linesOfDays = [
    "log dinner", "log snack at 23:30", "log breakfast at 00:10", "log lunch at -9h", "weigh 70.5",
  ]

  /// Returns what is wrong with the day of an entry, for which its versions are given: no random command edits a day, so
  /// the day is the same in all of them.
  static func flaw(ofDayIn end: Fields, _ versions: [Fields]) -> String? {
    guard case .string(let day)? = end["loggedDate"] else { return nil }
    let others = versions.compactMap { version -> String? in
      if case .string(let other)? = version["loggedDate"], other != day { other } else { nil }
    }
    return others.first.map { "it is of \(day), and it was logged on \($0)" }
  }
}
