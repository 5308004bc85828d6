import ZoneKitRecords

/// What merging versions of one zone needs to know of the device and of the sync, taken before the first of them.
struct MergeSnapshot {
  /// The app's rules.
  let configuration: CoordinatorConfiguration
  /// The zone.
  let zoneID: ZoneID
  /// The push that the sync is traced to.
  let push: ReceivedPush?
  /// When the sync began.
  let startedAt: WallTime
  /// The time.
  let now: Moment
  /// The time on the cloud's clock, as far as it is known.
  let cloudTime: WallTime
  /// Whether the versions come from the zone's feed, which alone counts as meeting them in a full fetch.
  let isPage: Bool

  /// Whether the zone is the one in which devices report conflicts to each other.
  var isJournal: Bool { zoneID == configuration.journalZone }

  /// Whether a version is so new that the feed may not show it yet, though it is there (sync semantics, 2.4).
  func mayBeInvisible(_ version: ServerVersion) -> Bool {
    cloudTime.milliseconds - version.modified.at.milliseconds < Self.ownWriteWindow
  }

  /// How old a version has to be for the feeds to show it for sure, in milliseconds.
  private static var ownWriteWindow: Int64 { 60_000 }
}
