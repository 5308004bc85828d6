import ZoneKitRecords
import ZoneKitMemoryStores
import Testing

@testable import ZoneKitSync

@Suite struct `the plan of a batch` {
  private func names(_ plan: SendPlan) -> [Name] { plan.records.map(\.recordID.recordName) }

  @Test func `sends parents before their children, and deletions last`() {
    let deleted = Sample.local("D", nil, server: Sample.version(Sample.content("d"), tag: "7"))
    let plan = SendPlan(
      [
        deleted, Sample.local("C", Sample.content("c", to: "P")), Sample.local("X", Sample.content("x")),
        Sample.local("P", Sample.content("p", parent: "G")), Sample.local("G", Sample.content("g")),
      ], limit: 9, bytes: 1_000_000)
    #expect(names(plan) == ["G", "P", "C", "X", "D"])
    #expect(plan.operations.last == RecordOperation(.delete, recordName: "D", changeTag: ChangeTag("7")))
  }

  @Test func `comes to an end where records refer to each other`() {
    let plan = SendPlan(
      [Sample.local("A", Sample.content("a", to: "B")), Sample.local("B", Sample.content("b", to: "A"))], limit: 9,
      bytes: 1_000_000)
    #expect(names(plan) == ["B", "A"])
  }

  @Test func `creates what the cloud never had and replaces a known version by its tag`() {
    let known = Sample.local("K", Sample.content("k"), server: Sample.version(Sample.content("old"), tag: "3"))
    let plan = SendPlan([known, Sample.local("N", Sample.content("n"))], limit: 9, bytes: 1_000_000)
    #expect(plan.operations.map(\.kind) == [.replace, .create])
    #expect(plan.operations.map(\.changeTag) == [ChangeTag("3"), nil])
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3)])
  func `carries no more records than the limit`(limit: Int, count: Int) {
    let waiting = (1...3).map { Sample.local(Name("R\($0)"), Sample.content("r")) }
    #expect(SendPlan(waiting, limit: limit, bytes: 1_000_000).records.count == count)
  }

  @Test func `carries no more bytes than fit, but at least one record`() {
    let waiting = (1...3).map { Sample.local(Name("R\($0)"), Sample.content("r")) }
    let size = Sample.content("r").fields.utf8.count
    #expect(SendPlan(waiting, limit: 9, bytes: 1).records.count == 1)
    #expect(SendPlan(waiting, limit: 9, bytes: 2 * size - 1).records.count == 1)
    #expect(SendPlan(waiting, limit: 9, bytes: 2 * size).records.count == 2)
  }

  @Test func `names records whose text cannot be read, and sends the others`() {
    let torn = RecordContent(fields: EncodedFields(canonical: Array("{".utf8)))
    let plan = SendPlan(
      [Sample.local("T", torn), Sample.local("R", Sample.content("r"))], limit: 9, bytes: 1_000_000)
    #expect(names(plan) == ["R"])
    #expect(plan.unreadable.map(\.0.recordID) == [Sample.id("T")])
  }
}

@Suite struct `the answer to a batch` {
  private var generator = SplitMix64(seed: 1)
  private let old = Sample.content("old")
  private let mine = Sample.content("mine")

  /// A ledger in which that was sent, and what the cloud's answer leaves to do.
  private mutating func settle(
    _ sent: [LocalRecord], _ results: [RecordResult]
  ) throws -> (Ledger<MemoryDeviceStore>, Settlement) {
    var ledger = try Sample.ledger(sent)
    var session = Sample.session
    let batch = SentBatch(zoneID: Sample.zone, names: sent.map(\.recordID.recordName))
    let settlement = try ledger.settle(batch, results, &session, at: Sample.moment(2_000), using: &generator)
    return (ledger, settlement)
  }

  private func sent(_ name: Name, now: RecordContent? = nil) -> LocalRecord {
    Sample.local(name, now ?? mine, server: Sample.version(old), sent: .saved(mine), revision: 1)
  }

  private func failed(_ name: Name, _ code: CloudErrorCode) -> RecordResult {
    .failed(name, CloudError(code, "no"))
  }

