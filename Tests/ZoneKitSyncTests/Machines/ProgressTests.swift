import ZoneKitRecords
import Testing

@testable import ZoneKitSync

@Suite struct `the registration of a push token` {
  private var registration = TokenRegistration()

  private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  @Test mutating func `is never due where the app wants no pushes`() {
    registration.renew(isWanted: false)
    #expect(!registration.isDue(for: nil))
    #expect(!registration.isDue(for: "t"))
  }

  @Test mutating func `is due at a launch, and then only where the token changes`() {
    registration.renew(isWanted: true)
    #expect(registration.isDue(for: "t"))
    registration.registered("t")
    #expect(!registration.isDue(for: "t"))
    #expect(registration.isDue(for: nil))
    #expect(registration.isDue(for: "u"))
  }

  @Test mutating func `that failed is due again after a while, or when the user asks`() {
    registration.renew(isWanted: true)
    registration.failed(for: "t", retryAt: time(150))
    #expect(!registration.isDue(for: "t"))
    #expect(registration.isDue(for: nil))
    #expect(registration.retryAt == time(150))
    registration.beginSync(isManual: false, at: time(149))
    #expect(!registration.isDue(for: "t"))
    var later = registration
    later.beginSync(isManual: false, at: time(150))
    #expect(later.isDue(for: "t"))
    #expect(later.retryAt == nil)
    registration.beginSync(isManual: true, at: time(101))
    #expect(registration.isDue(for: "t"))
  }

  @Test mutating func `is renewed at once after the first refusal by the push service, and then ever later`() {
    registration.renew(isWanted: true)
    var waits: [Int64] = []
    for second: Int64 in 0..<5 {
      registration.registered("t")
      waits.append(registration.refused(first: 2_000, limit: 9_000, at: time(second)))
    }
    #expect(waits == [0, 2_000, 4_000, 8_000, 9_000])
    #expect(!registration.isDue(for: nil))
    #expect(registration.retryAt == time(9_004))
    registration.registered("u")
    registration.accepted(at: time(10_000))
    waits = [registration.refused(first: 2_000, limit: 9_000, at: time(69_999))]
    registration.accepted(at: time(80_000))
    waits.append(registration.refused(first: 2_000, limit: 9_000, at: time(140_000)))
    #expect(waits == [9_000, 0])
    #expect(registration.isDue(for: nil))
  }
}

@Suite struct `the watch over the subscription` {
  private var watch = SubscriptionWatch()

  private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  private mutating func beginSync(at now: Int64, isManual: Bool = false) {
    watch.beginSync(isManual: isManual, period: 1_000, retryAfter: 100, at: time(now))
  }

  @Test mutating func `checks at a launch where the app wants pushes`() {
    watch.launched(isWanted: false)
    #expect(!watch.isDue)
    #expect(watch.missedPush(period: 0, at: time(9)) == false)
    watch.launched(isWanted: true)
    #expect(watch.isDue)
  }

  @Test mutating func `checks again after a period, also where the user asks earlier`() {
    watch.launched(isWanted: true)
    watch.verified(at: time(0))
    #expect(watch.failedAt == nil)
    beginSync(at: 999, isManual: true)
    #expect(!watch.isDue)
    beginSync(at: 1_000)
    #expect(watch.isDue)
  }

  @Test mutating func `checks again sooner after a failure, and at once for the user`() {
    watch.launched(isWanted: true)
    watch.failed(at: time(0))
    #expect(watch.failedAt == time(0))
    beginSync(at: 99)
    #expect(!watch.isDue)
    var asked = watch
    asked.beginSync(isManual: true, period: 1_000, retryAfter: 100, at: time(1))
    #expect(asked.isDue)
    beginSync(at: 100)
    #expect(watch.isDue)
    #expect(watch.failedAt == time(0))
  }

