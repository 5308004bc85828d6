import ZoneKitRecords

/// The store of the cloud's databases. The cloud's rules access data only through this protocol.
///
/// Writes are staged and become durable together at `commit`. Reads include staged changes. Staging cannot fail:
/// `commit` returns the places whose changes could not be written or were stale. Each of these zones or databases then
/// has its state of the previous commit. No method waits for anything but a disk; a store with remote data waits in a
/// separate step before `prefetch`. A conforming type implements no rule of the cloud. The shared conformance suite
/// defines the required behaviour.
package protocol ZoneStore {
  /// The run of the server that opened the store: a number that no other opening has, or 0 for a store that is never
  /// replaced by a copy of itself.
  var run: UInt64 { get }

  /// All databases that were ever written to, in ascending order.
  func databases() throws(StoreError) -> [DatabaseID]

  /// The database's own state. A database to which nothing was written exists and is empty.
  func database(_ id: DatabaseID) throws(StoreError) -> DatabaseState

  /// The headers of all zones ever created in the database, including deleted ones, in ascending order of their names.
  /// Zones that cannot be read are left out.
  func zones(in database: DatabaseID) throws(StoreError) -> [ZoneHeader]

  /// The zones of the database that exist and cannot be read, in ascending order of their names.
  func unreadableZones(in database: DatabaseID) throws(StoreError) -> [UnreadableZone]

  /// What the administrator has to know of the database's files, also if the database itself cannot be read.
  func findings(in database: DatabaseID) -> [StoreFinding]

  /// The header of a zone, also of a deleted one; nil if it never existed.
  func zone(_ key: ZoneKey) throws(StoreError) -> ZoneHeader?

  /// A record or its tombstone; nil if it never existed.
  func record(_ name: Name, in zone: ZoneKey) throws(StoreError) -> StoredRecord?

  /// The live records with a DELETE_SELF or VALIDATE reference to the named record, in ascending order of name and
  /// field.
  func references(to name: Name, in zone: ZoneKey) throws(StoreError) -> [StoredReference]

  /// The types with which fields of that record type were first saved in the zone, in ascending order of the field
  /// names.
  func schema(of recordType: Name, in zone: ZoneKey) throws(StoreError) -> [FieldDefinition]

  /// All definitions of the zone, in ascending order of their record types and field names.
  func definitions(in zone: ZoneKey) throws(StoreError) -> [FieldDefinition]

  /// The highest sequence of a record or tombstone that was saved at that time or earlier; 0 if there is none. Asked only
  /// of zones whose times rise with their sequences.
  func sequence(through time: WallTime, in zone: ZoneKey) throws(StoreError) -> Int64

  /// A page of the zone's records and tombstones, ordered by sequence.
  func feed(_ query: FeedQuery, in zone: ZoneKey) throws(StoreError) -> FeedPage

  /// The live records that a query finds. `RecordQuery` states which those are.
  func matches(_ query: RecordQuery, in zone: ZoneKey) throws(StoreError) -> RecordMatches

  /// The size of the asset with that checksum; nil if the database does not keep its bytes. Changes of assets are not staged:
  /// an upload is kept as soon as it is complete.
  func assetSize(_ checksum: String, in database: DatabaseID) throws(StoreError) -> Int64?

  /// The checksums of the assets that live records of the database have. Throws if a zone cannot be read.
  func assetChecksums(in database: DatabaseID) throws(StoreError) -> Set<String>

  /// Limits how long the following reads take together, in milliseconds; nil for as long as they need. A read that would
  /// take longer throws an error of the kind `interrupted`. A store that never reads for long need not limit it.
  mutating func limitReads(milliseconds: Int64?)

  /// Reads all needs into a working set. Afterwards the set holds each of them, or the error of reading it.
  mutating func prefetch(_ needs: [Need], into set: inout WorkingSet)

  /// Stages the changes of one request in a zone.
  mutating func stage(_ change: ZoneTransition, in zone: ZoneKey)

  /// Stages the changes of one request in a database's own state.
  mutating func stage(_ change: DatabaseTransition, in database: DatabaseID)

  /// Makes the coming `commit` fail with that error wherever changes are staged.
  mutating func refuseStaged(because error: StoreError)

  /// Makes all staged changes durable. A zone with a change that names another in `after` is committed after that one, and
  /// fails with its cause if that one fails. Returns the places where that failed or was stale; they have their previous
  /// state.
  mutating func commit() -> [CommitFailure]

  /// Drops staged changes and releases all resources of the store. The store is not used after that.
  mutating func close()
}

extension ZoneStore {
  /// Reads take as long as they need.
  package mutating func limitReads(milliseconds: Int64?) {}
}
