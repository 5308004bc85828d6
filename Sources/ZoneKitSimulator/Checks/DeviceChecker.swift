import ZoneKitRecords
import ZoneKitSync

/// A checker of one invariant of one device, based on the device's log.
package protocol DeviceChecker: Sendable {
  /// The kinds of events that it reads. It does not get the others.
  static var reads: LogEventKinds { get }

  /// The next entry of the log that counts was read. Returns the violation; nil for none.
  /// - Parameter history: The history of the log, including `entry`.
  mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding?
}

/// A violation that a checker found: the invariant, and what was observed.
package struct Finding: Hashable, Sendable {
  /// The violated invariant.
  package var rule: Violation.Rule
  /// What was observed, and what would be right.
  package var text: String

  /// A violation of that invariant.
  package init(_ rule: Violation.Rule, _ text: String) {
    self.rule = rule
    self.text = text
  }
}
