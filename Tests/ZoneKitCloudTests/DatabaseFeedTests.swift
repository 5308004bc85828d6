import ZoneKitRecords
import Testing
import ZoneKitCloud

@Suite struct `the database feed` {
  private func changes(_ cloud: inout TestCloud, since token: ChangeToken? = nil, limit: Int = 200) throws
    -> DatabaseChanges
  {
    switch cloud.ask(.fetchDatabaseChanges(since: token, limit: limit)) {
    case .databaseChanges(let changes): return changes
    case .failure(let error): throw error
    default: throw CloudError(.internalError, "not the answer to a fetch of database changes")
    }
  }

  private func name(_ zone: ChangedZone) -> Name {
    switch zone {
    case .changed(let id, _), .deleted(let id, _): id.zoneName
    }
  }

  private func zones(_ cloud: inout TestCloud, _ names: [Name]) {
    _ = cloud.ask(.modifyZones(names.map { .create(ZoneID(zoneName: $0)) }))
  }

  @Test func `lists custom zones once, in the order of their last change`() throws {
    var cloud = TestCloud.withNotes()
    zones(&cloud, ["A", "B"])
    _ = cloud.ask(.modifyRecords(ModifyRecords(zoneID: .defaultZone, operations: [.create("x")], isAtomic: false)))
    let all = try changes(&cloud)
    #expect(all.zones.map(name) == ["Notes", "A", "B"] && !all.moreComing)
    _ = cloud.perform(.create("a"))
    _ = cloud.perform(.create("b"))
    let news = try changes(&cloud, since: all.token)
    #expect(news.zones.map(name) == ["Notes"])
    #expect(try changes(&cloud).zones.map(name) == ["A", "B", "Notes"])
    let zone = news.zones[0]
    let token = try cloud.changes().token
    #expect(zone == .changed(ZoneID(zoneName: "Notes"), token: token))
    let end = try changes(&cloud, since: news.token)
    #expect(end == DatabaseChanges(zones: [], token: news.token, moreComing: false))
  }

  @Test func `comes in pages of any size`() throws {
    var cloud = TestCloud()
    zones(&cloud, (0..<7).map { Name("z\($0)") })
    for limit in [-1, 1, 2, 3, 7, 1000] {
      var found: [Name] = []
      var token: ChangeToken?
      while true {
        let page = try changes(&cloud, since: token, limit: limit)
        #expect(page.zones.count <= max(limit, 1))
        found += page.zones.map(name)
        token = page.token
        guard page.moreComing else { break }
      }
      #expect(found == (0..<7).map { Name("z\($0)") })
    }
  }

  @Test func `lists deleted zones until the token is past them`() throws {
    var cloud = TestCloud.withNotes()
    zones(&cloud, ["A"])
    let token = try changes(&cloud).token
    _ = cloud.ask(.modifyZones([.delete(cloud.notes)]))
    let owned = ZoneID(zoneName: "Notes")
    let news = try changes(&cloud, since: token)
    #expect(news.zones == [.deleted(owned, ZoneEnding(.deleted, at: cloud.now))])
    #expect(try changes(&cloud).zones.map(name) == ["A", "Notes"])
    #expect(try changes(&cloud, since: news.token).zones == [])
    _ = cloud.ask(.modifyZones([.create(cloud.notes)]))
    guard case .changed(owned, _) = try changes(&cloud, since: news.token).zones[0] else {
      Issue.record("the zone that was created again is not told")
      return
    }
  }

  @Test func `of a new database is stable, and goes on from its first token`() throws {
    var cloud = TestCloud()
    let first = try changes(&cloud)
    #expect(first.zones == [] && !first.moreComing)
    #expect(try changes(&cloud) == first)
    #expect(try changes(&cloud, since: first.token) == first)
    zones(&cloud, ["A"])
    #expect(try changes(&cloud, since: first.token).zones.count == 1)
    #expect(try changes(&cloud, since: ChangeToken("")).zones.count == 1)
  }

  @Test func `takes no token of another database, of the future, or of a zone`() throws {
    var cloud = TestCloud.withNotes()
    let empty = try changes(&cloud).token
    let store = cloud.server.store
    _ = cloud.perform(.create("a"))
    let token = try changes(&cloud).token
    var other = TestCloud.withNotes(seed: 2)
    _ = try changes(&other)
    var restored = cloud
    restored.server = ZoneServer(store: store)
    #expect(throws: CloudError.self) { try changes(&other, since: empty) }
    #expect(code { try changes(&other, since: empty) } == .changeTokenExpired)
    #expect(code { try changes(&restored, since: token) } == .changeTokenExpired)
    #expect(try changes(&restored, since: empty).zones == [])
    let ofZone = try cloud.changes().token
    #expect(code { try changes(&cloud, since: ofZone) } == .invalidArguments)
    #expect(code { try changes(&cloud, since: ChangeToken(String(token.text.dropLast()))) } == .invalidArguments)
  }

  private func code(_ work: () throws -> DatabaseChanges) -> CloudErrorCode? {
    do {
      _ = try work()
      return nil
    } catch {
      return (error as? CloudError)?.code
    }
  }
}
