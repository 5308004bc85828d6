/// A reference from one record to another (CloudKit Web Services, b.5).
public struct Reference: Hashable, Sendable {
  /// The rule that the cloud enforces for a reference.
  public enum Action: String, CaseIterable, Hashable, Sendable {
    /// Nothing: the target may be missing.
    case none = "NONE"
    /// Deleting the target deletes the referring record.
    case deleteSelf = "DELETE_SELF"
    /// The target must exist when the record is saved, and cannot be deleted while the record exists.
    case validate = "VALIDATE"
  }

  /// The name of the target.
  public var recordName: Name
  /// The zone of the target; nil for the zone of the referring record.
  public var zoneID: ZoneID?
  /// The rule that the cloud enforces.
  public var action: Action

  /// A reference to that record.
  public init(recordName: Name, zoneID: ZoneID? = nil, action: Action = .none) {
    self.recordName = recordName
    self.zoneID = zoneID
    self.action = action
  }
}
