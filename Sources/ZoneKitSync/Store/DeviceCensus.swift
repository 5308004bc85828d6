import ZoneKitRecords

/// How much a device's store holds.
public struct DeviceCensus: Hashable, Sendable {
  /// How many records of a type a zone holds, locally deleted ones left out.
  public struct Count: Hashable, Sendable {
    /// The zone.
    public var zoneID: ZoneID
    /// The type.
    public var recordType: Name
    /// How many.
    public var count: Int

    /// That many records.
    public init(zoneID: ZoneID, recordType: Name, count: Int) {
      self.zoneID = zoneID
      self.recordType = recordType
      self.count = count
    }
  }

  /// Ascending by zone, then type; no entry is zero.
  public var counts: [Count]
  /// How many records have `pendingSince` set, those in quarantine included.
  public var pending: Int
  /// The smallest `pendingSince`.
  public var oldestPendingAt: WallTime?
  /// How many records are in quarantine.
  public var quarantined: Int

  /// What an empty store holds.
  public init() {
    counts = []
    pending = 0
    quarantined = 0
  }
}
