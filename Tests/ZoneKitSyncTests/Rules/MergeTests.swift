import ZoneKitRecords
import ZoneKitMemoryStores
import Testing

@testable import ZoneKitSync

@Suite struct `meeting the cloud's version of a record` {
  private let step = MergeStep(
    deviceID: "me", deleteRule: .deleteWins, policy: Sample.configuration.merging.policy)
  private let old = Sample.content("old")
  private let mine = Sample.content("mine")
  private let theirs = Sample.content("theirs")

  private func saved(_ version: ServerVersion, known: LocalRecord?) -> MergeStep.Outcome {
    step.saved(version, type: "Item", recordID: Sample.id("R"), known: known)
  }

  @Test func `shows a record that is new here`() {
    let version = Sample.version(theirs)
    let outcome = saved(version, known: nil)
    #expect(outcome == .init(record: Sample.local("R", theirs, server: version), isVisible: true))
  }

  @Test func `finds a copy of the device where a version of its name was never sent`() {
    #expect(saved(Sample.version(theirs, by: "me"), known: nil).isClone)
    let known = Sample.local("R", old, server: Sample.version(old))
    #expect(saved(Sample.version(theirs, tag: "2", by: "me"), known: known).isClone)
    #expect(!saved(Sample.version(theirs, tag: "2"), known: known).isClone)
  }

  @Test func `finds no copy of the device where its own content is there under another tag`() {
    let known = Sample.local("R", old, server: Sample.version(old, by: "me"))
    #expect(!saved(Sample.version(old, tag: "2", by: "me"), known: known).isClone)
  }

  @Test func `changes nothing for a version that was seen before`() {
    let known = Sample.local("R", mine, server: Sample.version(old))
    #expect(saved(Sample.version(old), known: known) == .init(record: known))
  }

  @Test func `knows what it sent without an answer, also what it sent earlier`() {
    var known = Sample.local("R", mine, server: Sample.version(old))
    known.send(.saved(theirs))
    known.send(.saved(mine))
    let last = saved(Sample.version(mine, tag: "2", by: "me"), known: known)
    #expect(last.isOwnWrite)
    #expect(last.record?.sent == nil)
    let earlier = saved(Sample.version(theirs, tag: "2", by: "me"), known: known)
    #expect(earlier.isOwnWrite)
    #expect(!earlier.isClone)
    #expect(earlier.record?.sent == .saved(mine))
  }

  @Test func `adopts another version where nothing waits here`() {
    let known = Sample.local("R", old, server: Sample.version(old))
    let version = Sample.version(theirs, tag: "2")
    #expect(saved(version, known: known) == .init(record: Sample.local("R", theirs, server: version), isVisible: true))
  }

  @Test func `asks the policy where an edit waits here, and names the version that lost`() {
    let known = Sample.local("R", mine, server: Sample.version(old))
    let outcome = saved(Sample.version(theirs, tag: "2"), known: known)
    #expect(outcome.record?.local == theirs)
    #expect(outcome.isVisible)
    #expect(outcome.isRevised)
    #expect(
      outcome.decision
        == .init(
          conflict: Conflict(recordID: Sample.id("R"), recordType: "Item", local: mine, server: theirs, ancestor: old),
          winner: .server, rule: "text", serverDeviceID: "other"))
  }

  @Test func `lets a deletion win over an edit, and keeps what was never there`() {
    let known = Sample.local("R", mine, server: Sample.version(old))
    let outcome = step.deleted(known: known, deleter: nil)
    #expect(outcome.record == nil)
    #expect(outcome.decision?.rule == "delete")
    #expect(outcome.decision?.winner == .server)
    let fresh = Sample.local("R", mine)
    #expect(step.deleted(known: fresh, deleter: nil) == .init(record: fresh))
    #expect(step.deleted(known: nil, deleter: nil) == .init())
    let plain = Sample.local("R", old, server: Sample.version(old))
    #expect(step.deleted(known: plain, deleter: nil) == .init(isVisible: true))
  }
}

@Suite struct `merging a page` {
  private var generator = SplitMix64(seed: 1)

