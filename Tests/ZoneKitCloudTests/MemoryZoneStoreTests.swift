import ZoneKitRecords
import ZoneKitMemoryStores
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

  /// A cloud whose zone `Notes` has the records a, b and c, saved one after the other.
  private func threeNotes() -> TestCloud {
    var cloud = TestCloud.withNotes()
    for name in ["a", "b", "c"] as [Name] { _ = cloud.perform(.create(name)) }
    return cloud
  }

  private func names(_ cloud: inout TestCloud) throws -> [Name] {
    try cloud.changes().page.changes.map(\.recordName)
  }

  private func key(_ cloud: TestCloud) -> ZoneKey { ZoneKey(database: cloud.database, zoneName: "Notes") }

  @Test func `loses the last commits of a zone, but not the zone`() throws {
    var cloud = threeNotes()
    let late = try cloud.changes().token
    cloud.server.store.loseCommits(2, of: key(cloud), using: &cloud.generator)
    #expect(try names(&cloud) == ["a"])
    let header = try #require(try cloud.server.store.zone(key(cloud)))
    #expect(header.isAfterLoss && header.sequence == 3 && header.recordCount == 1)
    let error = #expect(throws: CloudError.self) { try cloud.changes(since: late) }
    #expect(error?.code == .changeTokenExpired && error?.isAfterLoss == true)
    cloud.server.store.loseCommits(9, of: key(cloud), using: &cloud.generator)
    #expect(try cloud.server.store.zone(key(cloud)) == header, "what was lost cannot be lost again")
  }

  @Test func `serves an earlier copy of a zone in a new incarnation`() throws {
    var cloud = threeNotes()
    let copy = try #require(cloud.server.store.copy(of: key(cloud)))
    let token = try cloud.changes().token
    cloud.server.store.restore(copy, as: key(cloud), using: &cloud.generator)
    #expect(try cloud.server.store.zone(key(cloud))?.isAfterLoss == false, "nothing is lost")
    _ = cloud.perform(.create("d"))
    cloud.server.store.restore(copy, as: key(cloud), using: &cloud.generator)
    #expect(try names(&cloud) == ["a", "b", "c"])
    #expect(throws: CloudError.self) { try cloud.changes(since: token) }
    _ = cloud.perform(.create("e"))
    let tag = cloud.tag(of: "e")
    #expect(tag == ChangeTag(sequence: 5), "no tag is used twice")
  }

  @Test func `does not serve a damaged record until it is repaired`() throws {
    var cloud = threeNotes()
    let key = key(cloud)
    let damaged = ["z", "b"].map { cloud.server.store.damage($0, in: key) }
    #expect(damaged == [false, true])
    guard case .failure(let error) = cloud.ask(.fetchZoneChanges([ZoneChangesQuery(zoneID: cloud.notes, token: nil)]))
    else {
      Issue.record("a damaged record is served")
      return
    }
    #expect(error.code == .zoneBusy && error.retryAfterMilliseconds != nil)
    let other = cloud.record("a")
    #expect(other != nil)
    #expect(cloud.server.store.damagedZones == [key])
    cloud.server.store.repair(key, using: &cloud.generator)
    #expect(try names(&cloud) == ["a", "c"])
    #expect(try cloud.server.store.zone(key)?.isAfterLoss == true)
  }

  @Test func `names the records that a zone may have lost`() throws {
    var cloud = threeNotes()
    _ = cloud.perform(.delete("a"))
    _ = cloud.perform(.create("d"))
    cloud.server.store.loseCommits(1, of: key(cloud), using: &cloud.generator)
    let names = ["a", "d"] as [Name]
    let updates = names.map {
      RecordOperation(.update, recordName: $0, recordType: "Note", changeTag: ChangeTag(sequence: 5))
    }
    #expect(cloud.modify(updates).map { $0.error?.isAfterLoss } == [false, true])
    guard case .records(let found) = cloud.ask(.lookupRecords(zoneID: cloud.notes, recordNames: names)) else { return }
    #expect(found.map { $0.error?.isAfterLoss } == [false, true])
  }
}
