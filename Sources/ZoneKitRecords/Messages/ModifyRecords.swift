/// A batch of operations on records of one zone (CloudKit Web Services, a.1 row 2).
public struct ModifyRecords: Hashable, Sendable {
  /// The zone of all the records.
  public var zoneID: ZoneID
  /// What to do, each record at most once.
  public var operations: [RecordOperation]
  /// Whether all or nothing is to be done; counts in custom zones only (CloudKit Web Services, c.2).
  public var isAtomic: Bool

  /// A batch for that zone.
  public init(zoneID: ZoneID, operations: [RecordOperation], isAtomic: Bool) {
    self.zoneID = zoneID
    self.operations = operations
    self.isAtomic = isAtomic
  }

  /// The most operations that one request may carry (CloudKit Web Services, g).
  public static let operationLimit = 200
}
