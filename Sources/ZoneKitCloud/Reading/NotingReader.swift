import ZoneKitRecords

/// Reads from a working set for one evaluation, and records the places that were read.
package struct NotingReader {
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

  /// A database's own state, without recording the read. For decisions that are not part of the answer: whom to notify,
  /// and the place of a change in the database's order.
  func peek(_ id: DatabaseID) throws(EvaluationFailure) -> DatabaseState { try workingSet.database(id) }

  /// The content of a zone, without recording the read. The evaluation records it if the answer depends on it.
  func peek(_ zone: ZoneKey) -> ZoneContent { workingSet.content(of: zone) }

  /// All zones of a database.
  mutating func zones(of database: DatabaseID) throws(EvaluationFailure) -> ZoneList {
    footprint.note(zonesOf: database)
    return try workingSet.zones(of: database)
  }

  /// The header of a zone; nil if it never existed.
  package mutating func zone(_ key: ZoneKey) throws(EvaluationFailure) -> ZoneHeader? {
    try content(of: key).knownHeader()
  }

  /// The content of a zone, as far as it was read.
  package mutating func content(of zone: ZoneKey) -> ZoneContent {
    footprint.note(zone)
    return workingSet.content(of: zone)
  }

  /// The change after which a zone has that header, the database's next sequence and that time.
  mutating func transition(
    to header: ZoneHeader, of key: ZoneKey, at time: WallTime, records: [StoredRecord],
    definitions: [FieldDefinition], state: inout DatabaseState
  ) throws(EvaluationFailure) -> ZoneTransition {
    let expected = ZoneExpectation(zone: try zone(key), databaseSequence: state.sequence)
    var header = header
    let run = content(of: key).run
    header.begin(run, after: header.lastCommitAt, at: time)
    state.takeSequence(for: &header, in: run)
    header.lastCommitAt = time
    return ZoneTransition(header: header, records: records, definitions: definitions, expected: expected)
  }
}
