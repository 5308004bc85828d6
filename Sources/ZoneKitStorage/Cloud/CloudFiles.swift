import Glibc
import ZoneKitRecords
import ZoneKitCloud

/// The cloud's store on disk: a folder for each database and a SQLite file for each zone. `ZoneStore` documents the
/// contract.
///
/// One process owns the folder (`DirectoryLock`) and caches what it has read. `durability` determines what a commit
/// survives. A second thread copies WAL pages into the files. The files of many zones are open at the same time.
package final class CloudFiles: ZoneStore {
  let paths: CloudPaths
  let access: Access
  /// See `ZoneStore`.
  package let run: UInt64
  let durability: Durability
  let checkpointer: Checkpointer?
  /// The file descriptors that are kept back for the files; nil for none.
  let reserve: FileReserve?
  /// What was recorded of the zones; nil for a read-only instance.
  let marks: ZoneMarks?
  /// The marks of commits that are not written yet.
  var unwrittenMarks: [ZoneKey: (folder: String, mark: ZoneMark)] = [:]
  private var markPace = MarkPace()
  /// Ends reads of zones that take too long.
  let limit = ReadingLimit()
  var memories: [DatabaseID: DatabaseMemory] = [:]
  var zoneFiles: OpenFiles<ZoneKey, ZoneFile>
  var databaseFiles: OpenFiles<DatabaseID, DatabaseFile>
  var stagedZones: [ZoneKey: Staged<ZoneHeader?, ZoneFile>] = [:]
  var stagedDatabases: [DatabaseID: Staged<DatabaseState, DatabaseFile>] = [:]
  /// The databases with zones whose files were checked in this turn.
  var checkedDatabases: Set<DatabaseID> = []
  /// The error of the last attempt to write marks.
  private(set) var marksFailure: StoreError?

  /// The most zone files that are open between commits. Each takes four of the process's file descriptors.
  package static let openZoneLimit = 200

  /// A store in that folder, which the first commit creates. Without `checkpointsOnThread`, commits copy the WAL pages
  /// themselves, every 1,000 pages. With `reservesDescriptors`, file descriptors are kept back for all files that the
  /// store has open at once.
  package convenience init(
    root: String, durability: Durability = .full, openZoneLimit: Int = CloudFiles.openZoneLimit,
    checkpointsOnThread: Bool = true, reservesDescriptors: Bool = false
  ) throws(StoreError) {
    let reserve = reservesDescriptors ? FileReserve(size: Self.descriptors(openZoneLimit: openZoneLimit)) : nil
    let checkpointer =
      checkpointsOnThread
      ? try Checkpointer(connectionLimit: Self.threadLimit(openZoneLimit), reserve: reserve) : nil
    self.init(
      root: root, access: .existing, durability: durability, openZoneLimit: openZoneLimit,
      checkpointer: checkpointer, reserve: reserve)
  }

  /// The most file descriptors that a store with that limit uses at once.
  package static func descriptors(openZoneLimit: Int) -> Int {
    let files =
      openZoneLimit + databaseLimit(openZoneLimit) + threadLimit(openZoneLimit) + ZoneSnapshots.fileLimit + 1
    return files * Connection.descriptors + passingDescriptors
  }

  /// The highest limit of open zones, up to the usual one, with which a store needs no more descriptors than that; 1 if
  /// there is none.
  package static func openZoneLimit(within descriptors: Int) -> Int {
    (1...openZoneLimit).last { self.descriptors(openZoneLimit: $0) <= descriptors } ?? 1
  }

  /// The most files that the checkpoint thread has open.
  private static func threadLimit(_ openZoneLimit: Int) -> Int {
    min(CheckpointQueue.usualConnectionLimit, max(1, openZoneLimit / 8))
  }

  /// The file descriptors for what is open for a moment: a folder that is synced or listed.
  static let passingDescriptors = 2

  /// The most databases whose own files are open between commits.
  private static func databaseLimit(_ openZoneLimit: Int) -> Int { max(1, openZoneLimit / 4) }

  /// A read-only store in that folder, whether an owner is running or not. Every call reads the files anew. Staged
  /// changes fail at `commit` as read-only.
  package static func readOnly(root: String) -> CloudFiles {
    CloudFiles(root: root, access: .observe, durability: .full, openZoneLimit: 1, checkpointer: nil)
  }

  init(
    root: String, access: Access, durability: Durability, openZoneLimit: Int, checkpointer: Checkpointer?,
    reserve: FileReserve? = nil
  ) {
    paths = CloudPaths(root: root)
    self.access = access
    var generator = SystemGenerator()
    run = generator.next() | 1
    self.durability = durability
    self.checkpointer = checkpointer
    self.reserve = reserve
    marks = if case .observe = access { nil } else { ZoneMarks(root: root, reserve: reserve) }
    zoneFiles = OpenFiles(limit: openZoneLimit)
    databaseFiles = OpenFiles(limit: Self.databaseLimit(openZoneLimit))
  }

  deinit { close() }

  /// Rolls back staged changes, stops the checkpoint thread and closes all files, which leaves no WAL behind.
  package func close() {
    for staged in stagedZones.values { staged.file?.rollBack() }
    for staged in stagedDatabases.values { staged.file?.rollBack() }
    stagedZones.removeAll()
    stagedDatabases.removeAll()
    checkpointer?.stop()
    writeMarks()
    marks?.close()
    zoneFiles.removeAll()
    databaseFiles.removeAll()
    memories.removeAll()
  }

  /// The zones of this store as they are after the last commit, for another thread.
  package var snapshots: ZoneSnapshots.Source { ZoneSnapshots.Source(root: paths.root, reserve: reserve) }

  /// All databases that were ever written to, in ascending order.
  package func databases() throws(StoreError) -> [DatabaseID] { try paths.databases() }

  /// The failures to copy WAL pages since the last call. They lose no data, but the WAL grows.
  package func takeCheckpointFailures() -> [StoreError] { checkpointer?.takeFailures() ?? [] }

  // MARK: Reading

  package func database(_ id: DatabaseID) throws(StoreError) -> DatabaseState {
    try memory(of: id)?.state ?? DatabaseState()
  }

  package func zones(in database: DatabaseID) throws(StoreError) -> [ZoneHeader] {
    try checkedMemory(of: database)?.sortedHeaders ?? []
  }

  package func unreadableZones(in database: DatabaseID) throws(StoreError) -> [UnreadableZone] {
    try checkedMemory(of: database)?.sortedUnreadable ?? []
  }

  package func findings(in database: DatabaseID) -> [StoreFinding] {
    do {
      guard let memory = try checkedMemory(of: database) else { return [] }
      // A report belongs to no turn, so the next turn checks the files itself.
      memory.checked.removeAll()
      return memory.allFindings
    } catch {
      return [.unreadable(nil, error)]
    }
  }

  /// The cached state of a database after all of its zone files were checked.
  private func checkedMemory(of id: DatabaseID) throws(StoreError) -> DatabaseMemory? {
    guard let memory = try memory(of: id) else { return nil }
    if case .observe = access { return memory }
    for name in memory.files.keys.sorted() { check(ZoneKey(database: id, zoneName: name), memory) }
    return memory
  }

  package func limitReads(milliseconds: Int64?) { limit.set(milliseconds: milliseconds) }

  package func zone(_ key: ZoneKey) throws(StoreError) -> ZoneHeader? {
    if case .observe = access { return try file(of: key)?.header() }
    return try header(of: key)
  }

  package func record(_ name: Name, in zone: ZoneKey) throws(StoreError) -> StoredRecord? {
    try reading(zone) { (file) throws(StoreError) in try file.record(name) } ?? nil
  }

  package func references(to name: Name, in zone: ZoneKey) throws(StoreError) -> [StoredReference] {
    try reading(zone) { (file) throws(StoreError) in try file.references(to: name) } ?? []
  }

  package func schema(of recordType: Name, in zone: ZoneKey) throws(StoreError) -> [FieldDefinition] {
    try reading(zone) { (file) throws(StoreError) in try file.schema(of: recordType) } ?? []
  }

  package func definitions(in zone: ZoneKey) throws(StoreError) -> [FieldDefinition] {
    try reading(zone) { (file) throws(StoreError) in try file.definitions() } ?? []
  }

  package func sequence(through time: WallTime, in zone: ZoneKey) throws(StoreError) -> Int64 {
    try reading(zone) { (file) throws(StoreError) in try file.sequence(through: time) } ?? 0
  }

  package func feed(_ query: FeedQuery, in zone: ZoneKey) throws(StoreError) -> FeedPage {
    try reading(zone) { (file) throws(StoreError) in try file.feed(query) }
      ?? FeedPage(page: RecordPage(), position: query.position, moreComing: false)
  }

  package func matches(_ query: RecordQuery, in zone: ZoneKey) throws(StoreError) -> RecordMatches {
    try reading(zone) { (file) throws(StoreError) in try file.matches(query) }
      ?? RecordMatches(count: query.isCounted ? 0 : nil)
  }

  package func assetSize(_ checksum: String, in database: DatabaseID) throws(StoreError) -> Int64? {
    guard let hash = Asset.hash(of: checksum) else { return nil }
    return try AssetFiles(root: paths.root).size(hash, in: database)
  }

  package func assetChecksums(in database: DatabaseID) throws(StoreError) -> Set<String> {
    if let unreadable = try unreadableZones(in: database).first { throw unreadable.error }
    var found: Set<String> = []
    for header in try zones(in: database) where !header.isDeleted {
      let key = ZoneKey(database: database, zoneName: header.zoneName)
      try found.formUnion(reading(key) { (file) throws(StoreError) in try file.assetChecksums() } ?? [])
    }
    return found
  }

  /// The result of `read` for the file of a zone; nil if the zone never existed. Damage is noted for the status.
  private func reading<Result>(
    _ zone: ZoneKey, _ read: (ZoneFile) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    guard let file = try file(of: zone) else { return nil }
    do throws(StoreError) {
      return try read(file)
    } catch {
      if error.kind == .corrupt {
        memories[zone.database]?.note(.unreadable(zone.zoneName, error), of: zone.zoneName)
      }
      throw error
    }
  }

  // MARK: Writing

  package func stage(_ change: ZoneTransition, in zone: ZoneKey) {
    do {
      try write(change, in: zone)
    } catch {
      stagedZones[zone, default: Staged(before: nil)].cause = .store(error)
    }
  }

  package func stage(_ change: DatabaseTransition, in database: DatabaseID) {
    do {
      try write(change, in: database)
    } catch {
      stagedDatabases[database, default: Staged(before: DatabaseState())].cause = .store(error)
      stagedDatabases[database]?.isAsked = true
    }
  }

  package func refuseStaged(because error: StoreError) {
    for key in stagedZones.keys where stagedZones[key]?.isCommitted == false { stagedZones[key]?.cause = .store(error) }
    for id in stagedDatabases.keys where stagedDatabases[id]?.isCommitted == false {
      stagedDatabases[id]?.cause = .store(error)
    }
  }

  /// See `ZoneStore`.
  package func commit() -> [CommitFailure] {
    var failures: [CommitFailure] = []
    for id in stagedDatabases.keys.sorted() {
      if let cause = settle(id) { failures.append(CommitFailure(place: .database(id), cause: cause)) }
    }
    let zones = stagedZones.keys.sorted()
    for key in zones.filter({ stagedZones[$0]?.after == nil }) + zones.filter({ stagedZones[$0]?.after != nil }) {
      guard let cause = settle(key) else { continue }
      stagedZones[key]?.cause = cause
      failures.append(CommitFailure(place: .zone(key), cause: cause))
    }
    stagedDatabases.removeAll(keepingCapacity: true)
    stagedZones.removeAll(keepingCapacity: true)
    letGo()
    if markPace.next(at: Self.now) == nil { writeMarks() }
    for id in checkedDatabases { memories[id]?.checked.removeAll(keepingCapacity: true) }
    checkedDatabases.removeAll(keepingCapacity: true)
    return failures
  }

  /// When `writeMarks` has to be called, in milliseconds of the monotonic clock; nil if nothing is to be written before the
  /// next commit.
  package var marksDue: Int64? {
    guard !unwrittenMarks.isEmpty, marksFailure == nil else { return nil }
    let now = Self.now
    return markPace.next(at: now) ?? now
  }

  /// Writes the marks of committed zones. If that fails, they are written with those of the next commit. Until then a
  /// loss of these commits would not be noticed.
  package func writeMarks() {
    guard let marks, !unwrittenMarks.isEmpty else { return }
    markPace.write(at: Self.now)
    do {
      try marks.write(unwrittenMarks.map { ($1.folder, $0.zoneName, $1.mark) })
      unwrittenMarks.removeAll(keepingCapacity: true)
      marksFailure = nil
    } catch {
      marksFailure = error
    }
  }

  private static var now: Int64 { MonotonicClock.nanoseconds / 1_000_000 }
}
