import ZoneKitCloud
import ZoneKitRecords

/// One zone of a cloud's folder as it is at the first read, while the owner of the folder goes on in another thread.
///
/// The reads are those of one SQLite transaction (SQLite: isolation.html), so later commits do not change their results. It
/// keeps one file open, and is dropped after one reading: while it is open, the WAL of that zone cannot begin anew.
package final class ZoneSnapshots: ZoneStore {
  /// The most files that are open at once.
  static let fileLimit = 1

  /// What another thread makes snapshots of.
  package struct Source: Sendable {
    let root: String
    let reserve: FileReserve?

    /// Zones whose reads throw an error of the kind `interrupted` after the cancellation.
    package func snapshots(until cancellation: Cancellation) -> ZoneSnapshots {
      ZoneSnapshots(paths: CloudPaths(root: root), reserve: reserve, limit: ReadingLimit(cancellation))
    }
  }

  /// See `ZoneStore`. Nothing is written.
  package let run: UInt64 = 0
  private let paths: CloudPaths
  private let reserve: FileReserve?
  private let limit: ReadingLimit
  private var open: (key: ZoneKey, file: ZoneFile?)?

  private init(paths: CloudPaths, reserve: FileReserve?, limit: ReadingLimit) {
    self.paths = paths
    self.reserve = reserve
    self.limit = limit
  }

  deinit { close() }

  /// Ends the snapshot.
  package func close() {
    open?.file?.rollBack()
    open = nil
  }

  /// The file of the zone; nil if the zone never existed.
  private func file(of key: ZoneKey) throws(StoreError) -> ZoneFile? {
    if let open {
      guard open.key == key else {
        throw StoreError(.failed, "a snapshot has one zone, which is \(open.key.zoneName)", place: paths.file(of: key))
      }
      return open.file
    }
    let path = paths.file(of: key)
    var file: ZoneFile?
    if !Folder.isEmpty(path) {
      file = try ZoneFile(
        path, of: key.database, access: .existing, durability: .full, checkpointPages: 0, reserve: reserve, limit: limit
      )
      try file?.beginReading()
    }
    open = (key, file)
    return file
  }

  // MARK: Reading

  package func zone(_ key: ZoneKey) throws(StoreError) -> ZoneHeader? { try file(of: key)?.header() }

  package func record(_ name: Name, in zone: ZoneKey) throws(StoreError) -> StoredRecord? {
    try file(of: zone)?.record(name)
  }

  package func references(to name: Name, in zone: ZoneKey) throws(StoreError) -> [StoredReference] {
    try file(of: zone)?.references(to: name) ?? []
  }

  package func definitions(in zone: ZoneKey) throws(StoreError) -> [FieldDefinition] {
    try file(of: zone)?.definitions() ?? []
  }

  package func schema(of recordType: Name, in zone: ZoneKey) throws(StoreError) -> [FieldDefinition] {
    try file(of: zone)?.schema(of: recordType) ?? []
  }

  package func sequence(through time: WallTime, in zone: ZoneKey) throws(StoreError) -> Int64 {
    try file(of: zone)?.sequence(through: time) ?? 0
  }

  package func feed(_ query: FeedQuery, in zone: ZoneKey) throws(StoreError) -> FeedPage {
    try file(of: zone)?.feed(query) ?? FeedPage(page: RecordPage(), position: query.position, moreComing: false)
  }

  package func matches(_ query: RecordQuery, in zone: ZoneKey) throws(StoreError) -> RecordMatches {
    try file(of: zone)?.matches(query) ?? RecordMatches(count: query.isCounted ? 0 : nil)
  }

  package func assetSize(_ checksum: String, in database: DatabaseID) throws(StoreError) -> Int64? {
    guard let hash = Asset.hash(of: checksum) else { return nil }
    return try AssetFiles(root: paths.root).size(hash, in: database)
  }

  // MARK: What a snapshot does not have

  package func assetChecksums(in database: DatabaseID) throws(StoreError) -> Set<String> { [] }
  package func databases() throws(StoreError) -> [DatabaseID] { [] }
  package func database(_ id: DatabaseID) throws(StoreError) -> DatabaseState { DatabaseState() }
  package func zones(in database: DatabaseID) throws(StoreError) -> [ZoneHeader] { [] }
  package func unreadableZones(in database: DatabaseID) throws(StoreError) -> [UnreadableZone] { [] }
  package func findings(in database: DatabaseID) -> [StoreFinding] { [] }
  package func stage(_ change: ZoneTransition, in zone: ZoneKey) {}
  package func stage(_ change: DatabaseTransition, in database: DatabaseID) {}
  package func refuseStaged(because error: StoreError) {}
  package func commit() -> [CommitFailure] { [] }
}
