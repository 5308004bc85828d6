import Testing
import ZoneKitRecords
import ZoneKitMemoryStores

@testable import ZoneKitSync

@Suite struct `a device whose cloud lost a zone` {
  private var generator = SplitMix64(seed: 1)
  private let old = Sample.content("old")
  private let new = Sample.content("new")

  private func lost(_ code: CloudErrorCode = .unknownItem) -> CloudError {
    var error = CloudError(code, "no")
    error.isAfterLoss = true
    return error
  }

  private mutating func merge(_ changes: [RecordChange], into ledger: inout Ledger<MemoryDeviceStore>) throws {
    var session = Sample.session
    _ = try ledger.merge(Sample.page(changes), &session, at: Sample.moment(200_000), using: &generator)
  }

  /// A ledger in which the user deleted record `A`, which the cloud does not have any more.
  private mutating func unheard(
    _ configuration: CoordinatorConfiguration = Sample.configuration
  ) throws -> Ledger<MemoryDeviceStore> {
    let deleted = Sample.local("A", nil, server: Sample.version(old), sent: .deleted, revision: 1)
    var ledger = try Sample.ledger([deleted], configuration: configuration)
    var session = Sample.session
    let batch = SentBatch(zoneID: Sample.zone, names: ["A"])
    _ = try ledger.settle(
      batch, [.failed("A", lost())], &session, at: Sample.moment(100_000), using: &generator)
    return ledger
  }

  @Test mutating func `deletes a record again that another device offers, however it edited it`() throws {
    for content in [old, new] {
      var ledger = try unheard()
      #expect(try ledger.store.record(Sample.id("A")) == nil)
      #expect(try ledger.store.conflicts(limit: 9).map(\.rule) == ["deletionLost"])
      try merge([.saved(Sample.record("A", content, tag: "5", at: 150_000))], into: &ledger)
      let record = try #require(try ledger.store.record(Sample.id("A")))
      #expect(record.local == nil && record.server?.changeTag == ChangeTag("5") && record.isPending)
    }
  }

  @Test mutating func `leaves only a version to the app's rule that wins against the deleted one`() throws {
    var configuration = Sample.configuration
    configuration.merging.deleteRule = .policy
    for (content, isBack) in [(old, false), (new, false), (Sample.content("z"), true)] {
      var ledger = try unheard(configuration)
      try merge([.saved(Sample.record("A", content, tag: "5", at: 150_000))], into: &ledger)
      let record = try #require(try ledger.store.record(Sample.id("A")))
      #expect(record.local == (isBack ? content : nil) && record.isPending != isBack)
    }
  }

  @Test mutating func `deletes it once, so that it can be made anew`() throws {
    var ledger = try unheard()
    try merge([.saved(Sample.record("A", old, tag: "5"))], into: &ledger)
    try merge([.deleted(recordName: "A", changeTag: ChangeTag("6"))], into: &ledger)
    #expect(try ledger.store.record(Sample.id("A")) == nil)
    try merge([.saved(Sample.record("A", old, tag: "7"))], into: &ledger)
    #expect(try ledger.store.record(Sample.id("A"))?.local == old)
  }

  @Test mutating func `keeps a deletion also if the whole zone is offered, or if a lookup tells the loss`() throws {
    let deleted = Sample.local("A", nil, server: Sample.version(old), revision: 1)
    let other = Sample.local("B", old, server: Sample.version(old))
    var gone = try Sample.ledger([deleted, other])
    _ = try gone.zoneGone(Sample.zone, .lost, at: Sample.moment(100_000))
    var lookedUp = try Sample.ledger([deleted, other])
    var session = Sample.session
    _ = try lookedUp.merge(
      [.failed("A", lost())], of: ["A"], in: Sample.zone, endOf: .none, session: &session, at: Sample.moment(100_000),
      using: &generator)
    for var ledger in [gone, lookedUp] {
      #expect(try ledger.store.record(Sample.id("A")) == nil)
      try merge([.saved(Sample.record("A", old, tag: "5"))], into: &ledger)
      #expect(try ledger.store.record(Sample.id("A"))?.local == nil)
    }
  }

