import ZoneKitRecords

/// What a change of a zone was worked out from. A store that holds something else by then refuses the change as stale.
package struct ZoneExpectation: Hashable, Sendable {
  /// Tells the states of a zone apart: every change of a zone moves at least one of these.
  private struct Version: Hashable {
    var incarnation: UInt64
    var sequence: Int64
    var databaseSequence: Int64
    var deletion: ZoneHeader.Deletion?

    init(_ header: ZoneHeader) {
      incarnation = header.incarnation
      sequence = header.sequence
      databaseSequence = header.databaseSequence
      deletion = header.deletion
    }
  }

  /// The zone as it was read; nil where there was none.
  private var version: Version?
  /// The database's sequence, where the change takes the next one; nil where it takes none.
  private var databaseSequence: Int64?

  /// Expects a zone with that header, or no zone where it is nil, in a database with that sequence.
  package init(zone header: ZoneHeader?, databaseSequence: Int64?) {
    version = header.map { Version($0) }
    self.databaseSequence = databaseSequence
  }

  /// Whether a store that holds this header and database sequence has what the change was worked out from.
  package func holds(for header: ZoneHeader?, databaseSequence: Int64) -> Bool {
    version == header.map { Version($0) } && self.databaseSequence ?? databaseSequence == databaseSequence
  }
}
