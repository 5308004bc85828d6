import ZoneKitRecords

/// Changes that were announced and that the feeds did not show yet: a push can arrive before the change that it announces
/// is visible, and so can an entry in the database's feed (sync semantics, 2.4).
///
/// A push is answered by a change of its zone that is as new as the one it announces. The feeds are asked again, each time
/// after a longer wait, a limited number of times. A deletion carries no time; after a change was shown, one look that
/// shows nothing ends the wait. So it is for pushes that do not say when their change was made.
struct AnnouncedChanges: Hashable, Sendable {
  private struct Announcement: Hashable, Sendable {
    /// The zone; nil where the push did not name one.
    var zoneID: ZoneID?
    /// When the change was committed, by the cloud's clock.
    var committedAt: WallTime
  }

  /// What is waited for; nothing of it survives the end of the wait.
  private struct Wait: Hashable, Sendable {
    /// The newest announcement of each zone.
    var announcements: [Announcement] = []
    /// Whether a push came that did not say when its change was made.
    var isUntimed = false
    /// Whether the database's feed listed a zone whose own feed showed nothing.
    var isListed = false
    /// How often the feeds were asked again.
    var looks = 0
    /// Whether the feeds showed something meanwhile, though not what is waited for.
    var hadNews = false

    var isEmpty: Bool { announcements.isEmpty && !isUntimed && !isListed }
  }

  private var wait = Wait()
  /// The latest modification by another device that the feeds showed of each zone since the start, by the cloud's clock.
  private var newestSeen: [ZoneID: WallTime] = [:]

  /// Whether nothing is waited for.
  var isEmpty: Bool { wait.isEmpty }

  /// A push came.
  mutating func announce(_ zoneID: ZoneID?, committedAt: WallTime?) {
    wait.looks = 0
    wait.hadNews = false
    guard let committedAt else {
      wait.isUntimed = true
      return
    }
    let newest = wait.announcements.filter { $0.zoneID == zoneID }.map(\.committedAt).max() ?? committedAt
    wait.announcements.removeAll { $0.zoneID == zoneID }
    wait.announcements.append(Announcement(zoneID: zoneID, committedAt: max(newest, committedAt)))
  }

  /// A zone's feed showed a modification of that time by another device.
  mutating func saw(_ modification: WallTime?, in zoneID: ZoneID) {
    guard let modification else { return }
    newestSeen[zoneID] = max(newestSeen[zoneID] ?? modification, modification)
  }

  /// A sync has ended. `isListed` says whether the database's feed listed a zone whose own feed showed nothing.
  mutating func listedWithoutChanges(_ isListed: Bool) { wait.isListed = isListed }

  /// The feeds were read to their ends. Returns whether they are to be asked again, at most `tries` times.
  mutating func read(hasNews: Bool, tries: Int) -> Bool {
    wait.announcements = wait.announcements.filter { announcement in
      newest(in: announcement.zoneID).map { $0 < announcement.committedAt } ?? true
    }
    if hasNews || wait.looks > 0 { wait.isUntimed = false }
    let isOver = wait.looks >= tries || (!hasNews && wait.hadNews && wait.looks > 0 && !wait.isListed)
    if isOver || wait.isEmpty { wait = Wait() }
    wait.hadNews = wait.hadNews || hasNews
    return !wait.isEmpty
  }

  /// Counts a look, and returns how long to wait before it: twice as long each time.
  mutating func look(first: Int64) -> Int64 {
    let pause = first << Int64(min(wait.looks, 10))
    wait.looks += 1
    return pause
  }

  /// The newest modification seen in a zone; in any zone where nil.
  private func newest(in zoneID: ZoneID?) -> WallTime? {
    guard let zoneID else { return newestSeen.values.max() }
    return newestSeen[zoneID]
  }
}
