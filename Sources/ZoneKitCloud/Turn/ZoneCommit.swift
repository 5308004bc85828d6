import ZoneKitRecords

/// What one turn changed in a zone.
package struct ZoneCommit: Hashable, Sendable {
  /// The zone.
  package var zone: ZoneKey
  /// How many requests changed it.
  package var requests: Int
  /// How many records were saved or deleted, cascades included.
  package var records: Int
  /// The zone's sequence afterwards.
  package var sequence: Int64
  /// The zone's place in the database's feed afterwards.
  package var databaseSequence: Int64
  /// Whether the zone is gone now.
  package var isDeleted: Bool

  /// A commit of one request.
  init(zone: ZoneKey, transition: ZoneTransition) {
    self.zone = zone
    requests = 1
    records = transition.records.count
    sequence = transition.header.sequence
    databaseSequence = transition.header.databaseSequence
    isDeleted = transition.header.isDeleted
  }

  /// Takes in a later commit of the same zone.
  mutating func add(_ later: ZoneCommit) {
    requests += later.requests
    records += later.records
    sequence = later.sequence
    databaseSequence = later.databaseSequence
    isDeleted = later.isDeleted
  }
}
