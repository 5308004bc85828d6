import ZoneKitRecords

/// The changes of one turn in a zone.
package struct ZoneCommit: Hashable, Sendable {
  /// The zone.
  package var zone: ZoneKey
  /// The number of requests that changed it.
  package var requests: Int
  /// The number of records that were saved or deleted, including cascades.
  package var records: Int
  /// The zone's sequence after the commit.
  package var sequence: Int64
  /// The zone's position in the database's feed after the commit.
  package var databaseSequence: Int64
  /// Whether the zone was deleted.
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

  /// Merges a later commit of the same zone.
  mutating func add(_ later: ZoneCommit) {
    requests += later.requests
    records += later.records
    sequence = later.sequence
    databaseSequence = later.databaseSequence
    isDeleted = later.isDeleted
  }
}
