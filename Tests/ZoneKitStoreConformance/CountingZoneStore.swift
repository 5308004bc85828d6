import ZoneKitCloud
import ZoneKitRecords

/// A store that counts what is read from another one, so that tests can compare effort instead of time.
package struct CountingZoneStore<Store: ZoneStore>: ZoneStore {
  /// What was read, in all copies of the store.
  package final class Counts {
    /// The number of records, lists of references and pages that were read.
    package fileprivate(set) var reads = 0
    /// The number of rows of pages.
    package fileprivate(set) var rows = 0

    /// The limits of reads.
    package fileprivate(set) var limits: [Int64?] = []
    /// Whether queries take longer than any limit.
    package var isSlow = false

    /// Begins to count anew.
    package func reset() { (reads, rows) = (0, 0) }
  }

  /// The other store.
  package var store: Store
  /// What was read so far.
  package let counts = Counts()

  /// Counts what is read from that store.
  package init(_ store: Store) { self.store = store }

  package var run: UInt64 { store.run }
  package func databases() throws(StoreError) -> [DatabaseID] { try store.databases() }
  package func database(_ id: DatabaseID) throws(StoreError) -> DatabaseState { try store.database(id) }
  package func zones(in database: DatabaseID) throws(StoreError) -> [ZoneHeader] { try store.zones(in: database) }
  package func unreadableZones(in database: DatabaseID) throws(StoreError) -> [UnreadableZone] {
    try store.unreadableZones(in: database)
  }
  package func findings(in database: DatabaseID) -> [StoreFinding] { store.findings(in: database) }
  package func zone(_ key: ZoneKey) throws(StoreError) -> ZoneHeader? { try store.zone(key) }
  package func limitReads(milliseconds: Int64?) { counts.limits.append(milliseconds) }

  package func record(_ name: Name, in zone: ZoneKey) throws(StoreError) -> StoredRecord? {
    counts.reads += 1
    return try store.record(name, in: zone)
  }

  package func references(to name: Name, in zone: ZoneKey) throws(StoreError) -> [StoredReference] {
    counts.reads += 1
    return try store.references(to: name, in: zone)
  }

  package func schema(of recordType: Name, in zone: ZoneKey) throws(StoreError) -> [FieldDefinition] {
    try store.schema(of: recordType, in: zone)
  }

  package func definitions(in zone: ZoneKey) throws(StoreError) -> [FieldDefinition] {
    try store.definitions(in: zone)
  }

  package func sequence(through time: WallTime, in zone: ZoneKey) throws(StoreError) -> Int64 {
    try store.sequence(through: time, in: zone)
  }

  package func feed(_ query: FeedQuery, in zone: ZoneKey) throws(StoreError) -> FeedPage {
    counts.reads += 1
    let page = try store.feed(query, in: zone)
    counts.rows += page.page.count
    return page
  }

  package func matches(_ query: RecordQuery, in zone: ZoneKey) throws(StoreError) -> RecordMatches {
    counts.reads += 1
    if counts.isSlow, counts.limits.last ?? nil != nil {
      throw StoreError(.interrupted, "the query takes long", place: "memory")
    }
    let matches = try store.matches(query, in: zone)
    counts.rows += matches.page.count
    return matches
  }

  package func assetSize(_ checksum: String, in database: DatabaseID) throws(StoreError) -> Int64? {
    try store.assetSize(checksum, in: database)
  }

  package func assetChecksums(in database: DatabaseID) throws(StoreError) -> Set<String> {
    try store.assetChecksums(in: database)
  }

  package mutating func stage(_ change: ZoneTransition, in zone: ZoneKey) { store.stage(change, in: zone) }
  package mutating func stage(_ change: DatabaseTransition, in database: DatabaseID) {
    store.stage(change, in: database)
  }
  package mutating func refuseStaged(because error: StoreError) { store.refuseStaged(because: error) }
  package mutating func commit() -> [CommitFailure] { store.commit() }
  package mutating func close() { store.close() }
}
