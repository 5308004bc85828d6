import ZoneKitRecords

/// The times of one change on its way from the device that made it to this one.
public struct ChangeTrace: Hashable, Sendable {
  /// The record that changed.
  public var recordID: RecordID
  /// The version that the change made.
  public var changeTag: ChangeTag
  /// The device that made the change.
  public var deviceID: String
  /// When the cloud committed it, by the cloud's clock.
  public var committedAt: WallTime
  /// When the push service sent the push that caused the fetch, by its clock; nil if no push did.
  public var notifiedAt: WallTime?
  /// When this device received that push.
  public var receivedAt: WallTime?
  /// When this device requested the page with the change.
  public var fetchedAt: WallTime
  /// When the change was committed to this device's store.
  public var mergedAt: WallTime

  /// A trace with these times.
  public init(
    recordID: RecordID, changeTag: ChangeTag, deviceID: String, committedAt: WallTime, notifiedAt: WallTime?,
    receivedAt: WallTime?, fetchedAt: WallTime, mergedAt: WallTime
  ) {
    self.recordID = recordID
    self.changeTag = changeTag
    self.deviceID = deviceID
    self.committedAt = committedAt
    self.notifiedAt = notifiedAt
    self.receivedAt = receivedAt
    self.fetchedAt = fetchedAt
    self.mergedAt = mergedAt
  }
}
