import ZoneKitRecords
import ZoneKitMemoryStores
import ZoneKitStoreConformance
import ZoneKitSync
import Testing

@Suite struct MemoryDeviceStoreTests {
  @Test(arguments: DeviceStoreConformance<MemoryDeviceStore>.checkNames)
  func `the store passes the shared suite`(check: String) throws {
    let suite = DeviceStoreConformance(makeEmpty: { MemoryDeviceStore() }, reopen: { $0 })
    try suite.run(check)
  }

  @Test(arguments: DeviceStoreConformance<MemoryDeviceStore>.checkNames)
  func `the store passes the shared suite where a sync and a power cut come between`(check: String) throws {
    func makeEmpty() -> MemoryDeviceStore {
      var store = MemoryDeviceStore()
      store.losesUnsyncedCommits = true
      return store
    }
    func reopen(_ store: MemoryDeviceStore) -> MemoryDeviceStore {
      var store = store
      store.sync()
      store.powerCut(keeping: 0)
      return store
    }
    try DeviceStoreConformance(makeEmpty: makeEmpty, reopen: reopen).run(check)
  }

  private let failure = StoreError(.failed, "the disk is gone", place: "memory")

  @Test func `a commit that fails before the write keeps nothing`() throws {
    var store = MemoryDeviceStore()
    store.faults = [.beforeCommit(failure)]
    #expect(throws: failure) { try store.commit(DeviceTransition(values: [ValueChange(.revision, .integer(1))])) }
    #expect(try store.values().isEmpty)
    try store.commit(DeviceTransition(values: [ValueChange(.revision, .integer(2))]))
    #expect(try store.values() == [.revision: .integer(2)])
  }

  @Test func `a commit that fails after the write keeps everything`() throws {
    var store = MemoryDeviceStore()
    store.faults = [.afterCommit(failure)]
    #expect(throws: failure) { try store.commit(DeviceTransition(values: [ValueChange(.revision, .integer(1))])) }
    #expect(try store.values() == [.revision: .integer(1)])
  }

  @Test func `a full store takes what frees space and refuses what needs it`() throws {
    var store = MemoryDeviceStore()
    store.capacity = 20
    let id = RecordID(recordName: "R", zoneID: ZoneID(zoneName: "Z"))
    func record(bytes: Int) -> LocalRecord {
      let text = EncodedFields(canonical: [UInt8](repeating: 0x61, count: bytes))
      return LocalRecord(recordID: id, recordType: "Item", local: RecordContent(fields: text))
    }
    try store.commit(DeviceTransition(records: [record(bytes: 20)]))
    #expect(throws: StoreError.self) { try store.commit(DeviceTransition(records: [record(bytes: 21)])) }
    #expect(try store.record(id) == record(bytes: 20))
    try store.commit(DeviceTransition(records: [record(bytes: 1)]))
  }

  private func revision(_ number: Int64) -> DeviceTransition {
    DeviceTransition(values: [ValueChange(.revision, .integer(number))])
  }

  @Test func `faults are met one commit after the other`() throws {
    var store = MemoryDeviceStore()
    store.faults = [.nothing, .beforeCommit(failure), .afterCommit(failure)]
    try store.commit(revision(1))
    #expect(throws: failure) { try store.commit(revision(2)) }
    #expect(try store.values() == [.revision: .integer(1)])
    #expect(throws: failure) { try store.commit(revision(3)) }
    try store.commit(revision(4))
    #expect(store.commitCount == 3)
  }

  @Test func `a disk that is full refuses every commit and is still read`() throws {
    var store = MemoryDeviceStore()
    try store.commit(revision(1))
    store.isFull = true
    let error = #expect(throws: StoreError.self) { try store.commit(DeviceTransition(erasure: .everything)) }
    #expect(error?.kind == .full)
    #expect(try store.values() == [.revision: .integer(1)])
    store.isFull = false
    try store.commit(revision(2))
  }

