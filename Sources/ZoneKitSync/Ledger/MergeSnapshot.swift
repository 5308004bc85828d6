import ZoneKitRecords

/// The state of the device and the sync that merging versions of one zone needs, taken before the first of them.
struct MergeSnapshot {
  /// The app's settings.
  let configuration: CoordinatorConfiguration
  /// The zone.
  let zoneID: ZoneID
  /// The push that caused the sync; nil if none did.
  let push: ReceivedPush?
  /// When the sync began.
  let startedAt: WallTime
  /// The present time.
  let now: Moment
  /// The present time of the cloud's clock, as far as it is known.
  let cloudTime: WallTime
  /// Whether the versions come from the zone's feed. Only then a full fetch counts them as seen.
  let isPage: Bool
  /// Whether the versions come from a full fetch after a loss in the cloud.
  let isAfterLoss: Bool

  /// Whether the device offers that record to a cloud that lost records.
  func isOffered(_ record: LocalRecord) -> Bool {
    record.local != nil && !configuration.traits.derivedTypes.contains(record.recordType)
  }

  /// Whether the zone is the one in which devices report conflicts to each other.
  var isJournal: Bool { zoneID == configuration.traits.journalZone }

  /// Whether a version is so new that the feed may not show it although it exists (sync semantics, 2.4).
  func mayBeInvisible(_ version: ServerVersion) -> Bool {
    cloudTime.milliseconds - version.modified.at.milliseconds < Self.ownWriteWindow
  }

  /// The age from which feeds show every version, in milliseconds.
  private static var ownWriteWindow: Int64 { 60_000 }
}
