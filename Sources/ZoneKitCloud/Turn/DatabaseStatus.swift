import ZoneKitRecords

/// The state of a database, for diagnostics.
package struct DatabaseStatus: Hashable, Sendable {
  /// The database.
  package var database: DatabaseID
  /// Sequence, subscriptions and registrations.
  package var state: DatabaseState
  /// All zones ever created, including deleted ones, in ascending order of their names.
  package var zones: [ZoneHeader]
  /// What the administrator has to know of its files.
  package var findings: [StoreFinding] = []
}
