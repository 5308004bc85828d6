import ZoneKitRecords
import ZoneKitMemoryStores
import ZoneKitStoreConformance
import Testing

@testable import ZoneKitSync

/// What a page and a batch cost must follow from the page and the batch, not from how much the device holds.
@Suite struct `the effort of a sync` {
  private typealias Counted = CountingDeviceStore<MemoryDeviceStore>
  private var generator = SplitMix64(seed: 1)
  private static let batch = 10

  /// A device that holds those records, whose reads are counted from here on.
  private func ledger(_ records: [LocalRecord], window: Int = 1_000) throws -> Ledger<Counted> {
    var configuration = Sample.configuration
    configuration.limits.sendWindow = window
    let ledger = try Ledger(store: Counted(Sample.ledger(records).store), configuration: configuration)
    ledger.store.counts.reset()
    return ledger
  }

  private func name(_ number: Int) -> Name { Name("R\(number + 10_000)") }

  @Test(arguments: [0, 100, 2_000])
  mutating func `a page of children looks for their parent once, however much the device holds`(held: Int) throws {
    let known = Sample.version(Sample.content("x"))
    let parent = Sample.local("P", known.content, server: known)
    var ledger = try ledger([parent] + (0..<held).map { Sample.local(name($0), known.content, server: known) })
    let children = (0..<Self.batch).map { Sample.record(Name("N\($0)"), Sample.content("n", to: "P")) }
    var session = Sample.session
    _ = try ledger.merge(
      Sample.page(children.map { .saved($0) }, moreComing: true), &session, at: Sample.moment(1), using: &generator)
    // Each child is looked for, and is not there. The parent's content is of no use.
    #expect(ledger.store.counts.lookups == Self.batch + 1)
    #expect(ledger.store.counts.records == 0)
  }

  @Test(arguments: [0, 100, 2_000])
  mutating func `a page copies none of the records that wait for a parent`(waiting: Int) throws {
    var ledger = try ledger([])
    var session = Sample.session
    for page in 0..<(waiting / Self.batch) + 1 {
      let children = (0..<Self.batch).map {
        Sample.record(name(page * Self.batch + $0), Sample.content("c", to: "P"))
      }
      _ = try ledger.merge(
        Sample.page(children.map { .saved($0) }, token: "t\(page + 1)", moreComing: true), &session,
        at: Sample.moment(1), using: &generator)
      #expect(ledger.memory.pendingReferences.unsettledCount == Self.batch)
    }
    #expect(ledger.memory.pendingReferences.records.count == waiting + Self.batch)
    let parent = try ledger.merge(
      Sample.page([.saved(Sample.record("P", Sample.content("p")))], token: "last"), &session, at: Sample.moment(1),
      using: &generator)
    #expect(
      parent.effects.last == .remoteChange([Sample.id("P")] + (0..<waiting + Self.batch).map { Sample.id(name($0)) }))
    #expect(ledger.memory.pendingReferences.isEmpty)
  }

  @Test(arguments: [50, 500, 2_000])
  func `a batch is chosen from a window of what waits`(waiting: Int) throws {
    let content = Sample.content("x")
    var ledger = try ledger(
      (0..<waiting).map { Sample.local(name($0), content, revision: Int64($0 + 1)) }, window: 50)
    let chosen = try ledger.nextToSend(Sample.session, at: Sample.moment(1))
    #expect(chosen?.records.count == 50)
    // The first one that may go is found alone.
    #expect(ledger.store.counts.records == 51)
  }

  @Test(arguments: [0, 100, 2_000])
  mutating func `an answer reads the records of its batch`(waiting: Int) throws {
    let content = Sample.content("x")
    let records = (0..<waiting + Self.batch).map {
      Sample.local(name($0), content, sent: $0 < Self.batch ? .saved(content) : nil, revision: Int64($0 + 1))
    }
    var ledger = try ledger(records)
    var session = Sample.session
    let batch = SentBatch(zoneID: Sample.zone, names: (0..<Self.batch).map(name))
    let results = batch.names.map { RecordResult.record(Sample.record($0, content, by: "me")) }
    _ = try ledger.settle(batch, results, &session, at: Sample.moment(2), using: &generator)
    #expect(ledger.store.counts.records == Self.batch)
    #expect(try ledger.store.census().pending == waiting)
  }

  @Test func `records are kept in the order in which they are sent`() throws {
    var draft = try Sample.ledger().draft(at: Sample.moment(1))
    for (index, name) in ["B", "D", "A", "C"].enumerated() {
      draft.put(Sample.local(Name(name), Sample.content("x"), revision: Int64(index + 1)))
    }
    let met = Sample.version(Sample.content("x"))
    for name in ["F", "E"] as [Name] { draft.put(Sample.local(name, met.content, server: met)) }
    #expect(draft.transition.records.map(\.recordID.recordName) == ["F", "E", "B", "D", "A", "C"])
  }
}
