import ZoneKitRecords

/// The numbers of records in a device's store.
public struct DeviceCensus: Hashable, Sendable {
  /// The number of records of a type in a zone, without locally deleted ones.
  public struct Count: Hashable, Sendable {
    /// The zone.
    public var zoneID: ZoneID
    /// The type.
    public var recordType: Name
    /// The number.
    public var count: Int

    /// A number of records.
    public init(zoneID: ZoneID, recordType: Name, count: Int) {
      self.zoneID = zoneID
      self.recordType = recordType
      self.count = count
    }
  }

  /// The number of records of a type that wait to be sent.
  public struct Waiting: Hashable, Sendable {
    /// The type.
    public var recordType: Name
    /// The number.
    public var count: Int

    /// A number of records that wait.
    public init(recordType: Name, count: Int) {
      self.recordType = recordType
      self.count = count
    }
  }

  /// The numbers in ascending order of zone and type, none of them zero.
  public var counts: [Count]
  /// The number of records with `pendingSince`, including those in quarantine.
  public var pending: Int
  /// The smallest `pendingSince`.
  public var oldestPendingAt: WallTime?
  /// The number of records in quarantine.
  public var quarantined: Int

  /// The census of an empty store.
  public init() {
    counts = []
    pending = 0
    quarantined = 0
  }
}