  @Test mutating func `checks where pushes are missing, but not over and over`() {
    watch.launched(isWanted: true)
    watch.verified(at: time(0))
    #expect(watch.missedPush(period: 500, at: time(499)) == false)
    #expect(watch.missedPush(period: 500, at: time(500)) == true)
    #expect(watch.isDue)
  }

  @Test mutating func `forgets the check of another account`() {
    watch.launched(isWanted: true)
    watch.failed(at: time(0))
    watch.accountChanged(isWanted: true)
    #expect(watch.isDue)
    #expect(watch.failedAt == nil)
  }
}

@Suite struct `the progress with a zone` {
  private var zone = ZoneProgress()

  @Test mutating func `reads a stale feed, any feed once on demand, and none after a failure`() {
    #expect(zone.isToAsk(isStored: true))
    #expect(!zone.isToAsk(isStored: false))
    zone.demand()
    #expect(zone.isToAsk(isStored: false))
    zone.readPage(records: 1, moreComing: false)
    #expect(!zone.isToAsk(isStored: false))
    zone.failed()
    #expect(!zone.isToAsk(isStored: true))
    zone.listed(isNews: true, wasRead: true)
    #expect(!zone.isToAsk(isStored: true))
  }

  @Test mutating func `is silent where it was listed and its feed ends without showing anything`() {
    zone.readPage(records: 0, moreComing: false)
    #expect(!zone.isSilent)
    zone.listed(isNews: true, wasRead: true)
    zone.readPage(records: 0, moreComing: true)
    #expect(!zone.isSilent)
    zone.readPage(records: 0, moreComing: false)
    #expect(zone.isSilent)
    zone.readPage(records: 2, moreComing: false)
    #expect(!zone.isSilent)
  }

  @Test mutating func `is not silent where the list said nothing new`() {
    zone.listed(isNews: false, wasRead: true)
    zone.readPage(records: 0, moreComing: false)
    #expect(!zone.isSilent)
  }

  @Test mutating func `looks up the rest of a full fetch before it asks again, unless it is listed again`() {
    zone.endedFullFetch(butFor: ["a", "b", "c"])
    #expect(zone.isLookingUpRest)
    #expect(!zone.isToAsk(isStored: true))
    #expect(zone.takeLookups(2) == ["a", "b"])
    #expect(zone.lookups == ["c"])
    zone.forgetLookups()
    #expect(zone.lookups == [])
    zone.listed(isNews: true, wasRead: true)
    #expect(zone.isToAsk(isStored: true))
  }

  @Test mutating func `is read from its beginning twice in a sync at most`() {
    #expect(zone.mayStartOver)
    zone.startedOver()
    #expect(zone.mayStartOver)
    zone.startedOver()
    #expect(!zone.mayStartOver)
  }

  @Test mutating func `is asked about once until it is there again`() {
    #expect(zone.ask() == true)
    #expect(zone.ask() == false)
    zone.listed(isNews: true, wasRead: false)
    #expect(zone.ask() == false)
    zone.listed(isNews: true, wasRead: true)
    #expect(zone.ask() == true)
    zone.gone(isToCreate: true)
    #expect(zone.isToCreate)
    #expect(zone.ask() == false)
    zone.creating()
    #expect(!zone.isToCreate)
    zone.created()
    #expect(zone.ask() == true)
  }

  @Test mutating func `that is gone is not asked for on demand, and not made where nothing is to be sent`() {
    zone.demand()
    zone.create()
    zone.gone(isToCreate: false)
    #expect(!zone.isToAsk(isStored: false))
    #expect(!zone.isToCreate)
  }

  @Test mutating func `counts how often the cloud does not have it`() {
    zone.missing()
    zone.missing()
    #expect(zone.timesMissing == 2)
  }
}

@Suite struct `the progress with the feeds` {
  private let a = ZoneID(zoneName: "A")
  private let b = ZoneID(zoneName: "B")
  private let c = ZoneID(zoneName: "C")

