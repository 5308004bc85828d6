/// An entry of the conflict journal: two conflicting versions and the decision. It contains both, so that no version is
/// lost.
public struct ConflictEntry: Hashable, Sendable {
  /// The version that remains, from the view of the device that keeps the journal.
  public enum Winner: String, CaseIterable, Hashable, Sendable {
    /// The version of this device.
    case local
    /// The version of the cloud.
    case server
    /// A version merged from both.
    case merged
    /// None: the local version was discarded, for example with its zone or its account.
    case none
  }

  /// The rule of an entry for a record that a device removed because a feed that was read from its beginning did not show
  /// it.
  package static let leftOut = "leftOut"

  /// The ID of the conflict, equal on every device that decides it or gets its report.
  public var id: String
  /// The record.
  public var recordID: RecordID
  /// The record's type.
  public var recordType: Name
  /// When it was decided, by the deciding device's clock.
  public var at: WallTime
  /// The version that remains.
  public var winner: Winner
  /// The rule that decided: the merge policy's name for it, such as `updatedAt`, or the coordinator's `delete`,
  /// `zoneDeleted`, `accountChanged`, `changesLost`, `deletionLost`, `leftOut` or `reset`.
  public var rule: String
  /// The version of this device; nil if it had deleted the record.
  public var local: RecordContent?
  /// The version of the cloud; nil if the record was deleted there.
  public var server: RecordContent?
  /// The device that made the version `server`, if known.
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
