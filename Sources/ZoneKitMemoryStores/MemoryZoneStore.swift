import ZoneKitRecords
import ZoneKitCloud

/// The cloud's store as a value. It separates staged changes from committed ones. Tests and simulations make it lose
/// staged changes, fail and fill up.
///
/// The cost of a commit depends on its changes and not on the content of the zones: a staged change is applied
/// immediately, and what it replaced is kept until the commit.
package struct MemoryZoneStore: ZoneStore {
  var zones: [ZoneKey: Zone] = [:]

  /// The zones that the store has, in no order.
  package var zoneKeys: Set<ZoneKey> { Set(zones.keys) }

  /// The headers of each database's zones, in ascending order of names, because every request reads them.
  private var headers: [DatabaseID: [ZoneHeader]] = [:]
  private var states: [DatabaseID: DatabaseState] = [:]
  /// The states of databases before the staged changes.
  private var committedStates: [DatabaseID: DatabaseState] = [:]
  private var stagedZones: [ZoneKey] = []
  private var stagedDatabases: [DatabaseID] = []
  /// The zones whose commits have to succeed before that of a zone.
  private var predecessors: [ZoneKey: Set<ZoneKey>] = [:]
  /// The places where a staged change expected a different state.
  private var stalePlaces: Set<CommitFailure.Place> = []
  private var failures: [CommitFailure] = []

  /// The error of every commit with changes while it is set.
  package var commitError: StoreError?
  /// The error with which the coming commit is refused.
  private var refusal: StoreError?
  /// The error of every read while it is set.
  package var readError: StoreError?
  /// The zones whose content cannot be read, with the errors.
  package var damage: [ZoneKey: StoreError] = [:]

  /// The assets whose bytes are kept, by their checksums.
  private var assets: [DatabaseID: [String: Int64]] = [:]

  /// See `ZoneStore`. Each start of the server is another run.
  package private(set) var run: UInt64 = 0

  /// An empty store.
  package init() {}

  /// Replaces the content by that of a copy. The store goes on with a run that neither had.
  package mutating func restore(_ copy: MemoryZoneStore) {
    let last = max(run, copy.run)
    self = copy
    run = last + 1
  }

  /// Makes the next commit with changes of that place fail there. Other places are not affected.
  package mutating func failNextCommit(of place: CommitFailure.Place, with error: StoreError) {
    failures.append(CommitFailure(place: place, error: error))
  }

  /// Makes the next commit with changes of that place stale, as if someone else had changed it.
  package mutating func makeNextCommitStale(of place: CommitFailure.Place) {
    failures.append(CommitFailure(place: place, cause: .stale))
  }

  /// Drops staged changes, as when a process is killed before its commit.
  package mutating func crash() {
    for key in stagedZones { rollBack(key) }
    for id in stagedDatabases { states[id] = committedStates[id] }
    forgetStaged()
    run += 1
  }

  /// See `ZoneStore`.
  package func databases() throws(StoreError) -> [DatabaseID] {
    try checkReadable()
    return Set(headers.filter { !$0.value.isEmpty }.keys).union(states.keys).sorted()
  }

  /// See `ZoneStore`.
  package func database(_ id: DatabaseID) throws(StoreError) -> DatabaseState {
    try checkReadable()
    var state = states[id] ?? DatabaseState()
    for header in headers[id] ?? [] { state.add(header) }
    return state
  }

  /// See `ZoneStore`.
  package func zones(in database: DatabaseID) throws(StoreError) -> [ZoneHeader] {
    try checkReadable()
    let all = headers[database] ?? []
    guard !damage.isEmpty else { return all }
    return all.filter { damage[ZoneKey(database: database, zoneName: $0.zoneName)] == nil }
  }

  /// See `ZoneStore`.
  package func unreadableZones(in database: DatabaseID) throws(StoreError) -> [UnreadableZone] {
    try checkReadable()
    return damage.keys.sorted().filter { $0.database == database }.compactMap { key in
      damage[key].map { UnreadableZone(name: key.zoneName, error: $0, known: zones[key]?.header.map { ZoneMark($0) }) }
    }
  }

  /// See `ZoneStore`.
  package func findings(in database: DatabaseID) -> [StoreFinding] {
    damage.keys.sorted().filter { $0.database == database }.compactMap { key in
      damage[key].map { .unreadable(key.zoneName, $0) }
    }
  }

  /// See `ZoneStore`.
  package func zone(_ key: ZoneKey) throws(StoreError) -> ZoneHeader? {
    try checkReadable(key)
    return zones[key]?.header
  }

  /// See `ZoneStore`.
  package func record(_ name: Name, in zone: ZoneKey) throws(StoreError) -> StoredRecord? {
    try checkReadable(zone)
    try zones[zone]?.check(name)
    return zones[zone]?.records[name]
  }

  /// See `ZoneStore`.
  package func references(to name: Name, in zone: ZoneKey) throws(StoreError) -> [StoredReference] {
    try checkReadable(zone)
    return zones[zone]?.incoming[name] ?? []
  }

  /// A reference that violates the rules: to a missing record that is required, or of a record that should have been
  /// deleted with its target. The first by name and field; nil if there is none.
  package func brokenReference(in zone: ZoneKey) -> StoredReference? { zones[zone]?.brokenReference }

  /// See `ZoneStore`.
  package func schema(of recordType: Name, in zone: ZoneKey) throws(StoreError) -> [FieldDefinition] {
    try checkReadable(zone)
    return zones[zone]?.schema[recordType] ?? []
  }

  /// See `ZoneStore`.
  package func definitions(in zone: ZoneKey) throws(StoreError) -> [FieldDefinition] {
    try checkReadable(zone)
    return (zones[zone]?.schema ?? [:]).sorted { $0.key < $1.key }.flatMap(\.value)
  }

  /// See `ZoneStore`.
  package func sequence(through time: WallTime, in zone: ZoneKey) throws(StoreError) -> Int64 {
    try checkReadable(zone)
    return zones[zone]?.sequence(through: time) ?? 0
  }

  /// See `ZoneStore`.
  package func feed(_ query: FeedQuery, in zone: ZoneKey) throws(StoreError) -> FeedPage {
    try checkReadable(zone)
    return try zones[zone]?.feed(query) ?? FeedPage(page: RecordPage(), position: query.position, moreComing: false)
  }

  /// See `ZoneStore`.
  package func matches(_ query: RecordQuery, in zone: ZoneKey) throws(StoreError) -> RecordMatches {
    try checkReadable(zone)
    return try zones[zone]?.matches(query) ?? RecordMatches(count: query.isCounted ? 0 : nil)
  }

  /// See `ZoneStore`.
  package func assetSize(_ checksum: String, in database: DatabaseID) throws(StoreError) -> Int64? {
    try checkReadable()
    return assets[database]?[checksum]
  }

  /// See `ZoneStore`.
  package func assetChecksums(in database: DatabaseID) throws(StoreError) -> Set<String> {
    var found: Set<String> = []
    for key in zones.keys where key.database == database {
      try checkReadable(key)
      for record in (zones[key]?.records ?? [:]).values {
        found.formUnion(AssetText.checksums(in: record.fields.utf8.span))
      }
    }
    return found
  }

  /// The bytes of an asset were uploaded; nil for `size` if they are removed.
  package mutating func setAsset(_ checksum: String, size: Int64?, in database: DatabaseID) {
    assets[database, default: [:]][checksum] = size
  }

  /// See `ZoneStore`.
  package mutating func stage(_ change: ZoneTransition, in zone: ZoneKey) {
    let sequence = sequence(of: zone.database)
    if change.expected?.holds(for: zones[zone]?.header, databaseSequence: sequence) == false {
      stalePlaces.insert(.zone(zone))
    }
    zones[zone, default: Zone()].stage(change)
    keepHeader(of: zone)
    if !stagedZones.contains(zone) { stagedZones.append(zone) }
    if let after = change.after { predecessors[zone, default: []].insert(after) }
  }

  /// See `ZoneStore`.
  package mutating func stage(_ change: DatabaseTransition, in database: DatabaseID) {
    if change.expected?.holds(for: states[database] ?? DatabaseState()) == false {
      stalePlaces.insert(.database(database))
    }
    if !stagedDatabases.contains(database) {
      stagedDatabases.append(database)
      committedStates[database] = states[database]
    }
    states[database, default: DatabaseState()].apply(change)
  }

  /// See `ZoneStore`.
  package mutating func refuseStaged(because error: StoreError) { refusal = error }

  /// See `ZoneStore`.
  package mutating func commit() -> [CommitFailure] {
    defer { refusal = nil }
    var zoneFailures = stagedZones.sorted().filter { predecessors[$0] == nil }.compactMap { settle($0, after: []) }
    zoneFailures += stagedZones.sorted().filter { predecessors[$0] != nil }.compactMap {
      settle($0, after: zoneFailures)
    }
    let databaseFailures = stagedDatabases.sorted().compactMap { settle($0) }
    forgetStaged()
    return zoneFailures + databaseFailures
  }

  /// See `ZoneStore`.
  package mutating func close() { crash() }

  func sequence(of id: DatabaseID) -> Int64 { headers[id]?.lazy.map(\.databaseSequence).max() ?? 0 }

  private mutating func settle(_ key: ZoneKey, after failures: [CommitFailure]) -> CommitFailure? {
    let earlier = failures.first { failure in predecessors[key]?.contains { failure.place == .zone($0) } ?? false }
    guard let cause = takeFailure(of: .zone(key)) ?? earlier?.cause else {
      zones[key]?.settle()
      return nil
    }
    rollBack(key)
    return CommitFailure(place: .zone(key), cause: cause)
  }

  private mutating func settle(_ id: DatabaseID) -> CommitFailure? {
    guard let cause = takeFailure(of: .database(id)) else { return nil }
    states[id] = committedStates[id]
    return CommitFailure(place: .database(id), cause: cause)
  }

  private mutating func takeFailure(of place: CommitFailure.Place) -> CommitFailure.Cause? {
    if let error = refusal ?? commitError { return .store(error) }
    if stalePlaces.contains(place) { return .stale }
    guard let index = failures.firstIndex(where: { $0.place == place }) else { return nil }
    return failures.remove(at: index).cause
  }

  private mutating func rollBack(_ key: ZoneKey) {
    zones[key]?.rollBack()
    if zones[key]?.header == nil { zones[key] = nil }
    keepHeader(of: key)
  }

  /// Updates the list of headers with the zone's header.
  mutating func keepHeader(of key: ZoneKey) {
    let place = headers[key.database, default: []].place { $0.zoneName < key.zoneName }
    let isListed = headers[key.database]?.dropFirst(place).first?.zoneName == key.zoneName
    let now = zones[key]?.header.map { [$0] } ?? []
    headers[key.database, default: []].replaceSubrange(place..<(isListed ? place + 1 : place), with: now)
  }

  private mutating func forgetStaged() {
    stagedZones = []
    predecessors = [:]
    stagedDatabases = []
    committedStates = [:]
    stalePlaces = []
  }

  private func checkReadable() throws(StoreError) {
    if let readError { throw readError }
  }

  private func checkReadable(_ zone: ZoneKey) throws(StoreError) {
    try checkReadable()
    if !damage.isEmpty, let error = damage[zone] { throw error }
  }
}
