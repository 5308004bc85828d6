import Testing
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitTables

@Suite struct `the checker of photos` {
  private let record = RecordID(recordName: "persons/1", zoneID: ZoneID(zoneName: "SwissCoin"))
  private let photo = PhotoName(hash: String(repeating: "a", count: 32))

  @Test func `knows a photo that was given until it is named or removed or the store is replaced`() {
    var checker = PhotoChecker()
    checker.gave(photo, to: record, on: 0)
    checker.gave(photo, to: record, on: 1)
    #expect(checker.open(on: 0).map(\.record) == [record])
    checker.settled(record, on: 0)
    #expect(checker.open(on: 0).isEmpty)
    #expect(checker.open(on: 1).map(\.photo) == [photo])
    checker.gave(nil, to: record, on: 1)
    #expect(checker.open(on: 1).isEmpty)
    checker.gave(photo, to: record, on: 1)
    checker.forget(1)
    #expect(checker.open(on: 1).isEmpty)
  }

  @Test func `lets a photo go with its row when a purge removes that`() {
    var checker = PhotoChecker()
    let other = RecordID(recordName: "persons/2", zoneID: record.zoneID)
    for record in [record, other] { for device in 0...1 { checker.gave(photo, to: record, on: device) } }
    checker.purge(rows: [record])
    for device in 0...1 { #expect(checker.open(on: device).map(\.record) == [other]) }
  }

  @Test(arguments: [(400, true), (413, true), (401, false), (408, false), (429, false), (503, false)])
  func `lets a device set a photo aside only after a refusal for good`(status: Int, isAllowed: Bool) {
    var checker = PhotoChecker()
    #expect(!checker.maySetAside(record, on: 0))
    checker.answered(.refused(ServiceRefusal(status, code: "x", "no")), to: record, on: 0)
    #expect(checker.maySetAside(record, on: 0) == isAllowed)
    checker.gave(photo, to: record, on: 0)
    #expect(!checker.maySetAside(record, on: 0))
  }
}
