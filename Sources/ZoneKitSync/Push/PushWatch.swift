import ZoneKitRecords

/// A push with its arrival time.
package struct ReceivedPush: Hashable, Sendable {
  var receivedAt: WallTime
  var sentAt: WallTime?
}

/// The pushes that a device received: the one that caused the next fetch, the announced changes, and the time since
/// which pushes could have arrived.
struct PushWatch: Hashable, Sendable {
  /// The announced changes that the feeds do not show yet.
  var announced = AnnouncedChanges()
  /// What the pushes since the last fetch announced; nil if there was none.
  private(set) var scope: FetchScope?
  /// The push to which the next fetch is traced.
  private(set) var last: ReceivedPush?
  /// The time since which pushes can reach the device, by its wall clock; nil while it is offline.
  private var listeningSince: WallTime?

  /// The app was started, or the link was lost or restored.
  mutating func linkChanged(isOnline: Bool, at now: Moment) { listeningSince = isOnline ? now.wall : nil }

  /// A push arrived about a change in a zone and of those types; in any zone and of any type if nil.
  mutating func received(_ push: PushNotification, about zoneID: ZoneID?, types: [Name]? = nil, at now: Moment) {
    last = ReceivedPush(receivedAt: now.wall, sentAt: push.sentAt)
    let part = FetchScope(zones: zoneID.map { [$0] }, types: types.map { Set($0) })
    scope = scope?.union(part) ?? part
    announced.announce(zoneID, committedAt: push.committedAt)
  }

  /// A sync started that is traced to the last push and fetches what the pushes announced. Later syncs do not.
  mutating func tookLast() {
    last = nil
    scope = nil
  }

  /// The sync of a push did not show the announced change. The next sync is traced to it, unless there was another
  /// push.
  mutating func giveBack(_ push: ReceivedPush?) {
    if last == nil { last = push }
  }

  /// Whether a change of that time, by the device's clock, should have been announced by a push and was not: it is
  /// older than `grace`, and no push has arrived since, although the device could receive pushes.
  func isMissing(for change: WallTime, lastReceivedAt: WallTime?, grace: Int64, now: WallTime) -> Bool {
    guard let listeningSince else { return false }
    let heardAt = max(lastReceivedAt ?? listeningSince, listeningSince)
    return change.advanced(byMilliseconds: grace) < now && heardAt < change
  }

  /// Removes everything about the previous account.
  mutating func forgetAccount() {
    tookLast()
    announced = AnnouncedChanges()
  }
}