  @Test func `reads the database's feed to its end, and once more for a missing zone`() {
    var feeds = FeedProgress(readsDatabase: true)
    #expect(feeds.isDatabaseDue)
    feeds.readDatabasePage(moreComing: true)
    #expect(feeds.isDatabaseDue)
    feeds.readDatabasePage(moreComing: false)
    #expect(!feeds.isDatabaseDue)
    #expect(feeds.inquire(about: a) == .asks)
    #expect(feeds.isDatabaseDue)
    feeds.readDatabasePage(moreComing: false)
    #expect(feeds.inquire(about: a) == .isLost)
    #expect(!feeds.isDatabaseDue)
  }

  @Test func `cannot know why a zone is missing if the database's feed failed or is closed`() {
    var feeds = FeedProgress()
    feeds.close()
    #expect(feeds.inquire(about: a) == .isUnknown)
    feeds = FeedProgress()
    #expect(feeds.inquire(about: a) == .asks)
    feeds.databaseFailed()
    #expect(feeds.inquire(about: a) == .isUnknown)
    #expect(!feeds.isDatabaseDue)
  }

  @Test func `asks the stale zones of the store and the demanded ones, in the store's order`() {
    var feeds = FeedProgress(demanding: [c, a])
    let stored = [ZoneState(zoneID: a), ZoneState(zoneID: b, isStale: true), ZoneState(zoneID: c)]
    #expect(feeds.toAsk(of: stored).map(\.zoneID) == [a, b, c])
    feeds[b].failed()
    feeds[a].readPage(records: 1, moreComing: false)
    #expect(feeds.toAsk(of: stored).map(\.zoneID) == [c])
  }

  @Test func `takes the smallest zone first`() {
    var feeds = FeedProgress()
    #expect(feeds.firstWithLookups == nil)
    #expect(feeds.firstToCreate == nil)
    feeds[c].lookUp(["x"])
    feeds[b].lookUp(["y"])
    feeds[c].create()
    feeds[a].lookUp([])
    #expect(feeds.firstWithLookups == b)
    #expect(feeds.firstToCreate == c)
    #expect(!feeds.hasSilentZone)
  }
}

@Suite struct `the progress with sending` {
  private let zoneID = ZoneID(zoneName: "Z")

  @Test(arguments: [(0, 1), (1, 1), (50, 50), (200, 200), (201, 200)])
  func `never asks for more than a request carries`(limit: Int, batch: Int) {
    #expect(SendProgress(batchLimit: limit).batchLimit == batch)
  }

  @Test func `halves a refused batch down to one record, which is then refused for itself`() {
    var sending = SendProgress(batchLimit: 7)
    #expect(sending.refused(7) == true)
    #expect(sending.batchLimit == 3)
    #expect(sending.refused(2) == true)
    #expect(sending.batchLimit == 1)
    #expect(sending.refused(1) == false)
    #expect(sending.batchLimit == 7)
  }

  @Test func `remembers the waiting records that it let go, and sends nothing after its end`() {
    var sending = SendProgress()
    let ids = ["a", "b"].map { RecordID(recordName: $0, zoneID: zoneID) }
    sending.released([ids[0]])
    sending.released([ids[1]])
    #expect(sending.released == Set(ids))
    #expect(!sending.isDone)
    sending.stop()
    #expect(sending.isDone)
  }

  @Test func `counts a round where a record is looked up again, and none for many records at once`() {
    var sending = SendProgress()
    sending.lookedUp(["a", "b"], in: zoneID)
    sending.lookedUp(["c"], in: zoneID)
    sending.lookedUp(["a"], in: ZoneID(zoneName: "Y"))
    #expect(!sending.isOver(Sample.zone, rounds: 1))
    sending.lookedUp(["b", "d"], in: zoneID)
    #expect(sending.isOver(Sample.zone, rounds: 1))
    #expect(!sending.isOver(Sample.zone, rounds: 2))
  }
}
