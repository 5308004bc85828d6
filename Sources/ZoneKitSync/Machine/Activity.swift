import ZoneKitRecords

/// What a coordinator is in the middle of.
enum Activity: Hashable, Sendable {
  case idle
  /// A sync runs and a request of it is under way.
  case waiting(SyncSession, PendingRequest)
}

/// A request whose answer is awaited.
struct PendingRequest: Hashable, Sendable {
  var id: RequestID
  var deadline: MonotonicTime
}

/// One sync from its first request to its last.
struct SyncSession: Hashable, Sendable {
  /// What the request under way is for.
  enum Phase: Hashable, Sendable {
    case creatingToken
    case registeringToken(String)
    case checkingSubscription(SubscriptionCheck)
    case fetchingDatabase
    case fetchingZones([ZoneID])
    case creatingZone(ZoneID)
    case sending(SentBatch)
    case lookingUp(ZoneID, [Name])
  }

  /// Why the sync runs.
  var reasons: SyncReasons
  /// What the request under way is for; nil before the first one.
  var phase: Phase?
  /// Whether the database's feed is still to be read.
  var fetchesDatabase: Bool
  /// When it began.
  var startedAt: WallTime
  /// The push that it is traced to; nil where none led to it.
  var push: ReceivedPush?
  var records = 0
  var pages = 0
  /// Records that the cloud holds in another version than the device thought, by zone.
  var lookups: [ZoneID: [Name]] = [:]
  /// How many operations a request carries; halved when the cloud says that a batch is too large.
  var batchLimit: Int
  /// How often records were looked up again; bounded, so that two devices in step cannot keep each other busy.
  var rounds = 0
  /// The records that were looked up.
  var lookedUp: Set<RecordID> = []
  /// Zones that the cloud said it does not have, each as often as it said so.
  var missingZones: [ZoneID] = []
  /// Those of them that the database's feed was asked about, and that were not made since.
  var inquiredZones: [ZoneID] = []
  /// An error of single records after which the rest is tried later.
  var setback: CloudError?
  /// Whether nothing more is sent in this sync.
  var isDoneSending = false
  /// Whether anything came from the cloud or went there, so that what waited for another record may go.
  var hasMoved = false
  /// Whether records that waited for others were let go.
  var hasReleased = false
  /// Zones whose feed failed in this sync and is not asked again.
  var failedZones: [ZoneID] = []
  /// Zones whose full fetch ended in this sync but for some records that are to be looked up.
  var sweptZones: [ZoneID] = []
  /// Zones whose token was refused in this sync, each as often as it was.
  var expiredZones: [ZoneID] = []
  /// Zones to be made before anything is sent to them.
  var zonesToCreate: [ZoneID] = []
  /// Whether every zone that the device knows is asked for.
  var checksZones = false
  /// Zones that are still to be asked for, whether or not the database's feed lists them.
  var unseenZones: [ZoneID] = []
  /// Zones that the database's feed lists beyond its token, and whose own feed has not shown anything so far.
  var listedZones: [ZoneID] = []
  /// Those of them whose own feed was read to its end and showed nothing.
  var silentZones: [ZoneID] = []
  /// The latest modification that the feeds showed, by the cloud's clock.
  var newestModification: WallTime?
  /// Whether the user sees anything else than before.
  var hasVisibleChange = false
}

extension SyncSession {
  /// Counts a look at those records, which is another round where one of them was looked up before: very many at once are
  /// no quarrel.
  mutating func looked(at names: [Name], in zoneID: ZoneID) {
    let ids = names.map { RecordID(recordName: $0, zoneID: zoneID) }
    if !lookedUp.isDisjoint(with: ids) { rounds += 1 }
    lookedUp.formUnion(ids)
  }

  /// Whether the database's feed is to be asked first what became of a missing zone, and asks it then.
  mutating func inquires(about zoneID: ZoneID) -> Bool {
    guard !inquiredZones.contains(zoneID) else { return false }
    inquiredZones.append(zoneID)
    fetchesDatabase = true
    return true
  }

  /// Whether a zone's token was refused so often that the rest is left to a later sync: a cloud that refuses the token of
  /// every second page would be asked for ever.
  func isExpiring(_ zoneID: ZoneID) -> Bool { expiredZones.count { $0 == zoneID } >= 2 }
}

/// The records of one request, as they were when it was made.
struct SentBatch: Hashable, Sendable {
  var zoneID: ZoneID
  var names: [Name]
}

/// A push and when it came.
struct ReceivedPush: Hashable, Sendable {
  var receivedAt: WallTime
  var sentAt: WallTime?
}
