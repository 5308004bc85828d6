import ZoneKitRecords

/// An incarnation of a zone that is over.
package struct EndedIncarnation: Hashable, Sendable {
  /// How an incarnation ended.
  package enum End: String, CaseIterable, Hashable, Sendable {
    /// A client deleted the zone.
    case deleted
    /// The user removed the app's data.
    case purged
    /// The keys of the zone's encrypted data were reset.
    case encryptedDataReset
    /// The zone, or commits of it, were lost.
    case lost
    /// Its tokens were refused from then on, and nothing else happened.
    case expired
  }

  /// The incarnation, after its last purge of old tombstones.
  package var incarnation: UInt64
  /// How often old tombstones were purged from it; see `ZoneHeader.purges`.
  package var purges: Int64
  /// How it ended.
  package var end: End
  /// When it ended.
  package var at: WallTime
  /// The zone's sequence at its end. Later commits belong to the next incarnation.
  package var sequence: Int64

  /// An incarnation that ended so.
  package init(incarnation: UInt64, purges: Int64, end: End, at: WallTime, sequence: Int64) {
    self.incarnation = incarnation
    self.purges = purges
    self.end = end
    self.at = at
    self.sequence = sequence
  }

  /// The incarnation without its purges.
  fileprivate var life: UInt64 { incarnation &- UInt64(bitPattern: purges) }

  /// Whether tokens with that incarnation are from this one.
  fileprivate func knows(_ incarnation: UInt64) -> Bool { self.incarnation &- incarnation <= UInt64(clamping: purges) }
}

extension EndedIncarnation.End {
  /// The end of a zone that was deleted so; `expired` for none.
  init(_ deletion: ZoneHeader.Deletion?) {
    self =
      switch deletion {
      case .deleted: .deleted
      case .purged: .purged
      case .encryptedDataReset: .encryptedDataReset
      case .lost: .lost
      case nil: .expired
      }
  }

  /// The reason, if somebody meant the records to go.
  fileprivate var meant: ZoneDeletion? {
    switch self {
    case .deleted: .deleted
    case .purged: .purged
    case .encryptedDataReset, .lost, .expired: nil
    }
  }
}

extension ZoneHeader {
  /// The most earlier incarnations that are remembered.
  private static let earlierLimit = 64

  /// Records that an incarnation of the zone ended.
  mutating func note(
    _ before: ZoneHeader, as end: EndedIncarnation.End, at time: WallTime, sequence: Int64? = nil
  ) {
    guard let known = earlier else { return }
    let ended = EndedIncarnation(
      incarnation: before.incarnation, purges: before.purges, end: end, at: time,
      sequence: sequence ?? before.sequence)
    earlier = Array((known + [ended]).suffix(Self.earlierLimit))
  }

  /// How the zone ended that a client knows, whose token has that incarnation, if somebody meant it: the client's records
  /// of it are not to come back.
  package func ending(of incarnation: UInt64) -> ZoneEnding? {
    guard let last = earlier?.suffix(from: firstEnd(of: incarnation)).last(where: { $0.end.meant != nil }) else {
      return nil
    }
    return last.end.meant.map { ZoneEnding($0, at: last.at) }
  }

  /// Whether records of a client whose token has that incarnation were lost, so that the client has to offer them: its
  /// incarnation, or a later one, ended with a loss, or the cloud does not know it at all.
  package func hasLost(_ incarnation: UInt64) -> Bool {
    guard let earlier, earlier.count < Self.earlierLimit else { return isAfterLoss }
    guard ending(of: incarnation) == nil else { return false }
    guard earlier.contains(where: { $0.knows(incarnation) }) else { return true }
    return earlier.suffix(from: firstEnd(of: incarnation)).contains { $0.end != .expired }
  }

  /// The zone's incarnations as clients know them that count no purges of old tombstones: the present one, and the earlier
  /// ones whose records were not lost, with how they ended if somebody meant that. The time after the end of a zone, as
  /// long as it was not created again, is one of its own, so that clients learn of the end.
  package var lives: (present: UInt64, earlier: [(incarnation: UInt64, ending: ZoneEnding?)]) {
    var ended = self
    if isDeleted { ended.note(self, as: EndedIncarnation.End(deletion), at: lastCommitAt) }
    let ends = ended.earlier ?? []
    var found: [(incarnation: UInt64, ending: ZoneEnding?)] = []
    for (place, end) in ends.enumerated() {
      if !ended.hasLost(end.incarnation) { found.append((end.life, ended.ending(of: end.incarnation))) }
      // Who knows that it ended has lost and been told what those have that came later.
      let later = place + 1 < ends.count ? ends[place + 1].incarnation : nil
      if !(later.map(ended.hasLost) ?? false) { found.append((~end.life, later.flatMap(ended.ending))) }
    }
    let present = incarnation &- UInt64(bitPattern: purges)
    return (isDeleted ? ~present : present, found)
  }

  /// Whether a tombstone is from after a loss. Devices that lost their tokens with it may still have the record, and would
  /// offer it.
  func isDeletedAfterLoss(_ tombstone: StoredRecord) -> Bool {
    guard isAfterLoss, let ended = earlier?.last(where: { $0.end != .expired }) else { return false }
    return tombstone.sequence > ended.sequence
  }

  /// Whether the zone has a record or a tombstone of all records that it ever had under its name, as far as the cloud knows.
  var isWholeHistory: Bool { earlier?.isEmpty == true && purges == 0 }

  /// The index of the end of that incarnation; 0 if it is not known, as it may be older than all.
  private func firstEnd(of incarnation: UInt64) -> Int {
    earlier?.lastIndex { $0.knows(incarnation) } ?? 0
  }
}
