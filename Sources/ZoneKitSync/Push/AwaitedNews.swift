import ZoneKitRecords

/// What was announced and the feeds did not show yet: a push can be faster than the change that it tells of, and so can the
/// database's feed (sync semantics, 2.4).
///
/// A push is answered by news of its zone as new as what it was made for; news of something else is no answer. The feeds
/// are asked again, ever more rarely and not for ever. A deletion tells no time, so that after news one look that yields
/// nothing is enough; so it is for pushes that do not say what they were made for.
struct AwaitedNews: Hashable, Sendable {
  private struct Announcement: Hashable, Sendable {
    /// The zone; nil where the push did not name one.
    var zoneID: ZoneID?
    /// When the change was committed, by the cloud's clock.
    var committedAt: WallTime
  }

  /// The newest announcement of each zone.
  private var announcements: [Announcement] = []
  /// Whether a push came that did not say when its change was made.
  private var isUntimed = false
  /// Whether the database's feed listed a zone whose own feed showed nothing.
  private var isListed = false
  /// How often the feeds were asked again.
  private var looks = 0
  /// Whether the feeds showed something meanwhile, though not what is waited for.
  private var hadNews = false

  /// Whether nothing is waited for.
  var isEmpty: Bool { announcements.isEmpty && !isUntimed && !isListed }

  /// Takes in that a push came.
  mutating func announce(_ zoneID: ZoneID?, committedAt: WallTime?) {
    looks = 0
    hadNews = false
    guard let committedAt else { return isUntimed = true }
    let newest = announcements.filter { $0.zoneID == zoneID }.map(\.committedAt).max() ?? committedAt
    announcements.removeAll { $0.zoneID == zoneID }
    announcements.append(Announcement(zoneID: zoneID, committedAt: max(newest, committedAt)))
  }

  /// Takes in whether the database's feed has just listed a zone whose own feed showed nothing.
  mutating func listedInVain(_ isListed: Bool) { self.isListed = isListed }

  /// Takes in that the feeds were read; `newest` says how new what they ever showed of a zone is, of any zone where nil.
  /// Says whether they are to be asked again.
  mutating func read(hasNews: Bool, tries: Int, newest: (ZoneID?) -> WallTime?) -> Bool {
    announcements.removeAll { announcement in
      newest(announcement.zoneID).map { $0 >= announcement.committedAt } ?? false
    }
    if hasNews || looks > 0 { isUntimed = false }
    let isOver = looks >= tries || (!hasNews && hadNews && looks > 0 && !isListed)
    if isOver || isEmpty { self = AwaitedNews() }
    hadNews = hadNews || hasNews
    return !isEmpty
  }

  /// Counts a look, and says how long to wait before it: each time twice as long as before.
  mutating func look(first: Int64) -> Int64 {
    defer { looks += 1 }
    return first << Int64(min(looks, 10))
  }
}
