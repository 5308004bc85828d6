/// A pointer from one record to another (CloudKit Web Services, b.5).
public struct Reference: Hashable, Sendable {
  /// What the pointer demands of the cloud.
  public enum Action: String, CaseIterable, Hashable, Sendable {
    /// Nothing: the target may be missing.
    case none = "NONE"
    /// Deleting the target deletes the record that holds the reference.
    case deleteSelf = "DELETE_SELF"
    /// The target must exist when the record is saved, and cannot be deleted while the record is there.
    case validate = "VALIDATE"
  }

  /// The target's name.
  public var recordName: Name
  /// The target's zone where the writer named one; nil means the zone of the record that holds the reference.
  public var zoneID: ZoneID?
  /// What the pointer demands.
  public var action: Action

  /// A reference to that record.
  public init(recordName: Name, zoneID: ZoneID? = nil, action: Action = .none) {
    self.recordName = recordName
    self.zoneID = zoneID
    self.action = action
  }
}
