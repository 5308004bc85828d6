import ZoneKitDeviceHost
import ZoneKitRecords

/// A table of actions with a header and aligned columns. A column without values is left out.
struct ActionTable {
  /// The lines. Columns are two spaces apart, and lines do not end with spaces.
  let lines: [String]

  /// A table of those actions in their order; no lines if there are none. The duration of a running action is counted
  /// up to `now`. Times are in that zone.
  init(_ actions: [BabyAction], now: WallTime, in zone: TimeZoneRules) {
    let header = ["ID", "WHEN (\(zone))", "WHAT", "HOW LONG", "HOW MUCH", "WHERE"]
    lines = TextTable(header: header, rows: actions.map { Self.row(of: $0, now: now, in: zone) }).lines
  }

  private static func row(of action: BabyAction, now: WallTime, in zone: TimeZoneRules) -> [String] {
    [
      action.shortID, action.startDate.minuteText(in: zone), action.title, length(of: action, now: now),
      [action.bottleVolume.map { "\($0) ml" }, action.bottleType?.rawValue].compactMap(\.self).joined(separator: " "),
      action.placename ?? "",
    ]
  }

  private static func length(of action: BabyAction, now: WallTime) -> String {
    guard action.category.canRun else { return "" }
    // Computed from the displayed minutes. If the clock is behind, no negative duration is shown.
    let start = action.startDate.milliseconds / 60_000
    let minutes = max(0, (action.endDate ?? now).milliseconds / 60_000 - start)
    let text = minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    return action.isRunning ? "running \(text)" : text
  }
}
