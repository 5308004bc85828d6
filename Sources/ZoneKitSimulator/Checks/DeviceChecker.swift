import ZoneKitRecords
import ZoneKitSync

/// One invariant of one device, checked against the device's log.
package protocol DeviceChecker: Sendable {
  /// Takes in what happened next. Returns what breaks the invariant; nil where nothing does.
  /// - Parameter history: What the log says so far, `entry` included.
  mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding?
}

/// What a checker finds: the invariant that is broken, and what was seen.
package struct Finding: Hashable, Sendable {
  /// The broken invariant.
  package var rule: Violation.Rule
  /// What was seen, and what should have been.
  package var text: String

  /// That broken invariant, in those words.
  package init(_ rule: Violation.Rule, _ text: String) {
    self.rule = rule
    self.text = text
  }
}
