import ZoneKitRecords

/// A zone that is gone from the cloud, as the app gets to see it before anything of it is deleted here.
public struct ZoneRemoval: Hashable, Sendable {
  /// Why the zone is gone from the cloud (sync semantics, 1.7).
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    /// Another device or a person deleted it.
    case deleted
    /// The user removed the app's data. It must not be uploaded again.
    case purged
    /// The keys of its encrypted data were lost with the recovery of the account.
    case encryptedDataReset
    /// It is not there and nobody said that it was deleted.
    case lost
  }

  /// Where the zone's records on this device go.
  public enum Choice: String, CaseIterable, Hashable, Sendable {
    /// They are deleted; edits that were not sent yet are in the journal.
    case remove
    /// They stay and are uploaded into a new zone of that name. Counts as `remove` for a purged zone.
    case uploadAgain
  }

  /// The zone.
  public var zoneID: ZoneID
  /// Why it is gone.
  public var reason: Reason
  /// All that the device holds of it, ascending by name.
  public var records: [LocalRecord]

  /// What is done where the app has no rule of its own: what nobody wanted to be gone, a lost zone or one whose keys were
  /// lost, is uploaded again; others are removed.
  public static func usualChoice(_ removal: ZoneRemoval) -> Choice {
    switch removal.reason {
    case .lost, .encryptedDataReset: .uploadAgain
    case .deleted, .purged: .remove
    }
  }
}

extension ZoneRemoval.Reason {
  /// The reason as the feed says it.
  init(_ deletion: ZoneDeletion) {
    self =
      switch deletion {
      case .deleted: .deleted
      case .purged: .purged
      case .encryptedDataReset: .encryptedDataReset
      }
  }
}
