import ZoneKitRecords

/// Where the cloud keeps its databases: the seam between the rules and the data.
///
/// Writes are staged and become durable together at `commit`; reads see what is staged. Staging cannot fail: `commit`
/// reports what could not be written, or was worked out from something that is not there any more, and leaves that zone
/// (or database) as it was after the commit before. No verb waits for anything but a disk. A store whose data is further
/// away waits in a step of its own before `prefetch`. A conformer keeps no rule of the cloud; the shared conformance
/// suite says what it must do.
package protocol ZoneStore {
  /// Every database that was ever written to, ascending.
  func databases() throws(StoreError) -> [DatabaseID]

  /// The database's own state; a database that nobody wrote to yet exists and is empty.
  func database(_ id: DatabaseID) throws(StoreError) -> DatabaseState

  /// The headers of all zones ever made in the database, deleted ones included, ascending by name.
  func zones(in database: DatabaseID) throws(StoreError) -> [ZoneHeader]

  /// The header of one zone, deleted or not; nil where there never was one.
  func zone(_ key: ZoneKey) throws(StoreError) -> ZoneHeader?

  /// A record or its tombstone; nil where there never was one.
  func record(_ name: Name, in zone: ZoneKey) throws(StoreError) -> StoredRecord?

  /// The live records that hold a DELETE_SELF or VALIDATE reference to the named one, ascending by name, then field.
  func references(to name: Name, in zone: ZoneKey) throws(StoreError) -> [StoredReference]

  /// The types that fields of that record type were first saved with in the zone, ascending by name.
  func schema(of recordType: Name, in zone: ZoneKey) throws(StoreError) -> [FieldDefinition]

  /// A page of the zone's records and tombstones in order of their sequence.
  func feed(_ query: FeedQuery, in zone: ZoneKey) throws(StoreError) -> FeedPage

  /// Reads all needs into a working set. Each of them is in the set afterwards, or the failure to read it.
  mutating func prefetch(_ needs: [Need], into set: inout WorkingSet)

  /// Takes in what one request changes in a zone.
  mutating func stage(_ change: ZoneTransition, in zone: ZoneKey)

  /// Takes in what one request changes in the database's own state.
  mutating func stage(_ change: DatabaseTransition, in database: DatabaseID)

  /// Makes everything staged durable; returns the places where that failed or was stale, which then are
  /// as they were before.
  mutating func commit() -> [CommitFailure]

  /// Drops what is staged and gives back all that the store holds open. The store is not used after that.
  mutating func close()
}
