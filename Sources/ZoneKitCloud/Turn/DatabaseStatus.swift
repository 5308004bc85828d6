import ZoneKitRecords

/// What there is to say about a database, for people who look into it.
package struct DatabaseStatus: Hashable, Sendable {
  /// The database.
  package var database: DatabaseID
  /// Sequence, subscriptions and registrations.
  package var state: DatabaseState
  /// All zones ever made, deleted ones included, ascending by name.
  package var zones: [ZoneHeader]
}
