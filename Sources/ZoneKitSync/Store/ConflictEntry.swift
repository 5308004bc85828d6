import ZoneKitRecords

/// An entry of the conflict journal: two versions that met, and the decision between them. It holds both, so that no version is lost.
public struct ConflictEntry: Hashable, Sendable {
  /// Which version the decision left, seen from the device that keeps the journal.
  public enum Winner: String, CaseIterable, Hashable, Sendable {
    /// The version of this device.
    case local
    /// The version of the cloud.
    case server
    /// A version made of both.
    case merged
    /// Nobody's: the local version was set aside, for example with its zone or its account.
    case none
  }

  /// Names the conflict: the same on every device that decides it or hears of it.
  public var id: String
  /// The record.
  public var recordID: RecordID
  /// The record's type.
  public var recordType: Name
  /// When it was decided, by the clock of the device that decided.
  public var at: WallTime
  /// Which version is left.
  public var winner: Winner
  /// The rule that decided, as the app's merge policy names it, such as `updatedAt`; or the coordinator's `delete`,
  /// `zoneDeleted`, `accountChanged`, `reset`.
  public var rule: String
  /// The version of this device; nil where it had deleted the record.
  public var local: RecordContent?
  /// The version of the cloud; nil where the record was deleted there.
  public var server: RecordContent?
  /// The device whose version `server` is, where known.
  public var serverDeviceID: String?
  /// The device that decided.
  public var decidedBy: String

  /// An entry of the journal.
  public init(
    id: String, recordID: RecordID, recordType: Name, at: WallTime, winner: Winner, rule: String,
    local: RecordContent?, server: RecordContent?, serverDeviceID: String?, decidedBy: String
  ) {
    self.id = id
    self.recordID = recordID
    self.recordType = recordType
    self.at = at
    self.winner = winner
    self.rule = rule
    self.local = local
    self.server = server
    self.serverDeviceID = serverDeviceID
    self.decidedBy = decidedBy
  }
}
