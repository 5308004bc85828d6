import Testing
import ZoneKitMemoryStores
import ZoneKitRecords

@testable import ZoneKitSync

/// The rules of a device whose cloud is a database without a feed and without versions of rows.
@Suite struct `a device of a plain database` {
  private var generator = SplitMix64(seed: 1)

  private static var configuration: CoordinatorConfiguration {
    var configuration = CoordinatorConfiguration(
      mergePolicy: MergePolicy { _ in Resolution(.adoptServer, rule: "none") })
    configuration.traits.arbiter = .cloud
    configuration.traits.journalZone = nil
    configuration.traits.isPlainDatabase = true
    return configuration
  }

  private static func content(_ values: [Name: Int64]) -> RecordContent {
    RecordContent(fields: EncodedFields(Fields(values.map { Field(name: $0.key, value: .int64($0.value)) })))
  }

  private let old = content(["a": 1, "b": 1])

  private func ledger(_ records: [LocalRecord]) throws -> Ledger<MemoryDeviceStore> {
    try Sample.ledger(
      records, zones: [ZoneState(zoneID: Sample.zone, token: ChangeToken("end"), fullFetches: 1)],
      configuration: Self.configuration)
  }

  @Test mutating func `reads a zone as a whole each time, and looks up what a round lacks`() throws {
    let known = Sample.local("A", old, server: Sample.version(old, at: 0))
    let kept = Sample.local("B", old, server: Sample.version(old, at: 0))
    var ledger = try ledger([known, kept])
    var session = Sample.session
    let page = try ledger.merge(
      Sample.page([.saved(Sample.record("B", old, at: 0))]), &session, at: Sample.moment(10), using: &generator)
    #expect(page.unsure == ["A"])
    #expect(ledger.zone(Sample.zone)?.fullFetches == 2)
    _ = try ledger.merge(
      [.failed("A", CloudError(.unknownItem, "gone"))], of: ["A"], in: Sample.zone, endOf: .last, session: &session,
      at: Sample.moment(11), using: &generator)
    #expect(try ledger.store.record(known.recordID) == nil)
    #expect(try ledger.store.record(kept.recordID)?.local == old)
    #expect(try ledger.store.conflicts(limit: 9).isEmpty)
  }

  @Test func `sends the fields of a row that differ, and those that are gone`() {
    let mine = Self.content(["a": 2, "c": 3])
    let plan = SendPlan(
      [Sample.local("A", mine, server: Sample.version(old))], limit: 9, bytes: 1_000_000, hasChangesOnly: true)
    #expect(plan.operations.map(\.kind) == [.update])
    #expect(plan.operations[0].fields.map(\.name) == ["a", "b", "c"])
    #expect(plan.operations[0].fields[1].change == .clear)
    let same = SendPlan(
      [Sample.local("A", Self.content(["a": 2, "b": 1]), server: Sample.version(old))], limit: 9, bytes: 1_000_000,
      hasChangesOnly: true)
    #expect(same.operations[0].fields.map(\.name) == ["a"])
  }

  @Test mutating func `keeps an edit of a time after the sending, over what the answer has of other fields`() throws {
    let sent = Self.content(["a": 2, "b": 1])
    let edited = Self.content(["a": 2, "b": 9])
    let record = Sample.local("A", edited, server: Sample.version(old), sent: .saved(sent), revision: 2)
    var ledger = try ledger([record])
    var session = Sample.session
    let answer = Self.content(["a": 2, "b": 1, "stamp": 5])
    _ = try ledger.settle(
      SentBatch(zoneID: Sample.zone, names: ["A"]), [.record(Sample.record("A", answer, tag: "2"))], &session,
      at: Sample.moment(10), using: &generator)
    let settled = try #require(try ledger.store.record(record.recordID))
    #expect(settled.local == Self.content(["a": 2, "b": 9, "stamp": 5]))
    #expect(settled.server?.content == answer)
    #expect(settled.isPending)
  }

  @Test mutating func `can delete a row whose insert was not answered once it sees the row`() throws {
    let record = Sample.local("A", nil, sent: .saved(old), revision: 2)
    var ledger = try ledger([record])
    var session = Sample.session
    _ = try ledger.merge(
      [.record(Sample.record("A", old))], of: ["A"], in: Sample.zone, endOf: .none, session: &session,
      at: Sample.moment(10), using: &generator)
    let seen = try #require(try ledger.store.record(record.recordID))
    #expect(seen.server?.content == old)
    #expect(seen.local == nil)
    #expect(SendPlan([seen], limit: 9, bytes: 1_000_000, hasChangesOnly: true).operations.map(\.kind) == [.delete])
  }

  @Test mutating func `lets a deletion win against an edit, which the journal keeps`() throws {
    let mine = Self.content(["a": 2, "b": 1])
    let record = Sample.local("A", mine, server: Sample.version(old), revision: 1)
    var ledger = try ledger([record])
    var session = Sample.session
    _ = try ledger.settle(
      SentBatch(zoneID: Sample.zone, names: ["A"]), [.failed("A", CloudError(.unknownItem, "gone"))], &session,
      at: Sample.moment(10), using: &generator)
    #expect(try ledger.store.record(record.recordID) == nil)
    #expect(try ledger.store.conflicts(limit: 9).map(\.local) == [mine])
  }
}
