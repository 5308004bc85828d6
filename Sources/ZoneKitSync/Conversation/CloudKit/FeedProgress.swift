import ZoneKitRecords

/// How far one sync has come with the feeds: the database's, which lists zones, and each zone's.
struct FeedProgress: Hashable, Sendable {
  private enum DatabaseFeed: Hashable, Sendable {
    case due
    case read
  }

  private var databaseFeed: DatabaseFeed
  private var zones: [ZoneID: ZoneProgress] = [:]

  /// A sync that begins. `zones` are asked whether or not the database's feed lists them.
  init(readsDatabase: Bool = false, demanding zones: [ZoneID] = []) {
    databaseFeed = readsDatabase ? .due : .read
    for zoneID in zones { self[zoneID].demand() }
  }

  /// How far the sync has come with a zone.
  subscript(zoneID: ZoneID) -> ZoneProgress {
    get { zones[zoneID] ?? ZoneProgress() }
    _modify { yield &zones[zoneID, default: ZoneProgress()] }
  }

  /// Whether the database's feed is to be asked next.
  var isDatabaseDue: Bool { databaseFeed == .due }

  /// A page of the database's feed was kept.
  mutating func readDatabasePage(moreComing: Bool) { databaseFeed = moreComing ? .due : .read }

  /// The cloud does not have a zone that the device knows. Returns whether the database's feed is asked first what happened
  /// to it.
  mutating func inquire(about zoneID: ZoneID) -> Bool {
    guard self[zoneID].ask() else { return false }
    databaseFeed = .due
    return true
  }

  /// The zones of the store whose feeds are to be asked, in the store's order.
  func toAsk(of stored: [ZoneState]) -> [ZoneState] {
    stored.filter { self[$0.zoneID].isToAsk(isStored: $0.isToRead) }
  }

  /// The first zone of which records are to be looked up.
  var firstWithLookups: ZoneID? { first { !$0.lookups.isEmpty } }

  /// The first zone that is to be made.
  var firstToCreate: ZoneID? { first(where: \.isToCreate) }

  /// Whether the database's feed listed a zone whose own feed showed nothing.
  var hasSilentZone: Bool { first(where: \.isSilent) != nil }

  /// The smallest zone ID for which that is so.
  private func first(where isWanted: (ZoneProgress) -> Bool) -> ZoneID? {
    zones.filter { isWanted($0.value) }.map(\.key).min()
  }
}
