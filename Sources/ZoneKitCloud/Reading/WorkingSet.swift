import ZoneKitRecords

/// What was read from the store in this turn. Evaluations read only from it, and find out from it what has to be read
/// first.
///
/// A store fills it in `prefetch`. What a request changes is removed when the change is staged, so that the next
/// request reads it again, with the change.
package struct WorkingSet {
  private var databases: [DatabaseID: Result<DatabaseState, StoreError>] = [:]
  private var zoneLists: [DatabaseID: Result<ZoneList, StoreError>] = [:]
  private var zones: [ZoneKey: ZoneContent] = [:]
  private var hasFailures = false
  /// The bytes of records that were read for the present request, which `limits` limits.
  private var bytes = 0
  /// The number of records that were read for the present request because they depend on others.
  private var dependents = 0
  /// The bytes of records and pages that were read for the present request.
  private(set) var readBytes = 0
  /// The bytes of all records and pages in the set.
  private var size = 0
  /// What the present request may read.
  var limits = ReadingLimits()

  /// An empty set.
  package init() {}

  // MARK: Adding what was read

  /// Adds a database's own state, or the error of reading it.
  package mutating func put(_ state: Result<DatabaseState, StoreError>, of database: DatabaseID) {
    databases[database] = state
    if case .failure = state { hasFailures = true }
  }

  /// Adds the list of a database's zones, or the error of reading it.
  package mutating func put(_ zones: Result<ZoneList, StoreError>, zonesOf database: DatabaseID) {
    zoneLists[database] = zones
    if case .failure = zones { hasFailures = true }
  }

  /// Adds what `read` puts into the content of a zone, or the error that it throws.
  package mutating func fill(_ zone: ZoneKey, _ read: (inout ZoneContent) throws(StoreError) -> Void) {
    let taken = zones[zone, default: ZoneContent(zone)].fill(
      room: limits.bytes - bytes, dependents: limits.dependents - dependents, read)
    dependents += taken.dependents
    bytes += taken.recordBytes
    readBytes += taken.bytes
    size += taken.bytes
    hasFailures = hasFailures || taken.hasFailed
  }

  // MARK: Removing

  /// Removes a zone that was changed, and the parts of its database that depend on it.
  mutating func forget(_ zone: ZoneKey) {
    zones[zone] = nil
    zoneLists[zone.database] = nil
    databases[zone.database] = nil
  }

  /// Removes the own state of a database that was changed.
  mutating func forget(_ database: DatabaseID) { databases[database] = nil }

  /// Ends a request. The next one may read as much again, and tries again what failed. What was read stays only as long
  /// as it is small.
  mutating func endRequest() {
    guard size <= AnswerSize.limit else {
      self = WorkingSet()
      return
    }
    bytes = 0
    readBytes = 0
    dependents = 0
    guard hasFailures else { return }
    hasFailures = false
    databases = databases.filter { $0.value.isSuccess }
    zoneLists = zoneLists.filter { $0.value.isSuccess }
    for key in zones.keys.sorted() { zones[key]?.forgetFailure() }
  }

  // MARK: Reading

  /// A database's own state.
  package func database(_ id: DatabaseID) throws(EvaluationFailure) -> DatabaseState {
    try known(databases[id], .database(id))
  }

  /// All zones of a database.
  package func zones(of database: DatabaseID) throws(EvaluationFailure) -> ZoneList {
    try known(zoneLists[database], .zones(of: database))
  }

  /// The content of a zone, as far as it was read.
  package func content(of zone: ZoneKey) -> ZoneContent { zones[zone] ?? ZoneContent(zone) }

  /// The needs among these that were not read yet.
  package func missing(of needs: [Need]) -> [Need] {
    zones.isEmpty && databases.isEmpty && zoneLists.isEmpty ? needs : needs.compactMap(missing)
  }

  private func missing(_ need: Need) -> Need? {
    switch need {
    case .database(let id): databases[id] == nil ? need : nil
    case .zones(of: let id): zoneLists[id] == nil ? need : nil
    case .zone(let key), .records(_, in: let key), .references(_, in: let key), .dependents(_, by: _, in: let key),
      .schema(_, in: let key), .assets(_, in: let key), .sequence(_, in: let key), .matches(_, in: let key),
      .feed(_, in: let key):
      content(of: key).missing(need)
    }
  }

  private func known<Value>(
    _ result: Result<Value, StoreError>?, _ need: Need
  ) throws(EvaluationFailure) -> Value {
    switch result {
    case .success(let value): return value
    case .failure(let error): throw .unreadable(error)
    case nil: throw .absent([need])
    }
  }
}

extension Result {
  fileprivate var isSuccess: Bool {
    switch self {
    case .success: true
    case .failure: false
    }
  }
}
