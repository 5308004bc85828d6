import ZoneKitRecords

/// The state of one sync that does not depend on the protocol.
package struct SyncSession: Hashable, Sendable {
  /// The reasons for the sync.
  package let reasons: SyncReasons
  /// Whether the sync has to fetch changes. A sync that only local changes caused need not, unless the app wants it or
  /// the previous sync was cut off: what that one sent may have been deleted since and must not be created again.
  package let hasToFetch: Bool
  /// Whether the sync only sends local changes because fetching fails at present, or the app left the foreground.
  package let onlySends: Bool
  /// What the sync fetches if it does.
  package let scope: FetchScope
  /// When the sync began.
  let startedAt: WallTime
  /// The push that caused the sync; nil if none did.
  let push: ReceivedPush?
  /// The number of records in the feeds' pages.
  private(set) var records = 0
  /// The number of feed pages.
  package private(set) var pages = 0
  /// An error that did not end the sync but makes it fail at its end.
  package private(set) var setback: CloudError?
  /// What waits for the end of the back-off because of the setback.
  package private(set) var setbackExtent = SetbackExtent.zones
  /// Whether anything was received or sent, so that records that wait for others may be released.
  package private(set) var hasMoved = false
  /// The latest modification by another device in the feeds, by the cloud's clock.
  private(set) var newestModification: WallTime?
  /// The latest of those that a push should have announced.
  private(set) var newestAnnounced: WallTime?
  /// Whether something changed that the user sees.
  private(set) var hasVisibleChange = false
  /// Whether a feed was asked for.
  private(set) var hasAskedForFeed = false

  /// A sync that begins.
  init(
    reasons: SyncReasons, hasToFetch: Bool, onlySends: Bool = false, scope: FetchScope = .everything,
    startedAt: WallTime, push: ReceivedPush?
  ) {
    self.reasons = reasons
    self.hasToFetch = hasToFetch
    self.onlySends = onlySends
    self.scope = scope
    self.startedAt = startedAt
    self.push = push
  }

  /// Whether the sync fetches or has fetched changes.
  var isFetch: Bool { !reasons.areOfEdits || pages > 0 }

  /// Whether the feeds contained anything new for this device.
  var hasNews: Bool { hasVisibleChange || newestModification != nil }

  /// Whether the sync is going to fetch everything and has not asked for a feed yet, so that it sees each change of before.
  var isBeforeFeeds: Bool { hasToFetch && !onlySends && scope == .everything && !hasAskedForFeed }

  /// The sync makes a request.
  mutating func asks(_ request: CloudRequest) {
    hasAskedForFeed = hasAskedForFeed || request.kind == .fetchDatabaseChanges || request.kind == .fetchZoneChanges
  }

  /// An error occurred that does not end the sync. It makes the sync fail at its end.
  package mutating func setBack(by error: CloudError, holding extent: SetbackExtent = .everything) {
    guard setback == nil || extent >= setbackExtent else { return }
    setback = error
    setbackExtent = extent
  }

  /// A page of a feed was read.
  package mutating func readPage(records count: Int) {
    pages += 1
    records += count
    hasMoved = hasMoved || count > 0
  }

  /// The cloud answered a batch.
  mutating func sentBatch() { hasMoved = true }

  /// Versions of the cloud were merged. `isVisible` tells whether something changed that the user sees.
  mutating func merged(isVisible: Bool) { hasVisibleChange = hasVisibleChange || isVisible }

  /// A feed shows the latest modification by another device, and the latest that a push should have announced, at these
  /// times.
  mutating func saw(_ modification: WallTime?, announced: WallTime?) {
    newestModification = [newestModification, modification].compactMap { $0 }.max()
    newestAnnounced = [newestAnnounced, announced].compactMap { $0 }.max()
  }
}

/// The records of a sent batch, as they were when it was made.
package struct SentBatch: Hashable, Sendable {
  /// Their zone.
  package var zoneID: ZoneID
  /// Their names, in the order of the request's operations.
  package var names: [Name]
}
