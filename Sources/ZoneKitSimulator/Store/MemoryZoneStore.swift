import ZoneKitRecords
import ZoneKitCloud

/// The cloud's store as a value. It keeps staged changes apart from committed ones; tests and worlds make it lose what is
/// staged, fail and fill up.
///
/// A commit costs what it changes, not what the zones hold: a staged change is applied at once, and what it replaced is
/// remembered until the commit.
package struct MemoryZoneStore: ZoneStore {
  private var zones: [ZoneKey: Zone] = [:]
  /// The headers of each database's zones, ascending by name: every request asks for them.
  private var headers: [DatabaseID: [ZoneHeader]] = [:]
  private var states: [DatabaseID: DatabaseState] = [:]
  /// What databases were before the staged changes.
  private var committedStates: [DatabaseID: DatabaseState] = [:]
  private var stagedZones: [ZoneKey] = []
  private var stagedDatabases: [DatabaseID] = []
  /// Where a staged change expected something else than there was.
  private var stalePlaces: Set<CommitFailure.Place> = []
  private var failures: [CommitFailure] = []

  /// While set, every commit that changes something fails with it, as on a full disk.
  package var commitError: StoreError?
  /// While set, every read fails with it, as on a broken disk.
  package var readError: StoreError?

  /// A store that nobody wrote to yet.
  package init() {}

  /// Makes the next commit that changes that place fail there; other places are not touched by it.
  package mutating func failNextCommit(of place: CommitFailure.Place, with error: StoreError) {
    failures.append(CommitFailure(place: place, error: error))
  }

  /// Makes the next commit that changes that place find that somebody else has changed it.
  package mutating func makeNextCommitStale(of place: CommitFailure.Place) {
    failures.append(CommitFailure(place: place, cause: .stale))
  }

  /// Loses what is staged, as a process that dies before its commit does.
  package mutating func crash() {
    for key in stagedZones { rollBack(key) }
    for id in stagedDatabases { states[id] = committedStates[id] }
    forgetStaged()
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
    state.sequence = sequence(of: id)
    return state
  }

  /// See `ZoneStore`.
  package func zones(in database: DatabaseID) throws(StoreError) -> [ZoneHeader] {
    try checkReadable()
    return headers[database] ?? []
  }

  /// See `ZoneStore`.
  package func zone(_ key: ZoneKey) throws(StoreError) -> ZoneHeader? {
    try checkReadable()
    return zones[key]?.header
  }

  /// See `ZoneStore`.
  package func record(_ name: Name, in zone: ZoneKey) throws(StoreError) -> StoredRecord? {
    try checkReadable()
    return zones[zone]?.records[name]
  }

  /// See `ZoneStore`.
  package func references(to name: Name, in zone: ZoneKey) throws(StoreError) -> [StoredReference] {
    try checkReadable()
    return zones[zone]?.incoming[name] ?? []
  }

  /// A reference that must not be: to a record that has to be there and is not, or of a record that should have gone with
  /// the one that it hangs on. The first by name and field; nil where all is well.
  func brokenReference(in zone: ZoneKey) -> StoredReference? { zones[zone]?.brokenReference }

  /// See `ZoneStore`.
  package func schema(of recordType: Name, in zone: ZoneKey) throws(StoreError) -> [FieldDefinition] {
    try checkReadable()
    return zones[zone]?.schema[recordType] ?? []
  }

  /// See `ZoneStore`.
  package func feed(_ query: FeedQuery, in zone: ZoneKey) throws(StoreError) -> FeedPage {
    try checkReadable()
    return zones[zone]?.feed(query) ?? FeedPage(page: RecordPage(), position: query.position, moreComing: false)
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
  package mutating func commit() -> [CommitFailure] {
    let zoneFailures = stagedZones.sorted().compactMap { settle($0) }
    let databaseFailures = stagedDatabases.sorted().compactMap { settle($0) }
    forgetStaged()
    return zoneFailures + databaseFailures
  }

  /// See `ZoneStore`.
  package mutating func close() { crash() }

  private func sequence(of id: DatabaseID) -> Int64 { headers[id]?.lazy.map(\.databaseSequence).max() ?? 0 }

  private mutating func settle(_ key: ZoneKey) -> CommitFailure? {
    guard let cause = takeFailure(of: .zone(key)) else {
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
    if let commitError { return .store(commitError) }
    if stalePlaces.contains(place) { return .stale }
    guard let index = failures.firstIndex(where: { $0.place == place }) else { return nil }
    return failures.remove(at: index).cause
  }

  private mutating func rollBack(_ key: ZoneKey) {
    zones[key]?.rollBack()
    if zones[key]?.header == nil { zones[key] = nil }
    keepHeader(of: key)
  }

  /// Makes the list of headers say what the zone says.
  private mutating func keepHeader(of key: ZoneKey) {
    let place = headers[key.database, default: []].place { $0.zoneName < key.zoneName }
    let isListed = headers[key.database]?.dropFirst(place).first?.zoneName == key.zoneName
    let now = zones[key]?.header.map { [$0] } ?? []
    headers[key.database, default: []].replaceSubrange(place..<(isListed ? place + 1 : place), with: now)
  }

  private mutating func forgetStaged() {
    stagedZones = []
    stagedDatabases = []
    committedStates = [:]
    stalePlaces = []
  }

  private func checkReadable() throws(StoreError) {
    if let readError { throw readError }
  }
}
