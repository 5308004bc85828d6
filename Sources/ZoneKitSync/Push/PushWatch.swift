import ZoneKitRecords

/// A push and when it came.
package struct ReceivedPush: Hashable, Sendable {
  var receivedAt: WallTime
  var sentAt: WallTime?
}

/// The pushes that a device received: which one the next fetch is traced to, what they announced, and since when any could
/// have come.
struct PushWatch: Hashable, Sendable {
  /// What pushes and the cloud's list of changed zones announced and the feeds did not show yet.
  var announced = AnnouncedChanges()
  /// The push that the next fetch is traced to.
  private(set) var last: ReceivedPush?
  /// Since when pushes can reach the device, by its wall clock; nil while it is offline.
  private var listeningSince: WallTime?

  /// The app starts, or the link goes down or comes back.
  mutating func linkChanged(isOnline: Bool, at now: Moment) { listeningSince = isOnline ? now.wall : nil }

  /// A push came about a change in a zone, or in any where that is nil.
  mutating func received(_ push: PushNotification, about zoneID: ZoneID?, at now: Moment) {
    last = ReceivedPush(receivedAt: now.wall, sentAt: push.sentAt)
    announced.announce(zoneID, committedAt: push.committedAt)
  }

  /// A sync started that is traced to the last push: later ones are not.
  mutating func tookLast() { last = nil }

  /// The sync that a push was taken for did not show what it announced: the next one is traced to it, unless another push
  /// came since.
  mutating func giveBack(_ push: ReceivedPush?) {
    if last == nil { last = push }
  }

  /// Whether a change of that time, by the device's clock, should have come with a push and did not: it is older than
  /// `grace`, and no push came since, although the device could have heard one.
  func isMissing(for change: WallTime, lastReceivedAt: WallTime?, grace: Int64, now: WallTime) -> Bool {
    guard let listeningSince else { return false }
    let heardAt = max(lastReceivedAt ?? listeningSince, listeningSince)
    return change.advanced(byMilliseconds: grace) < now && heardAt < change
  }

  /// Another account signed in.
  mutating func forgetAccount() {
    last = nil
    announced = AnnouncedChanges()
  }
}
