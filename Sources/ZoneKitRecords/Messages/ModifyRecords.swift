/// A batch of operations on records of one zone (CloudKit Web Services, a.1 row 2).
public struct ModifyRecords: Hashable, Sendable {
  /// The zone of all the records.
  public var zoneID: ZoneID
  /// The operations. Each record occurs at most once.
  public var operations: [RecordOperation]
  /// Whether the operations are carried out all or not at all; only in custom zones (CloudKit Web Services, c.2).
  public var isAtomic: Bool

  /// A batch for that zone.
  public init(zoneID: ZoneID, operations: [RecordOperation], isAtomic: Bool) {
    self.zoneID = zoneID
    self.operations = operations
    self.isAtomic = isAtomic
  }

  /// The most operations of one request (CloudKit Web Services, g).
  public static let operationLimit = 200
}