  @Test func `keeps in mind that the cloud lost versions until it has read the zone, also if the zone goes again`()
    throws
  {
    let record = Sample.local("A", old, server: Sample.version(old))
    for isAfterLoss in [false, true] {
      var zone = ZoneState(zoneID: Sample.zone, token: ChangeToken("t0"))
      zone.isAfterLoss = isAfterLoss
      var ledger = try Sample.ledger([record], zones: [zone])
      _ = try ledger.zoneGone(Sample.zone, .lost, at: Sample.moment(100_000))
      #expect(ledger.memory.zone(Sample.zone)?.isAfterLoss == isAfterLoss)
    }
  }

  @Test mutating func `takes a deletion for done that met no loss`() throws {
    let deleted = Sample.local("A", nil, server: Sample.version(old), sent: .deleted, revision: 1)
    var ledger = try Sample.ledger([deleted])
    var session = Sample.session
    _ = try ledger.settle(
      SentBatch(zoneID: Sample.zone, names: ["A"]), [.failed("A", CloudError(.unknownItem, "no"))], &session,
      at: Sample.moment(100_000), using: &generator)
    try merge([.saved(Sample.record("A", old, tag: "5"))], into: &ledger)
    #expect(try ledger.store.record(Sample.id("A"))?.local == old)
  }

  @Test mutating func `compares its version with one that another device offered, and keeps the loser`() throws {
    // The policy prefers the later text.
    for (mine, theirs, wins) in [("b", "a", true), ("a", "b", false)] {
      let version = Sample.content(mine)
      var ledger = try Sample.ledger([Sample.local("A", version, server: Sample.version(version))])
      _ = try ledger.tokenExpired(of: Sample.zone, isAfterLoss: true, at: Sample.moment(150_000))
      try merge([.saved(Sample.record("A", Sample.content(theirs), tag: "5", at: 160_000))], into: &ledger)
      let record = try #require(try ledger.store.record(Sample.id("A")))
      #expect(record.local == Sample.content("b") && record.isPending == wins)
      #expect(record.server?.changeTag == ChangeTag("5"))
      let entry = try #require(try ledger.store.conflicts(limit: 9).first)
      #expect([entry.local, entry.server].contains(Sample.content("a")))
    }
  }

  @Test mutating func `keeps what a full fetch did not see in the journal`() throws {
    let unmet = Sample.local("A", old, server: Sample.version(old))
    var ledger = try Sample.ledger([unmet])
    _ = try ledger.tokenExpired(of: Sample.zone, at: Sample.moment(150_000))
    try merge([], into: &ledger)
    #expect(try ledger.store.record(Sample.id("A")) == nil)
    let entry = try #require(try ledger.store.conflicts(limit: 9).first)
    #expect(entry.rule == "leftOut" && entry.winner == .none && entry.local == old)
  }
}

@Suite struct `a device whose zone was removed on purpose` {
  private let old = Sample.content("old")

  private func made(_ name: Name, _ content: RecordContent, at time: Int64) -> LocalRecord {
    var record = Sample.local(name, content, revision: time)
    record.pendingSince = WallTime(milliseconds: time)
    return record
  }

  @Test(arguments: [ZoneRemoval.Reason.purged, .deleted])
  func `keeps what was made since, with what it refers to`(reason: ZoneRemoval.Reason) throws {
    let parent = Sample.local("P", old, server: Sample.version(old))
    let other = Sample.local("Q", old, server: Sample.version(old))
    let edited = Sample.local("E", Sample.content("edit"), server: Sample.version(old), revision: 7_000)
    var ledger = try Sample.ledger([
      parent, other, edited, made("before", Sample.content("b", to: "Q"), at: 4_000),
      made("after", Sample.content("a", to: "P"), at: 6_000),
    ])
    let loss = try ledger.zoneGone(
      Sample.zone, reason, end: WallTime(milliseconds: 5_000), at: Sample.moment(9_000))
    #expect(loss?.isToCreate == true)
    let kept = try ledger.store.records(in: Sample.zone, metBefore: .max)
    #expect(kept.map(\.recordID) == [Sample.id("P"), Sample.id("after")])
    #expect(kept.allSatisfy { $0.server == nil && $0.isPending })
    #expect(ledger.zone(Sample.zone) == nil)
    let journal = try ledger.store.conflicts(limit: 9)
    #expect(Set(journal.map(\.recordID)) == [Sample.id("E"), Sample.id("before")])
  }

