import ZoneKitRecords

/// Changes that were announced and that the feeds do not show yet. A push, or an entry of the database's feed, can
/// arrive before its change is visible (sync semantics, 2.4).
///
/// A push is fulfilled by a change of its zone that is at least as new as the announced one. Until then the feeds are
/// read again, a limited number of times and with growing pauses. A deletion has no time, so after any change was seen,
/// one fetch without changes ends the wait. The same applies to pushes without a time.
struct AnnouncedChanges: Hashable, Sendable {
  private struct Announcement: Hashable, Sendable {
    /// The zone; nil if the push named none.
    var zoneID: ZoneID?
    /// The commit time of the change, by the cloud's clock.
    var committedAt: WallTime
  }

  /// The changes for which the device waits. It is discarded as a whole at the end of the wait.
  private struct Wait: Hashable, Sendable {
    /// The newest announcement for each zone.
    var announcements: [Announcement] = []
    /// Whether there was a push without the time of its change.
    var isUntimed = false
    /// Whether the database's feed listed a zone whose own feed showed nothing.
    var isListed = false
    /// How often the feeds were read again.
    var looks = 0
    /// Whether the feeds have shown other changes since the announcement.
    var hadNews = false

    var isEmpty: Bool { announcements.isEmpty && !isUntimed && !isListed }
  }

  private var wait = Wait()
  /// The latest modification by another device in each zone since the start, by the cloud's clock.
  private var newestSeen: [ZoneID: WallTime] = [:]

  /// Whether the device waits for nothing.
  var isEmpty: Bool { wait.isEmpty }

  /// A push arrived.
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

  /// A zone's feed has a modification by another device at that time.
  mutating func saw(_ modification: WallTime?, in zoneID: ZoneID) {
    guard let modification else { return }
    newestSeen[zoneID] = max(newestSeen[zoneID] ?? modification, modification)
  }

  /// A sync has ended. The argument says whether the database's feed listed a zone whose own feed showed nothing.
  mutating func listedWithoutChanges(_ isListed: Bool) { wait.isListed = isListed }

  /// The feeds were read to their ends. Returns whether they have to be read again, at most `tries` times.
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

  /// Counts a repeated fetch and returns the pause before it in milliseconds, which doubles each time.
  mutating func look(first: Int64) -> Int64 {
    let pause = first << Int64(min(wait.looks, 10))
    wait.looks += 1
    return pause
  }

  /// The latest modification seen in a zone; in any zone if nil.
  private func newest(in zoneID: ZoneID?) -> WallTime? {
    guard let zoneID else { return newestSeen.values.max() }
    return newestSeen[zoneID]
  }
}
