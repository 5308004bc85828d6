import ZoneKitRecords

/// Answers the reads of one evaluation from a working set, and notes the places that were read.
struct NotingReader {
  private let workingSet: WorkingSet
  /// The places that were read so far.
  private(set) var footprint = Footprint()

  /// A reader that has read nothing yet.
  init(_ workingSet: WorkingSet) { self.workingSet = workingSet }

  /// A database's own state.
  mutating func database(_ id: DatabaseID) throws(EvaluationFailure) -> DatabaseState {
    footprint.note(id)
    return try workingSet.database(id)
  }

  /// A database's own state, for what is not part of the answer: whom to notify, and which place a change takes in the
  /// database's order.
  func peek(_ id: DatabaseID) throws(EvaluationFailure) -> DatabaseState { try workingSet.database(id) }

  /// The headers of all zones of a database, ascending by name.
  mutating func zones(of database: DatabaseID) throws(EvaluationFailure) -> [ZoneHeader] {
    footprint.note(zonesOf: database)
    return try workingSet.zones(of: database)
  }

  /// The header of a zone; nil where there never was one.
  mutating func zone(_ key: ZoneKey) throws(EvaluationFailure) -> ZoneHeader? {
    try content(of: key).knownHeader()
  }

  /// What was read of a zone.
  mutating func content(of zone: ZoneKey) -> ZoneContent {
    footprint.note(zone)
    return workingSet.content(of: zone)
  }
}
