import Records
import Simulator
import StoreConformance
import SyncCoordinator
import Testing

@Suite struct MemoryDeviceStoreTests {
  @Test(arguments: DeviceStoreConformance<MemoryDeviceStore>.checkNames)
  func `the store passes the shared suite`(check: String) throws {
    let suite = DeviceStoreConformance(makeEmpty: { MemoryDeviceStore() }, reopen: { $0 })
    try suite.run(check)
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
}
