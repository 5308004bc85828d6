import ZoneKitRecords

/// How far a zone had come at some moment. A store records it outside of the zone's own file after each commit. So it
/// notices that the file was replaced by an older copy, or that its last commits were lost.
package struct ZoneMark: Hashable, Sendable {
  /// The zone's incarnation.
  package var incarnation: UInt64
  /// The zone's sequence.
  package var sequence: Int64
  /// The zone's position in the feed of its database.
  package var databaseSequence: Int64
  /// Whether the zone was deleted.
  package var isDeleted: Bool
  /// The time of the zone's last change; zero if it is not known.
  package var time: WallTime

  /// A mark with these values.
  package init(incarnation: UInt64, sequence: Int64, databaseSequence: Int64, isDeleted: Bool, time: WallTime) {
    self.incarnation = incarnation
    self.sequence = sequence
    self.databaseSequence = databaseSequence
    self.isDeleted = isDeleted
    self.time = time
  }

  /// The mark of a zone with that header.
  package init(_ header: ZoneHeader) {
    self.init(
      incarnation: header.incarnation, sequence: header.sequence, databaseSequence: header.databaseSequence,
      isDeleted: header.isDeleted, time: header.lastCommitAt)
  }

  /// Whether a zone with that header has come at least as far. Otherwise the zone lacks commits that were answered.
  package func isReached(by header: ZoneHeader) -> Bool {
    header.incarnation == incarnation && header.sequence >= sequence && header.databaseSequence >= databaseSequence
  }

  /// The header with which such a zone goes on. Tokens from before are refused, so that devices fetch the zone as a
  /// whole and offer what it lacks. No change tag and no time is used a second time. The database's feed lists the zone
  /// again.
  package func renewed(
    _ header: ZoneHeader, databaseSequence: Int64, using generator: inout some RandomNumberGenerator
  ) -> ZoneHeader {
    var renewed = header
    renewed.note(header, as: .lost, at: header.lastCommitAt, sequence: max(header.sequence, sequence))
    renewed.renew(using: &generator)
    renewed.isAfterLoss = true
    renewed.sequence = max(header.sequence, sequence)
    renewed.databaseSequence = databaseSequence
    renewed.lastCommitAt = max(header.lastCommitAt, time)
    return renewed
  }
}
