import Testing
import ZoneKitRecords
import ZoneKitMemoryStores
import ZoneKitStoreConformance

@testable import ZoneKitSync

@Suite struct `sending in the order of types` {
  private typealias Counted = CountingDeviceStore<MemoryDeviceStore>
  private var generator = SplitMix64(seed: 1)

  private func record(_ name: Name, of type: Name, revision: Int64, in zoneID: ZoneID = Sample.zone) -> LocalRecord {
    var record = Sample.local(name, Sample.content("x"), revision: revision, in: zoneID)
    record.recordType = type
    return record
  }

  private func ledger(_ records: [LocalRecord], batch: Int = 100) throws -> Ledger<Counted> {
    var configuration = Sample.configuration
    configuration.traits.typeOrder = ["Owner", "Item"]
    configuration.limits.batch = batch
    return try Ledger(
      store: Counted(Sample.ledger(records).store), configuration: configuration)
  }

  private func names(_ waiting: WaitingRecords?) -> [Name] { waiting?.records.map(\.recordID.recordName) ?? [] }

  /// Sends all that waits, and returns the names in each batch.
  private mutating func push(_ ledger: inout Ledger<Counted>) throws -> [[Name]] {
    var batches: [[Name]] = []
    var session = Sample.session
    while let waiting = try ledger.nextToSend(session, at: Sample.moment(1)) {
      guard let batch = try ledger.send(waiting, limit: ledger.configuration.limits.batch, at: Sample.moment(1)).0
      else {
        break
      }
      batches.append(batch.sent.names)
      let results = batch.sent.names.map {
        RecordResult.record(Sample.record($0, Sample.content("x"), tag: "2", by: "me"))
      }
      _ = try ledger.settle(batch.sent, results, &session, at: Sample.moment(2), using: &generator)
    }
    return batches
  }

  @Test mutating func `sends one type a batch, the oldest change first, and other types last`() throws {
    var ledger = try ledger([
      record("X", of: "Else", revision: 1), record("I2", of: "Item", revision: 2),
      record("O2", of: "Owner", revision: 6),
      record("I1", of: "Item", revision: 5), record("O1", of: "Owner", revision: 4),
    ])
    #expect(try push(&ledger) == [["O1", "O2"], ["I2", "I1"], ["X"]])
  }

  @Test mutating func `sends records of one zone a batch`() throws {
    let other = ZoneID(zoneName: "Y")
    var ledger = try ledger([
      record("A", of: "Item", revision: 1), record("B", of: "Item", revision: 2, in: other),
      record("C", of: "Item", revision: 3),
    ])
    #expect(try push(&ledger) == [["A", "C"], ["B"]])
  }

  @Test func `passes over a type whose records are held back`() throws {
    let other = ZoneID(zoneName: "Y")
    var ledger = try ledger(
      (1...3).map { record(Name("O\($0)"), of: "Owner", revision: Int64($0), in: other) }
        + [record("O", of: "Owner", revision: 4), record("I", of: "Item", revision: 5)], batch: 2)
    #expect(try names(ledger.nextToSend(Sample.session, except: [other], at: Sample.moment(1))) == ["O"])
    let zones: Set<ZoneID> = [other, Sample.zone]
    #expect(try names(ledger.nextToSend(Sample.session, except: zones, at: Sample.moment(1))) == [])
  }

  @Test(arguments: [200, 5_000])
  mutating func `reads each of thousands that wait once to choose the batches`(waiting: Int) throws {
    let records = (1...waiting).map {
      record(Name("R\($0 + 10_000)"), of: $0 % 2 == 0 ? "Owner" : "Item", revision: Int64($0))
    }
    var ledger = try ledger(records)
    ledger.store.counts.reset()
    let batches = try push(&ledger)
    #expect(batches.count == waiting / 100)
    // An answer looks each of its records up, because the user may have changed it since it was sent.
    #expect(ledger.store.counts.lookups == waiting)
    #expect(ledger.store.counts.records - ledger.store.counts.lookups == waiting)
    #expect(try ledger.store.waiting() == [])
  }

  @Test func `reads no more than a halved batch has room for`() throws {
    var ledger = try ledger((1...50).map { record(Name("R\($0 + 10)"), of: "Item", revision: Int64($0)) })
    ledger.store.counts.reset()
    #expect(try names(ledger.nextToSend(Sample.session, limit: 7, at: Sample.moment(1))).count == 7)
    #expect(ledger.store.counts.records == 7)
  }
}
