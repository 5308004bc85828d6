import ZoneKitRecords

/// The progress of one sync with the feeds: that of the database, which lists zones, and that of each zone.
struct FeedProgress: Hashable, Sendable {
  private enum DatabaseFeed: Hashable, Sendable {
    /// The app's zones are known without it.
    case unused
    case due
    case read
    /// Reading failed, and is not tried again in this sync.
    case failed
  }

  /// The result of asking why the cloud does not have a known zone.
  enum Inquiry {
    /// The database's feed is read first, to find out why.
    case asks
    /// The feed was read and reports no deletion, or there is none: the cloud lost the zone.
    case isLost
    /// The feed cannot be read in this sync. Somebody may have deleted the zone.
    case isUnknown
  }

  private var databaseFeed: DatabaseFeed
  private var timesExpired = 0
  /// Whether no feed is read any more.
  private var isClosed: Bool
  /// Whether each zone is requested alone, because a request for several failed as a whole.
  private(set) var asksAlone = false
  private var zones: [ZoneID: ZoneProgress] = [:]

  /// The progress at the start of a sync. The feeds of `zones` are read even if the database's feed does not list them.
  init(readsDatabase: Bool = false, demanding zones: [ZoneID] = []) {
    databaseFeed = readsDatabase ? .due : .read
    isClosed = false
    for zoneID in zones { self[zoneID].demand() }
  }

  /// The progress at the start of a sync that reads the feeds of `zones` without the database's feed.
  init(ofZones zones: [ZoneID]) {
    self.init(demanding: zones)
    databaseFeed = .unused
  }

  private init(isClosed: Bool) {
    databaseFeed = .read
    self.isClosed = isClosed
  }

  /// The progress of a sync that reads no feed.
  static let closed = FeedProgress(isClosed: true)

  /// The progress with a zone.
  subscript(zoneID: ZoneID) -> ZoneProgress {
    get { zones[zoneID] ?? ZoneProgress() }
    _modify { yield &zones[zoneID, default: ZoneProgress()] }
  }

  /// Whether the database's feed has to be read next.
  var isDatabaseDue: Bool { !isClosed && databaseFeed == .due }

  /// A page of the database's feed was read.
  mutating func readDatabasePage(moreComing: Bool) { databaseFeed = moreComing ? .due : .read }

  /// The database's feed cannot be read.
  mutating func databaseFailed() { databaseFeed = .failed }

  /// Ends reading for this sync.
  mutating func close() { isClosed = true }

  /// Whether the database's feed may be read from its beginning if the cloud refuses the token. The number is limited,
  /// because a cloud that refuses the token of every second page would be asked without end.
  var mayStartOver: Bool { timesExpired < ZoneProgress.expiryLimit }

  /// The cloud refused the token of the database's feed, which is read from its beginning.
  mutating func startedOver() { timesExpired += 1 }

  /// A request for several zones failed as a whole. One of them may be the cause.
  mutating func askAlone() { asksAlone = true }

  /// Whether the feeds were read so far that they show what happened to records of a zone.
  func isRead(_ zoneID: ZoneID) -> Bool {
    switch databaseFeed {
    case .due, .failed: false
    case .read: !isClosed && !self[zoneID].hasFailed
    case .unused: !isClosed && !self[zoneID].hasFailed && !self[zoneID].isDue
    }
  }

  /// The cloud does not have a known zone.
  mutating func inquire(about zoneID: ZoneID) -> Inquiry {
    guard databaseFeed != .unused else { return .isLost }
    guard databaseFeed != .failed, !isClosed else { return .isUnknown }
    guard self[zoneID].ask() else { return .isLost }
    databaseFeed = .due
    return .asks
  }

  /// The zones among `stored` whose feeds have to be read, in the same order.
  func toAsk(of stored: [ZoneState]) -> [ZoneState] {
    isClosed ? [] : stored.filter { self[$0.zoneID].isToAsk(isStored: $0.isToRead) }
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
