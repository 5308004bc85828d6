import ZoneKitRecords

/// What an administrator removes for good from an account's documents.
package struct DocumentPurge: Hashable, Sendable {
  /// Documents that users deleted become tombstones if the server took the deletion in before that time.
  package var deletedBefore: WallTime
  /// Conflicts become tombstones if the server took them in before that time.
  package var conflictsBefore: WallTime
  /// Tombstones that were made before that time are forgotten.
  package var tombstonesBefore: WallTime
  /// Whether nothing is changed, and only counted.
  package var isDryRun: Bool

  /// A purge of what is older than those ages, in milliseconds.
  package init(deleted: Int64, conflicts: Int64, tombstones: Int64, isDryRun: Bool, at now: WallTime) {
    deletedBefore = now.advanced(byMilliseconds: -deleted)
    conflictsBefore = now.advanced(byMilliseconds: -conflicts)
    tombstonesBefore = now.advanced(byMilliseconds: -tombstones)
    self.isDryRun = isDryRun
  }
}

/// What a purge of an account removed, or would remove.
package struct DocumentPurgeReport: Hashable, Sendable {
  /// The deleted documents that became tombstones.
  package var documents = 0
  /// The conflicts that became tombstones.
  package var conflicts = 0
  /// The tombstones that were forgotten.
  package var tombstones = 0

  /// Nothing was removed.
  package init() {}
}