  private mutating func merge(
    _ changes: ZoneChanges, into ledger: inout Ledger<MemoryDeviceStore>, at now: Int64 = 200_000
  ) throws -> MergedPage {
    var session = Sample.session
    return try ledger.merge(changes, &session, at: Sample.moment(now), using: &generator)
  }

  @Test mutating func `keeps the records and the token together, and reports what is new to the user`() throws {
    var ledger = try Sample.ledger([Sample.local("B", Sample.content("b"), server: Sample.version(Sample.content("b")))]
    )
    let page = try merge(
      Sample.page([
        .saved(Sample.record("A", Sample.content("a"))), .deleted(recordName: "B", changeTag: ChangeTag("2")),
      ]),
      into: &ledger)
    #expect(
      page.effects
        == [
          .fact(.pageMerged(Sample.zone, records: 2, moreComing: false)),
          .remoteChange([Sample.id("A"), Sample.id("B")]),
        ])
    #expect(ledger.zone(Sample.zone)?.token == ChangeToken("t1"))
    #expect(try ledger.store.record(Sample.id("A"))?.local == Sample.content("a"))
    #expect(try ledger.store.record(Sample.id("B")) == nil)
    #expect(try ledger.store.traces(limit: 9).map(\.recordID) == [Sample.id("A")])
  }

  @Test mutating func `keeps nothing where the store fails`() throws {
    var ledger = try Sample.ledger()
    let broken = StoreError(.failed, "broken", place: "disk")
    ledger.store.faults = [.beforeCommit(broken)]
    #expect(throws: broken) {
      var session = Sample.session
      _ = try ledger.merge(
        Sample.page([.saved(Sample.record("A", Sample.content("a")))]), &session, at: Sample.moment(9),
        using: &generator)
    }
    #expect(ledger.zone(Sample.zone)?.token == ChangeToken("t0"))
    #expect(try ledger.store.record(Sample.id("A")) == nil)
  }

  @Test mutating func `keeps a child back until its parent is there or the feed ends`() throws {
    var ledger = try Sample.ledger()
    let first = try merge(
      Sample.page([.saved(Sample.record("C", Sample.content("c", to: "P")))], moreComing: true), into: &ledger)
    #expect(first.effects == [.fact(.pageMerged(Sample.zone, records: 1, moreComing: true))])
    #expect(ledger.memory.pendingReferences.records == [Sample.id("C")])
    let second = try merge(
      Sample.page([.saved(Sample.record("P", Sample.content("p")))], token: "t2", moreComing: true), into: &ledger)
    #expect(second.effects.last == .remoteChange([Sample.id("P"), Sample.id("C")]))
    _ = try merge(
      Sample.page([.saved(Sample.record("D", Sample.content("d", to: "Q")))], token: "t3", moreComing: true),
      into: &ledger)
    let last = try merge(Sample.page([], token: "t4"), into: &ledger)
    #expect(
      last.effects
        == [
          .fact(.pageMerged(Sample.zone, records: 0, moreComing: false)),
          .fact(.shownWithoutTarget(Sample.id("D"), missing: "Q")), .remoteChange([Sample.id("D")]),
        ])
    #expect(ledger.memory.pendingReferences.isEmpty)
  }

  @Test mutating func `ends a full fetch without what it did not meet, but for edits and what may be hidden`() throws {
    let content = Sample.content("x")
    func known(_ name: Name, _ local: RecordContent?, at: Int64 = 1_000) -> LocalRecord {
      Sample.local(name, local, server: Sample.version(content, at: at))
    }
    var ledger = try Sample.ledger(
      [
        known("gone", content), known("met", content), known("edited", Sample.content("y")),
        known("young", content, at: 199_000), Sample.local("new", content),
      ],
      zones: [ZoneState(zoneID: Sample.zone, fullFetches: 1, isInFullFetch: true)])
    let page = try merge(Sample.page([.saved(Sample.record("met", content))]), into: &ledger)
    #expect(page.unsure == ["edited", "young"])
    #expect(page.effects.contains(.fact(.leftoversRemoved(Sample.zone, records: 1))))
    #expect(try ledger.store.record(Sample.id("gone")) == nil)
    #expect(try ledger.store.record(Sample.id("new")) != nil)
    #expect(ledger.zone(Sample.zone)?.isInFullFetch == true)
    var session = Sample.session
    let lookup = try ledger.merge(
      [.failed("edited", CloudError(.unknownItem, "no")), .record(Sample.record("young", content))],
      of: ["edited", "young"], in: Sample.zone, endOf: .last, session: &session, at: Sample.moment(200_000),
      using: &generator)
    #expect(lookup.failure == nil)
    #expect(ledger.zone(Sample.zone)?.isInFullFetch == false)
    #expect(try ledger.store.record(Sample.id("edited")) == nil)
  }

  @Test mutating func `offers a looked-up record that the cloud lost`() throws {
    let mine = Sample.content("mine")
    let known = Sample.local("A", mine, server: Sample.version(Sample.content("old")))
    var ledger = try Sample.ledger([known])
    var lost = CloudError(.unknownItem, "no")
    lost.isAfterLoss = true
    var session = Sample.session
    _ = try ledger.merge(
      [.failed("A", lost)], of: ["A"], in: Sample.zone, endOf: .none, session: &session, at: Sample.moment(200_000),
      using: &generator)
    let record = try #require(try ledger.store.record(Sample.id("A")))
    #expect(record.local == mine && record.server == nil && record.isPending)
  }

  @Test mutating func `after a loss in the cloud offers what the cloud lacks`() throws {
    let (old, new) = (Sample.content("old"), Sample.content("new"))
    func known(_ name: Name, _ local: RecordContent, tag: String = "9", at: Int64 = 1_000) -> LocalRecord {
      Sample.local(name, local, server: Sample.version(local, tag: tag, at: at))
    }
    let edit = Sample.content("edit")
    let edited = Sample.local("edited", edit, server: Sample.version(new, tag: "9", at: 1_000))
    var ledger = try Sample.ledger([known("lost", new), known("older", new), known("deleted", old), edited])
    _ = try ledger.tokenExpired(of: Sample.zone, isAfterLoss: true, at: Sample.moment(150_000))
    func older(_ name: Name) -> Record {
      var older = Sample.record(name, old, tag: "2")
      older.modified.at = WallTime(milliseconds: 500)
      return older
    }
    let page = try merge(
      Sample.page([
        .saved(older("older")), .saved(older("edited")), .deleted(recordName: "deleted", changeTag: ChangeTag("3")),
      ]), into: &ledger)
    #expect(page.effects.contains(.fact(.zoneLost(Sample.zone, records: 1))))
    let lost = try #require(try ledger.store.record(Sample.id("lost")))
    #expect(lost.local == new && lost.server == nil && lost.isPending)
    let newer = try #require(try ledger.store.record(Sample.id("older")))
    #expect(newer.local == new && newer.server?.changeTag == ChangeTag("2") && newer.isPending)
    let changed = try #require(try ledger.store.record(Sample.id("edited")))
    #expect(changed.local == edit && changed.server?.changeTag == ChangeTag("2") && changed.isPending)
    #expect(try ledger.store.record(Sample.id("deleted")) == nil)
    let kept = try ledger.store.conflicts(limit: 9)
    #expect(kept.map(\.recordID) == [Sample.id("deleted")], "the deletion need not be of the version that was lost")
    #expect(kept.map(\.rule) == ["changesLost"] && kept.map(\.local) == [old])
    #expect(ledger.zone(Sample.zone)?.isInFullFetch == false && ledger.zone(Sample.zone)?.isAfterLoss == false)
  }

  @Test mutating func `is stuck where more is promised behind the same token`() throws {
    var ledger = try Sample.ledger()
    var session = Sample.session
    let page = try ledger.merge(
      Sample.page([], token: "t0", moreComing: true), &session, at: Sample.moment(1), using: &generator)
    #expect(page.isStuck)
    #expect(session.setback?.code == .internalError)
    #expect(page.effects.first == .fact(.pageMerged(Sample.zone, records: 0, moreComing: true)))
    #expect(page.effects.contains(.fact(.tokenStuck(Sample.zone))))
  }

  @Test mutating func `reports a conflict once that another device's journal brought before`() throws {
    let (old, mine, theirs) = (Sample.content("old"), Sample.content("mine"), Sample.content("theirs"))
    // The other device decided the same conflict first, and both its journal and the record come in one answer.
    let conflict = Conflict(recordID: Sample.id("R"), recordType: "Item", local: theirs, server: mine, ancestor: old)
    let entry = ConflictJournal(deviceID: "other", now: WallTime(milliseconds: 5)).entry(
      for: .init(conflict: conflict, winner: .local, rule: "text", serverDeviceID: "me"))
    let report = ConflictJournal.record(for: entry, in: Sample.journal)
    var ledger = try Sample.ledger([Sample.local("R", mine, server: Sample.version(old), revision: 1)])
    var reportRecord = Sample.record(report.recordID.recordName, try #require(report.local))
    reportRecord.recordType = ConflictRecord.recordType
    let journal = try merge(Sample.page([.saved(reportRecord)], of: Sample.journal), into: &ledger)
    let records = try merge(Sample.page([.saved(Sample.record("R", theirs, tag: "2"))]), into: &ledger)
    let reported = (journal.effects + records.effects).filter { if case .fact(.conflict) = $0 { true } else { false } }
    #expect(reported.count == 1)
    #expect(try ledger.store.conflicts(limit: 9).count == 1)
    #expect(ledger.memory.integer(.conflictTotal) == 1)
  }
}

