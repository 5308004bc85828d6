import ZoneKitRecords

/// A remark on a row: what was missing, or why it was left out.
package struct RowNote: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place: the name of a record, or a JSON pointer in a file.
  package var place: String
  /// What is wrong, or what was done.
  package var reason: String

  /// A remark on that place.
  package init(_ place: String, _ reason: String) {
    self.place = place
    self.reason = reason
  }

  /// Place and reason on one line.
  package var description: String { "\(place): \(reason)" }

  /// The remark as JSON.
  package var json: JSON { ["place": .string(place), "reason": .string(reason)] }
}
