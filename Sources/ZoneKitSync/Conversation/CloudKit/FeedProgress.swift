import ZoneKitRecords

/// The progress of one sync with the feeds: that of the database, which lists zones, and that of each zone.
struct FeedProgress: Hashable, Sendable {
  private enum DatabaseFeed: Hashable, Sendable {
    case due
    case read
  }

  private var databaseFeed: DatabaseFeed
  private var zones: [ZoneID: ZoneProgress] = [:]

  /// The progress at the start of a sync. The feeds of `zones` are read even if the database's feed does not list them.
  init(readsDatabase: Bool = false, demanding zones: [ZoneID] = []) {
    databaseFeed = readsDatabase ? .due : .read
    for zoneID in zones { self[zoneID].demand() }
  }

  /// The progress with a zone.
  subscript(zoneID: ZoneID) -> ZoneProgress {
    get { zones[zoneID] ?? ZoneProgress() }
    _modify { yield &zones[zoneID, default: ZoneProgress()] }
  }

  /// Whether the database's feed has to be read next.
  var isDatabaseDue: Bool { databaseFeed == .due }

  /// Takes in a page of the database's feed.
  mutating func readDatabasePage(moreComing: Bool) { databaseFeed = moreComing ? .due : .read }

  /// Takes in that the cloud does not have a known zone. Returns whether the database's feed has to be read first, to
  /// find out why.
  mutating func inquire(about zoneID: ZoneID) -> Bool {
    guard self[zoneID].ask() else { return false }
    databaseFeed = .due
    return true
  }

  /// The zones among `stored` whose feeds have to be read, in the same order.
  func toAsk(of stored: [ZoneState]) -> [ZoneState] {
    stored.filter { self[$0.zoneID].isToAsk(isStored: $0.isToRead) }
  }

  /// The first zone with records to look up.
  var firstWithLookups: ZoneID? { first { !$0.lookups.isEmpty } }

  /// The first zone to create.
  var firstToCreate: ZoneID? { first(where: \.isToCreate) }

  /// Whether the database's feed listed a zone whose own feed had no changes.
  var hasSilentZone: Bool { first(where: \.isSilent) != nil }

  /// The smallest zone ID whose progress fulfils the condition.
  private func first(where isWanted: (ZoneProgress) -> Bool) -> ZoneID? {
    zones.filter { isWanted($0.value) }.map(\.key).min()
  }
}