@Suite struct `references that are waited for` {
  private var pending = PendingReferences()
  private let a = Sample.id("A")
  private let b = Sample.id("B")
  private let c = Sample.id("C")

  @Test mutating func `let a record out when the last of its targets is there, and those behind it`() {
    pending.keep(c, until: ["B"])
    pending.keep(b, until: ["A", "X"])
    #expect(pending.records == [b, c])
    #expect(pending.arrived(a) == [])
    #expect(pending.arrived(Sample.id("X")) == [b, c])
    #expect(pending.isEmpty)
  }

  @Test mutating func `are the same in one layer and in two, and a copy keeps its own`() {
    pending.keep(c, until: ["A", "Q"])
    pending.keep(b, until: ["A"])
    pending.settle()
    pending.keep(Sample.id("D"), until: ["A"])
    // Kept anew, it comes out behind those that waited longer.
    pending.keep(b, until: ["A"])
    #expect(pending.records == [b, c, Sample.id("D")])
    var copy = pending
    #expect(copy.arrived(a) == [Sample.id("D"), b])
    #expect(copy.records == [c])
    copy.settle()
    #expect(copy.arrived(a) == [])
    #expect(copy.arrived(Sample.id("Q")) == [c])
    #expect(pending.records == [b, c, Sample.id("D")])
  }

  @Test mutating func `forget a record that is gone`() {
    pending.keep(c, until: ["B"])
    pending.forget(c)
    #expect(pending.arrived(b) == [])
  }

  @Test mutating func `of one zone end with the name that did not come`() {
    let far = Sample.id("F", in: Sample.journal)
    pending.keep(b, until: ["A"])
    pending.keep(far, until: ["A"])
    let ended = pending.end(Sample.zone)
    #expect(ended.map(\.0) == [b])
    #expect(ended.map(\.missing) == ["A"])
    #expect(pending.records == [far])
    #expect(pending.arrived(a) == [])
    #expect(pending.arrived(Sample.id("A", in: Sample.journal)) == [far])
  }

  @Test func `are found again in a zone that was read in part`() throws {
    let version = Sample.version(Sample.content("c", to: "P"))
    let child = Sample.local("C", version.content, server: version)
    let ledger = try Sample.ledger([child], zones: [ZoneState(zoneID: Sample.zone, isStale: true)])
    let found = try PendingReferences(recalledFrom: ledger.store, zones: ledger.zones)
    #expect(found.records == [Sample.id("C")])
    #expect(try PendingReferences(recalledFrom: ledger.store, zones: []).isEmpty)
  }
}
