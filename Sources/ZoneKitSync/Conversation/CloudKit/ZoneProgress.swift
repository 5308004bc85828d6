import ZoneKitRecords

/// The progress of one sync with one zone: whether its feed has to be read, whether the feed showed the announced
/// changes, and whether the zone exists.
struct ZoneProgress: Hashable, Sendable {
  /// The state of reading the zone's feed.
  private enum Reading: Hashable, Sendable {
    /// The feed is read if the store marks it as stale.
    case asStored
    /// The feed is read once, even if the database's feed does not list the zone.
    case due
    /// A full fetch has seen everything except the records that have to be looked up.
    case lookedUp
    /// Reading failed, and is not tried again in this sync.
    case failed
  }

  /// Whether the zone's feed showed the changes that the database's feed listed.
  private enum Listing: Hashable, Sendable {
    case unlisted
    /// Listed. The zone's own feed has shown nothing so far.
    case listed
    /// Listed. The zone's own feed was read to its end and showed nothing.
    case silent
  }

  /// Whether the zone exists on the cloud. `isAsked` tells whether the database's feed was read for this question since
  /// the zone was last created.
  private enum Existence: Hashable, Sendable {
    case assumed(isAsked: Bool)
    case toCreate(isAsked: Bool)
  }

  /// The names of records whose version on the cloud differs from the one that the device knows.
  private(set) var lookups: [Name] = []
  /// The most records to look up at a time.
  private var lookupLimit = Int.max
  /// How often the cloud reported that it does not have the zone.
  private(set) var timesMissing = 0
  private var timesExpired = 0
  /// Whether the last page of the feed said that more follow.
  private(set) var isGoingOn = false
  private var reading = Reading.asStored
  private var listing = Listing.unlisted
  private var existence = Existence.assumed(isAsked: false)

  // MARK: The feed

  /// Makes the feed be read once in this sync.
  mutating func demand() { reading = .due }

  /// Whether the feed was demanded and not read since.
  var isDue: Bool { reading == .due }

  /// The cloud does not have the zone and the device does not know it either: there is nothing to read.
  mutating func isNowhere() { if reading == .due { reading = .asStored } }

  /// Whether the feed has to be read now. `isStored` tells whether the store marks it as such.
  func isToAsk(isStored: Bool) -> Bool {
    switch reading {
    case .asStored: isStored
    case .due: true
    case .lookedUp, .failed: false
    }
  }

  /// The database's feed lists the zone. `isNews` tells whether that entry is after the device's token, `wasRead`
  /// whether the device has a token of the zone's feed.
  mutating func listed(isNews: Bool, wasRead: Bool) {
    // The zone exists again. If it is missing once more, someone may have deleted it since.
    if wasRead { forgetQuestion() }
    if isNews { listing = .listed }
    if reading == .lookedUp { reading = .asStored }
  }

  /// A page of the feed was read.
  mutating func readPage(records count: Int, moreComing: Bool) {
    isGoingOn = moreComing
    if reading == .due { reading = .asStored }
    guard listing != .unlisted else { return }
    listing = count > 0 ? .unlisted : moreComing ? .listed : .silent
  }

  /// A full fetch has ended except for records that it did not see and that may exist. They are looked up.
  mutating func endedFullFetch(butFor unsure: [Name]) {
    reading = .lookedUp
    lookups += unsure
  }

  /// Whether a full fetch has ended except for the records that are looked up.
  var isLookingUpRest: Bool { reading == .lookedUp }

  /// Whether the database's feed listed the zone and its own feed showed nothing.
  var isSilent: Bool { listing == .silent }

  /// Reading the feed failed.
  mutating func failed() {
    reading = .failed
    isGoingOn = false
  }

  /// Whether reading the feed failed.
  var hasFailed: Bool { reading == .failed }

  /// Whether the feed may be read from its beginning if the cloud refuses the token. The number is limited, because a
  /// cloud that refuses the token of every second page would be asked without end.
  var mayStartOver: Bool { timesExpired < Self.expiryLimit }

  /// The cloud refused the token and the feed is read from its beginning.
  mutating func startedOver() {
    timesExpired += 1
    isGoingOn = false
  }

  /// How often one sync may restart a feed.
  static var expiryLimit: Int { 2 }

  // MARK: Records to look up

  /// Adds records to look up.
  mutating func lookUp(_ names: [Name]) { lookups += names }

  /// Removes and returns the first `limit` records to look up, or fewer if the cloud refused as many. A request names
  /// each record once.
  mutating func takeLookups(_ limit: Int) -> [Name] {
    let names = lookups.prefix(min(limit, lookupLimit))
    lookups.removeFirst(names.count)
    var seen: Set<Name> = []
    return names.filter { seen.insert($0).inserted }
  }

  /// The answer about these records would be too large. They are looked up again, half as many at a time.
  mutating func lookUpFewer(than names: [Name]) {
    lookups = names + lookups
    lookupLimit = names.count / 2
  }

  /// Removes all records to look up.
  mutating func forgetLookups() { lookups = [] }

  // MARK: Existence of the zone

  /// The cloud does not have the zone.
  mutating func missing() { timesMissing += 1 }

  /// Whether the database's feed has to be read first, to find out why the zone is missing. True once until the zone
  /// exists again.
  mutating func ask() -> Bool {
    switch existence {
    case .assumed(isAsked: true), .toCreate(isAsked: true): return false
    case .assumed(isAsked: false):
      existence = .assumed(isAsked: true)
      return true
    case .toCreate(isAsked: false):
      existence = .toCreate(isAsked: true)
      return true
    }
  }

  /// The zone does not exist any more. `isToCreate` tells whether it has to be created again.
  mutating func gone(isToCreate: Bool) {
    if reading == .due { reading = .asStored }
    existence = isToCreate ? .toCreate(isAsked: isAsked) : .assumed(isAsked: isAsked)
  }

  /// Makes the zone be created before anything is sent to it.
  mutating func create() { existence = .toCreate(isAsked: isAsked) }

  /// Whether the zone has to be created.
  var isToCreate: Bool {
    switch existence {
    case .assumed: false
    case .toCreate: true
    }
  }

  /// The request to create the zone is sent.
  mutating func creating() { existence = .assumed(isAsked: isAsked) }

  /// The zone was created. If it is missing again, someone may have deleted it since.
  mutating func created() { forgetQuestion() }

  private var isAsked: Bool {
    switch existence {
    case .assumed(let isAsked), .toCreate(let isAsked): isAsked
    }
  }

  private mutating func forgetQuestion() {
    existence = isToCreate ? .toCreate(isAsked: false) : .assumed(isAsked: false)
  }
}