  @Test func `a broken disk fails every read`() throws {
    var store = MemoryDeviceStore()
    store.readError = failure
    let reads: [(MemoryDeviceStore) throws -> Void] = [
      { _ = try $0.values() }, { _ = try $0.zones() }, { _ = try $0.record(self.id("R")) },
      { _ = try $0.contains(self.id("R")) },
      { _ = try $0.records(ofType: "Item") }, { _ = try $0.records(in: self.zone, metBefore: 0) },
      { _ = try $0.pending(in: nil, after: 0, limit: 1) }, { _ = try $0.quarantined(limit: 1) },
      { _ = try $0.census() }, { _ = try $0.waiting() }, { _ = try $0.isKnown(notificationID: "n") },
      { _ = try $0.conflicts(limit: 1) },
      { _ = try $0.traces(limit: 1) },
    ]
    for read in reads { #expect(throws: failure) { try read(store) } }
    store.readError = nil
    for read in reads { try read(store) }
  }

  // MARK: Processes that end

  @Test(arguments: 0...3)
  func `a store that halts after some commits keeps those, and refuses the rest until it is opened again`(
    count: Int
  ) throws {
    var store = MemoryDeviceStore()
    store.haltsAfterCommits = count
    for number in 1...3 {
      if number <= count {
        try store.commit(revision(Int64(number)))
      } else {
        #expect(throws: StoreError.self) { try store.commit(revision(Int64(number))) }
      }
      #expect(store.isHalted == (number >= count))
    }
    #expect(throws: StoreError.self) { try store.values() }
    store.restart()
    #expect(try store.values()[.revision] == (count == 0 ? nil : .integer(Int64(count))))
    #expect(store.commitCount == count)
  }

  @Test func `a store that halts before a commit can be read until that is asked for`() throws {
    var store = MemoryDeviceStore()
    store.haltsBeforeCommit = 2
    try store.commit(revision(1))
    #expect(try store.values() == [.revision: .integer(1)])
    #expect(throws: StoreError.self) { try store.commit(revision(2)) }
    #expect(store.isHalted)
    #expect(throws: StoreError.self) { try store.values() }
    store.restart()
    try store.commit(revision(3))
    #expect(try store.values() == [.revision: .integer(3)])
  }

  @Test func `a commit that fails is not one that the halt counts`() throws {
    var store = MemoryDeviceStore()
    store.faults = [.beforeCommit(failure)]
    store.haltsAfterCommits = 1
    #expect(throws: failure) { try store.commit(revision(1)) }
    try store.commit(revision(2))
    #expect(store.isHalted)
  }

  // MARK: Power cuts

  @Test(arguments: 0...3)
  func `a power cut keeps what was synced and a first part of the rest`(count: Int) throws {
    var store = MemoryDeviceStore()
    store.losesUnsyncedCommits = true
    try store.commit(revision(10))
    store.sync()
    for number in 11...13 { try store.commit(revision(Int64(number))) }
    #expect(store.unsyncedCommits == 3)
    store.powerCut(keeping: count)
    #expect(try store.values() == [.revision: .integer(Int64(10 + count))])
    #expect(store.unsyncedCommits == 0)
    store.powerCut(keeping: 0)
    #expect(try store.values() == [.revision: .integer(Int64(10 + count))], "what survived one cut survives the next")
  }

  @Test func `where every commit is durable a power cut takes nothing`() throws {
    var store = MemoryDeviceStore()
    try store.commit(revision(1))
    #expect(store.unsyncedCommits == 0)
    store.powerCut(keeping: 0)
    #expect(try store.values() == [.revision: .integer(1)])
    store.losesUnsyncedCommits = true
    try store.commit(revision(2))
    store.losesUnsyncedCommits = false
    store.powerCut(keeping: 0)
    #expect(try store.values() == [.revision: .integer(2)])
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `after any power cut the store is as if the lost commits never were`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var store = MemoryDeviceStore()
    store.losesUnsyncedCommits = true
    store.capacity = 400
    var kept: [DeviceTransition] = []
    var fragile: [DeviceTransition] = []
    for number in 1...60 as ClosedRange<Int64> {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        store.sync()
        kept += fragile
        fragile = []
      case 1:
        let count = Int.random(in: 0...fragile.count, using: &generator)
        store.powerCut(keeping: count)
        kept += fragile.prefix(count)
        fragile = []
      default:
        let transition = randomTransition(number, using: &generator)
        if (try? store.commit(transition)) != nil { fragile.append(transition) }
      }
    }
    var expected = MemoryDeviceStore()
    for transition in kept + fragile { try expected.commit(transition) }
    #expect(try content(of: store) == content(of: expected))
    #expect(try fieldBytes(of: store) <= 400)
    #expect(try store.pending(in: nil, after: 0, limit: .max) == pendingByHand(store))
    #expect(try store.census() == censusByHand(store))
    #expect(try store.waiting() == waitingByHand(store))
    for fullFetch in 0...3 as ClosedRange<Int64> {
      let unmet = try all(of: store).filter { $0.recordID.zoneID == zone && $0.fullFetch < fullFetch }
      #expect(try store.records(in: zone, metBefore: fullFetch) == unmet)
    }
  }

