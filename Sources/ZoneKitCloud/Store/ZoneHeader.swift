import ZoneKitRecords

/// The metadata of a zone, stored in the same commit as its records.
package struct ZoneHeader: Hashable, Sendable {
  /// The reason why a zone does not exist any more.
  package enum Deletion: String, CaseIterable, Hashable, Sendable {
    /// A client deleted it.
    case deleted
    /// The user removed the app's data. After that, apps may not recreate the zone without asking the user.
    case purged
    /// The keys of its encrypted data were reset.
    case encryptedDataReset
    /// The cloud lost it. No feed lists it.
    case lost

    /// The deletion in the database's feed; nil if no feed lists it.
    var listed: ZoneDeletion? { ZoneDeletion(rawValue: rawValue) }
  }

  /// The zone's name.
  package var zoneName: Name
  /// A random number that is drawn whenever the zone is created, so that tokens of a deleted zone are not valid for its
  /// successor.
  package var incarnation: UInt64
  /// The sequence of the newest record or tombstone. It is never reset, not even in a new incarnation.
  package var sequence: Int64
  /// The database's sequence at the zone's last commit.
  package var databaseSequence: Int64
  /// Why the zone does not exist any more; nil if it exists. The header is kept, so that the database's feed can list
  /// the deletion.
  package var deletion: Deletion?
  /// How often old tombstones were purged from this incarnation. Each purge also increments the incarnation, so that
  /// tokens from before the purge can be recognized.
  package var purges: Int64
  /// The highest sequence of a purged tombstone. A token from before the purge is valid only from this position on.
  package var horizon: Int64
  /// The newest time of a purged tombstone; zero if none was purged.
  package var horizonAt = WallTime(milliseconds: 0)
  /// Whether this incarnation began because the zone, or commits of it, had been lost.
  package var isAfterLoss = false
  /// The earlier incarnations and how they ended, oldest first; nil if that was not recorded.
  package var earlier: [EndedIncarnation]?
  /// The run of the server that made the last change; 0 if it is not known.
  package var run: UInt64 = 0
  /// The sequences that runs of the server skipped, in ascending order.
  package var gaps: [RunGap] = []
  /// The sequences of the database that runs skipped with a change of this zone, in ascending order.
  package var databaseGaps: [NumberGap] = []
  /// The shares in the zone; nil if it never had one.
  package var sharing: ZoneSharing?
  /// The number of live records in the zone.
  package var recordCount: Int
  /// The number of tombstones in the zone.
  package var tombstoneCount: Int
  /// The time of the zone's last change.
  package var lastCommitAt: WallTime

  /// A new zone without records.
  package init(zoneName: Name, incarnation: UInt64, sequence: Int64, databaseSequence: Int64, at: WallTime) {
    self.zoneName = zoneName
    self.incarnation = incarnation
    self.sequence = sequence
    self.databaseSequence = databaseSequence
    purges = 0
    horizon = 0
    recordCount = 0
    tombstoneCount = 0
    lastCommitAt = at
    earlier = []
  }

  /// A new zone without records in the place of `before`, which does not exist any more; nil if there never was one. The
  /// sequence continues, so that no change tag of the earlier zone is used again.
  package init(
    zoneName: Name, replacing before: ZoneHeader?, at: WallTime, using generator: inout some RandomNumberGenerator
  ) {
    self.init(
      zoneName: zoneName, incarnation: generator.next(), sequence: before?.sequence ?? 0, databaseSequence: 0, at: at)
    guard let before else { return }
    earlier = before.earlier
    (run, gaps, databaseGaps) = (before.run, before.gaps, before.databaseGaps)
    note(before, as: EndedIncarnation.End(before.deletion), at: before.lastCommitAt)
    isAfterLoss = before.deletion.map { $0 == .lost || $0 == .encryptedDataReset } ?? false
  }

  /// Whether the zone does not exist any more.
  package var isDeleted: Bool { deletion != nil }

  /// Deletes the zone with its content.
  mutating func end(_ deletion: Deletion) {
    self.deletion = deletion
    recordCount = 0
    tombstoneCount = 0
    sharing = nil
  }

  /// Whether tokens with that incarnation are from this zone: from after its last purge, or from before.
  package func knows(_ incarnation: UInt64) -> Bool {
    self.incarnation &- incarnation <= UInt64(clamping: purges)
  }
}
