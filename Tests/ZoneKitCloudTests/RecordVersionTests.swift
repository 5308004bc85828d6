import Testing
import ZoneKitCloud
import ZoneKitRecords
import ZoneKitMemoryStores

@Suite struct `the version of a record` {
  private func versions(_ cloud: inout TestCloud) throws -> [Name: Int64] {
    let key = ZoneKey(database: cloud.database, zoneName: "Notes")
    let page = try cloud.server.store.feed(
      FeedQuery(position: 0, isReversed: false, limit: 100, recordTypes: nil), in: key
    ).page
    return Dictionary(uniqueKeysWithValues: page.rows.map { (Name(page.text($0.name)), $0.version) })
  }

  @Test func `counts the saves of each record, over its deletion too`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify([.create("a"), .create("b")])
    _ = cloud.modify([RecordOperation(.forceUpdate, recordName: "a")])
    #expect(try versions(&cloud) == ["a": 2, "b": 1])
    _ = cloud.modify([RecordOperation(.forceDelete, recordName: "a")])
    #expect(try versions(&cloud) == ["a": 2, "b": 1], "a tombstone keeps the number")
    _ = cloud.modify([.create("a")])
    #expect(try versions(&cloud) == ["a": 3, "b": 1])
  }

  @Test func `counts each save of one turn`() throws {
    var cloud = TestCloud.withNotes()
    for _ in 1...3 {
      cloud.receive(
        .modifyRecords(
          ModifyRecords(
            zoneID: cloud.notes, operations: [RecordOperation(.forceReplace, recordName: "a", recordType: "Note")],
            isAtomic: false)))
    }
    _ = cloud.endTurn()
    #expect(try versions(&cloud) == ["a": 3])
  }
}
