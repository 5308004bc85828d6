import ZoneKitRecords

/// What an administrator does with the rows and objects of an account.
package enum RowMaintenance: Hashable, Sendable {
  /// Counts rows and changes nothing.
  case count
  /// Removes for good the rows that were deleted before that time and to which no other row refers, and the objects that
  /// were uploaded before that time and that no row names. Forgets conflicts and deletions that are old enough. With
  /// `isDryRun` nothing is changed.
  case purge(before: WallTime, isDryRun: Bool)
  /// Removes for good the rows of those records, with the rows that they own.
  case remove([Name])
  /// Removes for good all rows.
  case erase
  /// Removes for good all rows, objects and conflicts. With `isDryRun` nothing is changed.
  case removeAll(isDryRun: Bool)
  /// Forgets all deletions, so that a device that has not fetched them fetches everything anew.
  case raiseHorizon

  /// How long a deletion is kept, in milliseconds: 30 days.
  package static let deletionLife: Int64 = 30 * 86_400_000
  /// How long a conflict is kept, in milliseconds: 90 days.
  package static let conflictLife: Int64 = 90 * 86_400_000
}

/// What was found and done by the maintenance of an account.
package struct MaintenanceReport: Hashable, Sendable {
  /// The rows of one table.
  package struct Rows: Hashable, Sendable {
    /// The table.
    package var table: Name
    /// The rows without a time of deletion.
    package var living = 0
    /// The rows with a time of deletion.
    package var deleted = 0
    /// The rows that were removed, or would be.
    package var removed = 0
    /// The newest stamp; nil without rows.
    package var newest: WallTime?
  }

  /// The tables, in the order of the schema. The numbers are those before the maintenance.
  package var tables: [Rows] = []
  /// The objects that were removed, or would be.
  package var objects = 0
  /// The conflicts that were forgotten, or would be.
  package var conflicts = 0
  /// The hashes of the bytes that the account's objects need. Other bytes can be removed; nil if nothing was changed.
  package var neededBytes: Set<String>?

  /// Whether the account has no row, object or conflict that the maintenance found.
  package var isEmpty: Bool {
    objects == 0 && conflicts == 0 && tables.allSatisfy { $0.living == 0 && $0.deleted == 0 }
  }
}
