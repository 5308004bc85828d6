import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitStoreConformance
import Testing
import ZoneKitCloud

@Suite struct `the store in memory` {
  @Test(arguments: ZoneStoreConformance.allCases)
  func `does what every store must`(check: ZoneStoreConformance) throws {
    let violations = try check.violations(
      make: { MemoryZoneStore() },
      reopen: { store in
        var crashed = store
        crashed.crash()
        return crashed
      },
      failNextCommit: { store, place in
        store.failNextCommit(of: place, with: StoreError(.full, "no space left", place: "memory"))
      })
    #expect(violations == [])
  }

  @Test func `keeps the feed of records that change again and again`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.perform(.create("still"))
    for _ in 0..<100 { _ = cloud.modify([RecordOperation(.forceReplace, recordName: "busy", recordType: "Note")]) }
    #expect(try cloud.changes().page.changes.map(\.recordName) == ["still", "busy"])
    #expect(try cloud.changes(limit: 1).page.changes.map(\.recordName) == ["still"])
  }
}
