import ZoneKitRecords

/// How far one sync has come with one zone: whether its feed is to be asked, whether it showed what was announced, and
/// whether the zone is there.
struct ZoneProgress: Hashable, Sendable {
  /// What is known of the zone's feed in this sync.
  private enum Reading: Hashable, Sendable {
    /// The feed is asked as the store says: while it is stale.
    case asStored
    /// The feed is asked once, whether or not the database's feed lists the zone.
    case due
    /// A full fetch has met everything but the records that are to be looked up.
    case lookedUp
    /// The feed failed, and is not asked again.
    case failed
  }

  /// Whether the feed shows what the database's feed listed.
  private enum Listing: Hashable, Sendable {
    case unlisted
    /// Listed, and the zone's own feed has not shown anything so far.
    case listed
    /// Listed, and the zone's own feed was read to its end and showed nothing.
    case silent
  }

  /// Whether the zone is there. `isAsked` says whether the database's feed was asked about it since the zone was last made.
  private enum Existence: Hashable, Sendable {
    case assumed(isAsked: Bool)
    case toCreate(isAsked: Bool)
  }

  /// The names of records that the cloud holds in another version than the device thought.
  private(set) var lookups: [Name] = []
  /// How often the cloud said that it does not have the zone.
  private(set) var timesMissing = 0
  private var timesExpired = 0
  private var reading = Reading.asStored
  private var listing = Listing.unlisted
  private var existence = Existence.assumed(isAsked: false)

  // MARK: The feed

  /// The feed is to be asked once in this sync.
  mutating func demand() { reading = .due }

  /// Whether the feed is to be asked now; `isStored` says whether the store marks it as to be read.
  func isToAsk(isStored: Bool) -> Bool {
    switch reading {
    case .asStored: isStored
    case .due: true
    case .lookedUp, .failed: false
    }
  }

  /// The database's feed lists the zone. `isNews` says whether that lies behind the token of the device, `wasRead` whether
  /// the device has a position in the zone's feed.
  mutating func listed(isNews: Bool, wasRead: Bool) {
    // There again: should it be missing once more, somebody may have deleted it since.
    if wasRead { forgetQuestion() }
    if isNews { listing = .listed }
    if reading == .lookedUp { reading = .asStored }
  }

  /// A page of the feed was kept.
  mutating func readPage(records count: Int, moreComing: Bool) {
    if reading == .due { reading = .asStored }
    guard listing != .unlisted else { return }
    listing = count > 0 ? .unlisted : moreComing ? .listed : .silent
  }

  /// A full fetch has ended but for records that it did not meet and that may be there: they are to be looked up.
  mutating func endedFullFetch(butFor unsure: [Name]) {
    reading = .lookedUp
    lookups += unsure
  }

  /// Whether the full fetch has ended but for the records that are looked up.
  var isLookingUpRest: Bool { reading == .lookedUp }

  /// Whether the database's feed listed the zone and its own feed showed nothing.
  var isSilent: Bool { listing == .silent }

  /// The feed failed: it is not asked again in this sync.
  mutating func failed() { reading = .failed }

  /// Whether the feed may be read from its beginning where the cloud refuses the token: a cloud that refuses the token of
  /// every second page would be asked without end.
  var mayStartOver: Bool { timesExpired < Self.expiryLimit }

  /// The cloud refused the token, and the feed is read from its beginning.
  mutating func startedOver() { timesExpired += 1 }

  /// How often one sync begins a feed anew.
  private static var expiryLimit: Int { 2 }

  // MARK: Records that are to be looked up

  /// Adds records that are to be looked up.
  mutating func lookUp(_ names: [Name]) { lookups += names }

  /// Takes the first `limit` records that are to be looked up.
  mutating func takeLookups(_ limit: Int) -> [Name] {
    let names = Array(lookups.prefix(limit))
    lookups.removeFirst(names.count)
    return names
  }

  /// Nothing is to be looked up any more.
  mutating func forgetLookups() { lookups = [] }

  // MARK: Whether the zone is there

  /// The cloud said that it does not have the zone.
  mutating func missing() { timesMissing += 1 }

  /// Whether the database's feed is to be asked first what happened to the zone: once until the zone is there again.
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

  /// The zone is gone. `isToCreate` says whether it is to be made anew.
  mutating func gone(isToCreate: Bool) {
    if reading == .due { reading = .asStored }
    existence = isToCreate ? .toCreate(isAsked: isAsked) : .assumed(isAsked: isAsked)
  }

  /// The zone is to be made before anything is sent to it.
  mutating func create() { existence = .toCreate(isAsked: isAsked) }

  /// Whether the zone is to be made.
  var isToCreate: Bool {
    switch existence {
    case .assumed: false
    case .toCreate: true
    }
  }

  /// The request to make the zone goes out.
  mutating func creating() { existence = .assumed(isAsked: isAsked) }

  /// The zone was made. Should it be missing again, somebody may have deleted it since.
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