  @Test mutating func `settles what was sent, and leaves an edit made meanwhile waiting`() throws {
    let newer = Sample.content("newer")
    let (ledger, settlement) = try settle(
      [sent("A"), sent("B", now: newer)],
      [
        .record(Sample.record("A", mine, tag: "2", by: "me", at: 2_000)),
        .record(Sample.record("B", mine, tag: "3", by: "me", at: 2_000)),
      ])
    #expect(
      settlement.effects
        == [.fact(.recordSent(Sample.id("A"), ChangeTag("2"))), .fact(.recordSent(Sample.id("B"), ChangeTag("3")))])
    #expect(settlement.setback == nil)
    let a = try #require(try ledger.store.record(Sample.id("A")))
    #expect(!a.isPending)
    #expect(a.pendingSince == nil)
    let b = try #require(try ledger.store.record(Sample.id("B")))
    #expect(b.local == newer)
    #expect(b.isPending)
    #expect(b.sent == nil)
  }

  @Test mutating func `sends a record as a new one that the cloud lost, and takes others for deleted`() throws {
    var lost = CloudError(.unknownItem, "no")
    lost.isAfterLoss = true
    let (ledger, settlement) = try settle([sent("A"), sent("B")], [.failed("A", lost), failed("B", .unknownItem)])
    let a = try #require(try ledger.store.record(Sample.id("A")))
    #expect(a.local == mine && a.server == nil && a.sent == nil && a.isPending)
    #expect(try ledger.store.record(Sample.id("B")) == nil)
    #expect(settlement.setback == nil)
  }

  @Test mutating func `looks a conflict up`() throws {
    let (_, settlement) = try settle([sent("A")], [failed("A", .serverRecordChanged)])
    #expect(settlement.lookups == ["A"])
    #expect(settlement.effects == [])
  }

  @Test mutating func `holds a refused record back, and reports whether it waits for another one`() throws {
    let (ledger, settlement) = try settle(
      [sent("A"), sent("B")], [failed("A", .invalidArguments), failed("B", .referenceViolation)])
    #expect(
      settlement.effects
        == [
          .fact(.quarantined(Sample.id("A"), reason: "no")),
          .fact(.quarantined(Sample.id("B"), reason: "waits for another record: no")),
        ])
    #expect(try ledger.store.record(Sample.id("A"))?.quarantine == .refused("no"))
    #expect(try ledger.store.record(Sample.id("B"))?.quarantine == .waiting("no"))
  }

  @Test mutating func `holds nothing against records of a batch in which another one failed`() throws {
    let (ledger, settlement) = try settle(
      [sent("A"), sent("B")], [failed("A", .batchRequestFailed), failed("B", .invalidArguments)])
    #expect(try ledger.store.record(Sample.id("A"))?.quarantine == nil)
    #expect(settlement.setback == nil)
    let (_, stalled) = try settle([sent("A")], [failed("A", .batchRequestFailed)])
    #expect(stalled.setback?.code == .batchRequestFailed)
  }

  @Test mutating func `takes a full cloud for the cause of what else failed`() throws {
    let (ledger, settlement) = try settle(
      [sent("A"), sent("B")], [failed("A", .quotaExceeded), failed("B", .referenceViolation)])
    #expect(settlement.isFull)
    #expect(settlement.setback == nil)
    #expect(settlement.effects == [.fact(.quotaExceeded)])
    #expect(try ledger.store.quarantined(limit: 9) == [])
    #expect(ledger.memory.time(.quotaExceededAt) == WallTime(milliseconds: 2_000))
    #expect(ledger.gate.isWaiting(for: .retry))
  }

  @Test mutating func `tries passing errors again later`() throws {
    let (ledger, settlement) = try settle([sent("A")], [failed("A", .zoneBusy)])
    #expect(settlement.setback?.code == .zoneBusy)
    #expect(try ledger.store.quarantined(limit: 9) == [])
  }

  @Test mutating func `finds that the device's clock is off`() throws {
    let (ledger, settlement) = try settle(
      [sent("A")], [.record(Sample.record("A", mine, tag: "2", by: "me", at: 92_000))])
    #expect(settlement.effects.contains(.fact(.clockOff(offset: 90_000))))
    #expect(ledger.memory.integer(.clockOffset) == 90_000)
  }

  @Test mutating func `lets those go that waited for a record that is there now`() throws {
    var child = Sample.local("C", Sample.content("c", to: "P"), revision: 2)
    child.quarantine = .waiting("no")
    var poison = Sample.local("X", Sample.content("x"), revision: 3)
    poison.quarantine = .refused("no")
    var ledger = try Sample.ledger([Sample.local("P", mine, revision: 1), child, poison])
    #expect(try ledger.releaseWaiting(at: Sample.moment(1)) == [])
    var parent = Sample.local("P", mine, server: Sample.version(mine), revision: 1)
    parent.pendingSince = nil
    try ledger.store.commit(DeviceTransition(records: [parent]))
    #expect(try ledger.releaseWaiting(except: [Sample.id("C")], at: Sample.moment(1)) == [])
    #expect(try ledger.releaseWaiting(at: Sample.moment(1)) == [Sample.id("C")])
    #expect(try ledger.store.quarantined(limit: 9).map(\.recordID) == [Sample.id("X")])
  }
}

@Suite struct `the storm detector` {
  private var storm = StormDetector(limit: 2, window: 1_000)
  private let id = Sample.id("R")

  private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  @Test mutating func `holds a record back that this device and another keep overwriting`() {
    #expect(storm.sent(id, now: time(0)) == nil)
    storm.changed(id, by: "b", now: time(10))
    #expect(storm.sent(id, now: time(20)) == nil)
    storm.changed(id, by: "c", now: time(30))
    #expect(storm.sent(id, now: time(40)) == ["b", "c"])
    #expect(storm.heldUntil(id, now: time(50)) == time(1_020))
    #expect(storm.heldUntil(id, now: time(1_020)) == nil)
  }

  @Test mutating func `counts no write that follows on the device's own`() {
    storm.changed(id, by: "b", now: time(0))
    _ = storm.sent(id, now: time(1))
    #expect(storm.sent(id, now: time(2)) == nil)
    #expect(storm.heldUntil(id, now: time(3)) == nil)
  }
}
