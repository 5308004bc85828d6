import ZoneKitRecords

/// The state of a zone on which a change is based. A store that holds a different state at the commit refuses the
/// change as stale.
package struct ZoneExpectation: Hashable, Sendable {
  /// Identifies a state of a zone: every change of a zone changes at least one of these.
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

  /// The version of the zone; nil if there was no zone.
  private var version: Version?
  /// The database's sequence, if the change increments it; otherwise nil.
  private var databaseSequence: Int64?

  /// The expectation of a zone with that header, or of no zone if nil, in a database with that sequence.
  package init(zone header: ZoneHeader?, databaseSequence: Int64?) {
    version = header.map { Version($0) }
    self.databaseSequence = databaseSequence
  }

  /// Whether this header and database sequence are those on which the change is based.
  package func holds(for header: ZoneHeader?, databaseSequence: Int64) -> Bool {
    version == header.map { Version($0) } && self.databaseSequence ?? databaseSequence == databaseSequence
  }
}
