import ZoneKitRecords

/// A zone that does not exist in the cloud any more, for the app's decision before anything is deleted on the device.
public struct ZoneRemoval: Hashable, Sendable {
  /// Why the zone does not exist any more (sync semantics, 1.7).
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    /// Another device or an administrator deleted it.
    case deleted
    /// The user removed the app's data. It must not be uploaded again. What is made after that is new.
    case purged
    /// The keys of its encrypted data were lost when the account was recovered.
    case encryptedDataReset
    /// It does not exist, and no deletion was reported.
    case lost
  }

  /// What happens to the zone's records on this device.
  public enum Choice: String, CaseIterable, Hashable, Sendable {
    /// They are deleted. Edits that were not sent yet are moved to the journal. Records that were made after the zone
    /// ended, as far as the cloud says when, are sent into a new zone.
    case remove
    /// They are kept and uploaded into a new zone of that name. For a purged zone it has the effect of `remove`.
    case uploadAgain
  }

  /// The zone.
  public var zoneID: ZoneID
  /// The reason.
  public var reason: Reason
  /// All records of the zone on the device, in ascending order of their names.
  public var records: [LocalRecord]

  /// The default decision: a lost zone, or one whose keys were lost, is uploaded again, because nobody wanted it
  /// deleted; others are removed.
  public static func usualChoice(_ removal: ZoneRemoval) -> Choice {
    switch removal.reason {
    case .lost, .encryptedDataReset: .uploadAgain
    case .deleted, .purged: .remove
    }
  }
}

extension ZoneRemoval.Reason {
  /// The reason for a deletion in the database's feed.
  init(_ deletion: ZoneDeletion) {
    self =
      switch deletion {
      case .deleted: .deleted
      case .purged: .purged
      case .encryptedDataReset: .encryptedDataReset
      }
  }
}
