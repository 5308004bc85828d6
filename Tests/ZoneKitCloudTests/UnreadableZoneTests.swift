import ZoneKitRecords
import Testing
import ZoneKitCloud

@Suite struct `a zone that cannot be read` {
  private let other = ZoneID(zoneName: "Other")
  private let error = StoreError(.corrupt, "malformed (11)", place: "Notes.zone")
  private var wanted: CloudError {
    CloudError(
      .zoneBusy, "the store is damaged: Notes.zone: malformed (11) (corrupt)",
      retryAfterMilliseconds: 10_000)
  }

  /// A cloud with the zones `Notes`, which cannot be read, and `Other`.
  private func damagedCloud() -> TestCloud {
    var cloud = TestCloud.withNotes()
    _ = cloud.ask(.modifyZones([.create(other)]))
    _ = cloud.perform(.create("a"))
    cloud.server.store.damage = [ZoneKey(database: cloud.database, zoneName: "Notes"): error]
    return cloud
  }

  private func zoneID(_ zone: ChangedZone) -> ZoneID {
    switch zone {
    case .changed(let id, token: _), .deleted(let id, _): id
    }
  }

  private func batch(_ name: Name, in zone: ZoneID) -> CloudRequest {
    .modifyRecords(ModifyRecords(zoneID: zone, operations: [.create(name)], isAtomic: true))
  }

  @Test func `answers every request to it with the error and a time to try again`() {
    var cloud = damagedCloud()
    let requests: [CloudRequest] = [
      batch("b", in: cloud.notes), .lookupRecords(zoneID: cloud.notes, recordNames: ["a"]),
      .lookupZones([cloud.notes]), .fetchZoneChanges([ZoneChangesQuery(zoneID: cloud.notes, token: nil)]),
      .modifyZones([.delete(cloud.notes)]),
    ]
    for request in requests { #expect(cloud.ask(request) == .failure(wanted)) }
  }

  @Test func `does not hinder requests to others, not even in the same request`() {
    var cloud = damagedCloud()
    guard case .records(let saved) = cloud.ask(batch("b", in: other)) else {
      Issue.record("another answer")
      return
    }
    #expect(saved.map(\.error) == [nil])
    guard case .zones(let zones) = cloud.ask(.lookupZones([cloud.notes, other])) else {
      Issue.record("another answer")
      return
    }
    #expect(zones.first == .failed(cloud.notes, wanted))
    guard case .zone? = zones.last else {
      Issue.record("another answer")
      return
    }
    let queries = [cloud.notes, other].map { ZoneChangesQuery(zoneID: $0, token: nil) }
    guard case .zoneChanges(let changes) = cloud.ask(.fetchZoneChanges(queries)) else {
      Issue.record("another answer")
      return
    }
    #expect(changes.first == .failed(cloud.notes, wanted))
    guard case .changes(let page)? = changes.last else {
      Issue.record("another answer")
      return
    }
    #expect(page.page.count == 1)
  }

  @Test func `stays in the lists of zones`() {
    var cloud = damagedCloud()
    guard case .zones(let zones) = cloud.ask(.listZones) else {
      Issue.record("another answer")
      return
    }
    #expect(zones.contains(.zone(Zone(zoneID: cloud.notes, token: nil, isAtomic: true))))
    #expect(zones.count == 3)
  }

  @Test func `is listed as changed to every device that has not seen its last change`() throws {
    var cloud = damagedCloud()
    guard case .databaseChanges(let all) = cloud.ask(.fetchDatabaseChanges(since: nil, limit: 10)) else {
      Issue.record("another answer")
      return
    }
    #expect(all.zones.map(zoneID) == [other, cloud.notes])
    guard case .databaseChanges(let none) = cloud.ask(.fetchDatabaseChanges(since: all.token, limit: 10)) else {
      Issue.record("another answer")
      return
    }
    #expect(none.zones == [])
  }

  @Test func `is a finding in the status of its database`() {
    #expect(damagedCloud().server.status(of: TestCloud().database).findings == [.unreadable("Notes", error)])
  }
}

@Suite struct `the mark of a zone` {
  private func header(_ incarnation: UInt64, _ sequence: Int64, _ position: Int64) -> ZoneHeader {
    ZoneHeader(
      zoneName: "Notes", incarnation: incarnation, sequence: sequence, databaseSequence: position,
      at: WallTime(milliseconds: 0))
  }

  private let mark = ZoneMark(
    incarnation: 7, sequence: 5, databaseSequence: 9, isDeleted: false, time: WallTime(milliseconds: 0))

  @Test func `is reached by a zone that lost nothing`() {
    #expect(mark.isReached(by: header(7, 5, 9)))
    #expect(mark.isReached(by: header(7, 6, 10)))
  }

  @Test func `is not reached by a zone that is behind or of another incarnation`() {
    #expect(!mark.isReached(by: header(7, 4, 9)))
    #expect(!mark.isReached(by: header(7, 5, 8)))
    #expect(!mark.isReached(by: header(8, 5, 9)))
  }

  @Test func `makes the zone refuse earlier tokens and use no change tag again`() {
    var generator = SplitMix64(seed: 1)
    var old = header(7, 3, 4)
    old.purges = 2
    old.horizon = 3
    let renewed = mark.renewed(old, databaseSequence: 12, using: &generator)
    #expect(renewed.incarnation != 7 && renewed.isAfterLoss)
    #expect((renewed.sequence, renewed.databaseSequence, renewed.purges, renewed.horizon) == (5, 12, 0, 0))
  }
}
