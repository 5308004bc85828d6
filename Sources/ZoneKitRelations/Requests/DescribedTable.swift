import ZoneKitRecords

/// A table as the description of a service lists it (OpenAPI 2.0).
package struct DescribedTable: Equatable, Sendable {
  /// Its name.
  package var name: String
  /// The names of its columns.
  package var columns: [String]
  /// The schema of its rows.
  package var definition: JSON

  /// A table of that name.
  package init(_ name: String, _ columns: [String], _ definition: JSON) {
    self.name = name
    self.columns = columns
    self.definition = definition
  }
}
