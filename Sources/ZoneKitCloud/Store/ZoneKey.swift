import ZoneKitRecords

/// The globally unique key of a zone in the cloud, independent of the user who requests it.
///
/// The zone's owner is the user of `database`. A zone that others use through their shared databases is stored once, in
/// its owner's private database. `ZoneID.owner` is resolved to that database before a key is made.
package struct ZoneKey: Hashable, Comparable, Sendable {
  /// The database that holds the zone.
  package var database: DatabaseID
  /// The zone's name.
  package var zoneName: Name

  /// The zone of that name in that database.
  package init(database: DatabaseID, zoneName: Name) {
    self.database = database
    self.zoneName = zoneName
  }

  /// Hashes the zone's name and what `DatabaseID` hashes.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(database)
    hasher.combine(zoneName)
  }

  /// Orders zones by database, then name.
  package static func < (first: ZoneKey, second: ZoneKey) -> Bool {
    (first.database, first.zoneName) < (second.database, second.zoneName)
  }
}
