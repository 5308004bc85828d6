import ZoneKitRecords
import Testing

/// How records and zones are named to people.
struct RecordIDTests {
  @Test func `a record is named with its zone, and with the owner only where that is somebody else`() {
    let zone = ZoneID(zoneName: "Items")
    #expect(zone.words == "Items")
    #expect(RecordID(recordName: "i1", zoneID: zone).words == "Items/i1")
    let shared = ZoneID(zoneName: "Items", owner: .user("_mum"))
    #expect(shared.words == "Items of owner _mum")
    #expect(RecordID(recordName: "i1", zoneID: shared).words == "Items/i1 of owner _mum")
  }
}