  private let zone = ZoneID(zoneName: "Z")

  private func id(_ name: Name, in zoneID: ZoneID? = nil) -> RecordID {
    RecordID(recordName: name, zoneID: zoneID ?? zone)
  }

  private func randomTransition(_ number: Int64, using generator: inout SplitMix64) -> DeviceTransition {
    let zones = [zone, ZoneID(zoneName: "Y")]
    func recordID() -> RecordID {
      id(Name("R\(Int.random(in: 0..<6, using: &generator))"), in: zones.randomElement(using: &generator))
    }
    var transition = DeviceTransition(values: [ValueChange(.revision, .integer(number))])
    switch Int.random(in: 0..<20, using: &generator) {
    case 0: transition.erasure = [.recordsAndZones, .allButJournal, .everything].randomElement(using: &generator)!
    case 1: transition.removedZones = [zones.randomElement(using: &generator)!]
    case 2...5: transition.removedRecords = [recordID(), recordID()]
    default: break
    }
    var record = LocalRecord(recordID: recordID(), recordType: number % 3 == 0 ? "Else" : "Item", local: nil)
    record.revision = number
    record.fullFetch = Int64.random(in: 0..<3, using: &generator)
    if Bool.random(using: &generator) {
      record.local = RecordContent(
        fields: EncodedFields(canonical: [UInt8](repeating: 0x61, count: Int.random(in: 0..<80, using: &generator))))
    }
    if Bool.random(using: &generator) { record.pendingSince = WallTime(milliseconds: 1000 - number) }
    if Int.random(in: 0..<4, using: &generator) == 0 { record.quarantine = .refused("poison") }
    transition.records = [record]
    transition.notifications = [
      SeenNotification(notificationID: "n\(number % 20)", receivedAt: WallTime(milliseconds: number))
    ]
    transition.bounds = DeviceTransition.Bounds(
      notifications: 8, notificationsSince: WallTime(milliseconds: number - 12), conflicts: 3, traces: 3)
    return transition
  }

  /// All that can be read of a store.
  private func content(of store: MemoryDeviceStore) throws -> [String] {
    [
      "\(try store.values().map { "\($0.key) \($0.value)" }.sorted())", "\(try store.zones())",
      "\(try all(of: store))", "\(try store.pending(in: nil, after: 0, limit: .max))",
      "\(try store.quarantined(limit: .max))", "\(try store.census())", "\(try store.waiting())",
      "\(try (0..<20).filter { try store.isKnown(notificationID: "n\($0)") })",
    ]
  }

  private func all(of store: MemoryDeviceStore) throws -> [LocalRecord] {
    try [ZoneID(zoneName: "Y"), zone].flatMap { try store.records(in: $0, metBefore: .max) }
  }

  private func fieldBytes(of store: MemoryDeviceStore) throws -> Int {
    try all(of: store).reduce(0) { $0 + ($1.local?.fields.utf8.count ?? 0) }
  }

  private func pendingByHand(_ store: MemoryDeviceStore) throws -> [LocalRecord] {
    try all(of: store).filter { $0.pendingSince != nil && $0.quarantine == nil }.sorted { $0.revision < $1.revision }
  }

  private func waitingByHand(_ store: MemoryDeviceStore) throws -> [DeviceCensus.Waiting] {
    let records = try all(of: store)
    return (["Else", "Item"] as [Name]).compactMap { recordType in
      let count = records.count { $0.recordType == recordType && $0.pendingSince != nil && $0.quarantine == nil }
      return count > 0 ? DeviceCensus.Waiting(recordType: recordType, count: count) : nil
    }
  }

  private func censusByHand(_ store: MemoryDeviceStore) throws -> DeviceCensus {
    let records = try all(of: store)
    var census = DeviceCensus()
    for zoneID in [ZoneID(zoneName: "Y"), zone] {
      for recordType in ["Else", "Item"] as [Name] {
        let count = records.count {
          $0.recordID.zoneID == zoneID && $0.recordType == recordType && $0.local != nil
        }
        if count > 0 {
          census.counts.append(DeviceCensus.Count(zoneID: zoneID, recordType: recordType, count: count))
        }
      }
    }
    census.pending = records.count { $0.pendingSince != nil }
    census.oldestPendingAt = records.compactMap(\.pendingSince).min()
    census.quarantined = records.count { $0.quarantine != nil }
    return census
  }
}
