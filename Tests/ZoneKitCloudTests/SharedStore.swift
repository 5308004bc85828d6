import ZoneKitRecords
import ZoneKitMemoryStores
import ZoneKitCloud

/// What several servers write to.
final class SharedCloud {
  fileprivate(set) var committed = MemoryZoneStore()
}

/// One server's way to a cloud that it shares with others: it sees what was committed when it looked last, and its own
/// staged changes. Its commits reach the cloud as it is by then.
struct SharedStore: ZoneStore {
  private let cloud: SharedCloud
  private var view: MemoryZoneStore
  private var staged: [Change] = []

  private enum Change {
    case zone(ZoneTransition, ZoneKey)
    case database(DatabaseTransition, DatabaseID)
  }

  init(_ cloud: SharedCloud) {
    self.cloud = cloud
    view = cloud.committed
  }

  /// Sees what the others committed meanwhile.
  mutating func refresh() { if staged.isEmpty { view = cloud.committed } }

  var run: UInt64 { view.run }
  func databases() throws(StoreError) -> [DatabaseID] { try view.databases() }
  func database(_ id: DatabaseID) throws(StoreError) -> DatabaseState { try view.database(id) }
  func zones(in database: DatabaseID) throws(StoreError) -> [ZoneHeader] { try view.zones(in: database) }
  func unreadableZones(in database: DatabaseID) throws(StoreError) -> [UnreadableZone] {
    try view.unreadableZones(in: database)
  }
  func findings(in database: DatabaseID) -> [StoreFinding] { view.findings(in: database) }
  func zone(_ key: ZoneKey) throws(StoreError) -> ZoneHeader? { try view.zone(key) }

  func record(_ name: Name, in zone: ZoneKey) throws(StoreError) -> StoredRecord? { try view.record(name, in: zone) }

  func references(to name: Name, in zone: ZoneKey) throws(StoreError) -> [StoredReference] {
    try view.references(to: name, in: zone)
  }

  func schema(of recordType: Name, in zone: ZoneKey) throws(StoreError) -> [FieldDefinition] {
    try view.schema(of: recordType, in: zone)
  }

  func definitions(in zone: ZoneKey) throws(StoreError) -> [FieldDefinition] { try view.definitions(in: zone) }

  func sequence(through time: WallTime, in zone: ZoneKey) throws(StoreError) -> Int64 {
    try view.sequence(through: time, in: zone)
  }

  func matches(_ query: RecordQuery, in zone: ZoneKey) throws(StoreError) -> RecordMatches {
    try view.matches(query, in: zone)
  }

  func assetSize(_ checksum: String, in database: DatabaseID) throws(StoreError) -> Int64? {
    try view.assetSize(checksum, in: database)
  }

  func assetChecksums(in database: DatabaseID) throws(StoreError) -> Set<String> {
    try view.assetChecksums(in: database)
  }

  func feed(_ query: FeedQuery, in zone: ZoneKey) throws(StoreError) -> FeedPage { try view.feed(query, in: zone) }

  mutating func stage(_ change: ZoneTransition, in zone: ZoneKey) {
    view.stage(change, in: zone)
    staged.append(.zone(change, zone))
  }

  mutating func stage(_ change: DatabaseTransition, in database: DatabaseID) {
    view.stage(change, in: database)
    staged.append(.database(change, database))
  }

  mutating func refuseStaged(because error: StoreError) { cloud.committed.refuseStaged(because: error) }

  mutating func commit() -> [CommitFailure] {
    for change in staged {
      switch change {
      case .zone(let change, let key): cloud.committed.stage(change, in: key)
      case .database(let change, let id): cloud.committed.stage(change, in: id)
      }
    }
    staged = []
    let failures = cloud.committed.commit()
    view = cloud.committed
    return failures
  }

  mutating func close() { staged = [] }
}