  @Test func `measures the time of an edit by the cloud's clock`() throws {
    var ledger = try Sample.ledger([made("A", old, at: 4_000)])
    var draft = ledger.draft(at: Sample.moment(4_000))
    draft.memory.set(.clockOffset, Int64(3_000))
    try ledger.commit(draft)
    _ = try ledger.zoneGone(Sample.zone, .purged, end: WallTime(milliseconds: 5_000), at: Sample.moment(9_000))
    #expect(try ledger.store.record(Sample.id("A")) != nil)
  }

  @Test func `keeps what the cloud saved after the end, in the zone that was created since`() throws {
    let saved = Sample.local("A", old, server: Sample.version(old, by: "me", at: 5_001))
    let ended = Sample.local("B", old, server: Sample.version(old, by: "me", at: 5_000))
    var ledger = try Sample.ledger([saved, ended])
    let loss = try ledger.zoneGone(
      Sample.zone, .deleted, end: WallTime(milliseconds: 5_000), at: Sample.moment(9_000))
    #expect(loss?.isToCreate == false)
    #expect(try ledger.store.records(in: Sample.zone, metBefore: .max) == [saved])
    #expect(ledger.zone(Sample.zone)?.isInFullFetch == true, "what was saved may be gone again")
  }

  @Test func `keeps nothing if the cloud does not say when, and everything if it had no zone any more`() throws {
    var unmarked = try Sample.ledger([made("A", old, at: 6_000)])
    let loss = try unmarked.zoneGone(Sample.zone, .purged, at: Sample.moment(9_000))
    #expect(loss?.isToCreate == false)
    #expect(try unmarked.store.record(Sample.id("A")) == nil)
    #expect(try unmarked.store.conflicts(limit: 9).map(\.rule) == ["zoneDeleted"])
    var later = try Sample.ledger([made("A", old, at: 6_000)], zones: [])
    #expect(try later.zoneGone(Sample.zone, .purged, at: Sample.moment(9_000)) == nil)
    #expect(try later.store.record(Sample.id("A"))?.local == old)
  }
}

@Suite struct `a device whose store was reset` {
  private var generator = SplitMix64(seed: 1)

  @Test(arguments: [true, false])
  mutating func `notices a copy after a save, also if its clock was ahead at the reset`(hasSaved: Bool) throws {
    var ledger = try Sample.ledger()
    try ledger.commit(try ledger.draft(of: .local(keepingPending: true), at: Sample.moment(9_000_000_000)).draft)
    let edit = Sample.local("A", Sample.content("new"), revision: 1)
    var session = Sample.session
    let page = Sample.page([])
    _ = try ledger.merge(page, &session, at: Sample.moment(100_000), using: &generator)
    if hasSaved {
      var draft = ledger.draft(at: Sample.moment(100_000))
      draft.put(edit)
      try ledger.commit(draft)
      _ = try ledger.settle(
        SentBatch(zoneID: Sample.zone, names: ["A"]),
        [.record(Sample.record("A", Sample.content("new"), by: "me", at: 100_000))], &session,
        at: Sample.moment(100_000), using: &generator)
    }
    let foreign = Sample.record("B", Sample.content("other"), tag: "9", by: "me", at: 400_000)
    _ = try ledger.merge(
      Sample.page([.saved(foreign)], token: "t2"), &session, at: Sample.moment(500_000), using: &generator)
    #expect((ledger.deviceID != "me") == hasSaved)
  }
}
