import ZoneKitRecords

/// What a zone knows of itself, stored in the same commit as its records.
package struct ZoneHeader: Hashable, Sendable {
  /// Why a zone is gone.
  package enum Deletion: String, CaseIterable, Hashable, Sendable {
    /// Somebody deleted it.
    case deleted
    /// The user removed the app's data, after which nobody may write to it unasked.
    case purged
    /// The keys of its encrypted data were reset.
    case encryptedDataReset
    /// The cloud lost it: no feed lists it.
    case lost

    /// As the feed says it; nil where it says nothing.
    var listed: ZoneDeletion? { ZoneDeletion(rawValue: rawValue) }
  }

  /// The zone's name.
  package var zoneName: Name
  /// Drawn at random whenever the zone is created, so that tokens of a deleted zone never match its successor.
  package var incarnation: UInt64
  /// The sequence of the newest record or tombstone. It never starts over, not even in a new incarnation.
  package var sequence: Int64
  /// The database's sequence at the zone's last commit.
  package var databaseSequence: Int64
  /// Why the zone is gone; nil where it is there. The header stays, so that the database's feed can list the deletion.
  package var deletion: Deletion?
  /// How often old tombstones were purged from this incarnation. Each time the incarnation grows by one, so that tokens
  /// from before a purge can be recognized.
  package var purges: Int64
  /// The greatest sequence of a tombstone that was purged: a token from before the purge has to have passed it.
  package var horizon: Int64
  /// How many live records the zone holds.
  package var recordCount: Int
  /// How many tombstones the zone holds.
  package var tombstoneCount: Int
  /// When the zone last changed.
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
  }

  /// Whether the zone is gone.
  package var isDeleted: Bool { deletion != nil }

  /// The zone is gone with all that it held.
  mutating func end(_ deletion: Deletion) {
    self.deletion = deletion
    recordCount = 0
    tombstoneCount = 0
  }

  /// Whether tokens of that incarnation were issued by this zone: since its last purge, or before.
  func knows(_ incarnation: UInt64) -> Bool {
    self.incarnation &- incarnation <= UInt64(clamping: purges)
  }
}
