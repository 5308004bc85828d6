import ZoneKitRecords

/// One sync from its first request to its last, as far as it is the same with every kind of cloud.
package struct SyncSession: Hashable, Sendable {
  /// Why the sync runs.
  package let reasons: SyncReasons
  /// Whether the sync has to ask what changed on the cloud. One that only sends this device's edits need not, unless the
  /// sync before it was cut off: what it sent may have been deleted by somebody since, and must not be made anew.
  package let hasToFetch: Bool
  /// When it began.
  let startedAt: WallTime
  /// The push that it is traced to; nil where none led to it.
  let push: ReceivedPush?
  /// How many records the feeds brought.
  private(set) var records = 0
  /// How many pages of feeds were read.
  package private(set) var pages = 0
  /// An error that did not end the sync, but lets it end without success.
  package var setback: CloudError?
  /// Whether anything came from the cloud or went there, so that records that wait for others may go.
  package private(set) var hasMoved = false
  /// The latest modification by another device that the feeds showed, by the cloud's clock.
  private(set) var newestModification: WallTime?
  /// Whether the user sees anything else than before.
  private(set) var hasVisibleChange = false

  /// A sync that begins.
  init(reasons: SyncReasons, hasToFetch: Bool, startedAt: WallTime, push: ReceivedPush?) {
    self.reasons = reasons
    self.hasToFetch = hasToFetch
    self.startedAt = startedAt
    self.push = push
  }

  /// Whether the feeds were asked, or were to be asked.
  var isFetch: Bool { reasons != [.localChange] || pages > 0 }

  /// Whether the feeds showed anything that is new to this device.
  var hasNews: Bool { hasVisibleChange || newestModification != nil }

  /// A page of a feed was kept.
  package mutating func readPage(records count: Int) {
    pages += 1
    records += count
    hasMoved = hasMoved || count > 0
  }

  /// The cloud answered a batch.
  mutating func sentBatch() { hasMoved = true }

  /// Versions of the cloud were kept; `isVisible` says whether the user sees anything else than before.
  mutating func merged(isVisible: Bool) { hasVisibleChange = hasVisibleChange || isVisible }

  /// A feed showed a modification of that time by another device.
  mutating func saw(_ modification: WallTime?) {
    newestModification = [newestModification, modification].compactMap { $0 }.max()
  }
}

/// The records of one request, as they were when it was made.
package struct SentBatch: Hashable, Sendable {
  /// Their zone.
  package var zoneID: ZoneID
  /// Their names, in the order of the request's operations.
  package var names: [Name]
}
