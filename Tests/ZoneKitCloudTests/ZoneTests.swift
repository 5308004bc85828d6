import ZoneKitRecords
import Testing
import ZoneKitCloud

@Suite struct `zones` {
  let owner = UserRecordName.of(user: "nanny")
  let notes = ZoneID(zoneName: "Notes")

  @Test func `of a new database are the default zone alone`() {
    var cloud = TestCloud()
    let zone = Zone(zoneID: .defaultZone, token: nil, isAtomic: false)
    #expect(cloud.ask(.listZones) == .zones([.zone(zone)]))
    #expect(cloud.ask(.lookupZones([.defaultZone])) == .zones([.zone(zone)]))
    #expect(cloud.ask(.lookupRecords(zoneID: .defaultZone, recordNames: [])) == .records([]))
  }

  @Test func `are created once, however often it is asked, by any spelling of the owner`() throws {
    var cloud = TestCloud()
    let names: [Name] = ["_defaultOwner", "__defaultOwner__", owner]
    let answers = names.map { name in
      cloud.ask(.modifyZones([.create(ZoneID(zoneName: "Notes", owner: ZoneOwner(recordName: name)))]))
    }
    guard case .zones(let results) = answers[0], case .zone(let zone) = results[0] else {
      Issue.record("\(answers)")
      return
    }
    #expect(zone.zoneID == notes && zone.token != nil && zone.isAtomic)
    #expect(answers.allSatisfy { $0 == answers[0] })
    #expect(cloud.server.status(of: cloud.database).state.sequence == 1)
    #expect(cloud.ask(.listZones) == .zones([.zone(defaultZone), .zone(zone)]))
  }

  private var defaultZone: Zone {
    Zone(zoneID: .defaultZone, token: nil, isAtomic: false)
  }

  @Test func `of others are not there`() {
    var cloud = TestCloud.withNotes()
    let foreign = ZoneID(zoneName: "Notes", owner: .user("_somebody"))
    for request in [
      CloudRequest.lookupZones([foreign]), .modifyZones([.create(foreign)]), .modifyZones([.delete(foreign)]),
    ] {
      guard case .zones(let results) = cloud.ask(request), case .failed(foreign, let error) = results[0] else {
        Issue.record("\(request)")
        continue
      }
      #expect(error.code == .zoneNotFound)
    }
  }

  @Test func `are deleted with everything in them, and the sequence goes on in the next of the name`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify([.create("a"), .create("b")])
    let before = try #require(cloud.header)
    #expect(cloud.ask(.modifyZones([.delete(notes)])) == .zones([.deleted(notes)]))
    let deleted = try #require(cloud.header)
    #expect(deleted.isDeleted && deleted.sequence == 2 && deleted.recordCount == 0 && deleted.tombstoneCount == 0)
    #expect(deleted.databaseSequence == before.databaseSequence + 1)
    #expect(cloud.ask(.listZones) == .zones([.zone(defaultZone)]))
    _ = cloud.ask(.modifyZones([.create(notes)]))
    let renewed = try #require(cloud.header)
    #expect(!renewed.isDeleted && renewed.incarnation != before.incarnation && renewed.sequence == 2)
    #expect(cloud.perform(.create("a")).record?.changeTag == ChangeTag(sequence: 3))
    #expect(cloud.record("b") == nil)
  }

  @Test func `are changed one by one, and one that fails leaves the others`() throws {
    var cloud = TestCloud()
    let long = ZoneID(zoneName: Name(String(repeating: "z", count: 256)))
    let ids = [cloud.notes, .defaultZone, long, ZoneID(zoneName: "")]
    let response = cloud.ask(.modifyZones(ids.map { .create($0) } + [.delete(ZoneID(zoneName: "None"))]))
    guard case .zones(let results) = response else {
      Issue.record("\(response)")
      return
    }
    #expect(results.map(code) == [nil, .invalidArguments, .invalidArguments, .invalidArguments, .zoneNotFound])
    guard case .zones(let deleted) = cloud.ask(.modifyZones([.delete(.defaultZone)])) else { return }
    #expect(deleted.map(code) == [.invalidArguments])
  }

  private func code(_ result: ZoneResult) -> CloudErrorCode? {
    if case .failed(_, let error) = result { error.code } else { nil }
  }

  @Test func `come once in a request`() {
    var cloud = TestCloud()
    guard case .failure(let error) = cloud.ask(.modifyZones([.create(cloud.notes), .delete(notes)])) else {
      Issue.record("the same zone twice was taken in")
      return
    }
    #expect(error.code == .invalidArguments)
    #expect(cloud.header == nil)
  }

  @Test func `have their names compared byte by byte`() {
    var cloud = TestCloud()
    let ids = ["\u{E9}", "e\u{301}"].map { ZoneID(zoneName: Name($0)) }
    _ = cloud.ask(.modifyZones(ids.map { .create($0) }))
    guard case .zones(let results) = cloud.ask(.listZones) else { return }
    #expect(results.count == 3)
  }

  @Test func `of a shared database are none where nothing is shared, and it takes no writes`() {
    var cloud = TestCloud()
    cloud.database.scope = .shared
    #expect(cloud.ask(.listZones) == .zones([]))
    let batch = ModifyRecords(zoneID: .defaultZone, operations: [.create("a")], isAtomic: false)
    let refused: [(CloudRequest, CloudErrorCode)] = [
      (.modifyZones([.create(cloud.notes)]), .permissionFailure), (.modifyRecords(batch), .zoneNotFound),
    ]
    for (request, code) in refused {
      guard case .failure(let error) = cloud.ask(request) else {
        Issue.record("\(request)")
        continue
      }
      #expect(error.code == code)
    }
    guard case .databaseChanges(let changes) = cloud.ask(.fetchDatabaseChanges(since: nil, limit: 10)),
      case .zoneChanges(let items) = cloud.ask(.fetchZoneChanges([ZoneChangesQuery(zoneID: cloud.notes, token: nil)])),
      case .failed(_, let error) = items[0]
    else {
      Issue.record("no answer to a fetch in a shared database")
      return
    }
    #expect(changes.zones.isEmpty && !changes.moreComing)
    #expect(error.code == .zoneNotFound)
  }

  @Test func `of the public database are the default zone, without feeds, for everybody`() {
    var cloud = TestCloud()
    cloud.database = DatabaseID(container: "iCloud.a", environment: .development, user: "nanny", scope: .public)
    #expect(cloud.ask(.listZones) == .zones([.zone(defaultZone)]))
    let batch = ModifyRecords(zoneID: .defaultZone, operations: [.create("a")], isAtomic: true)
    guard case .records(let results) = cloud.ask(.modifyRecords(batch)), results[0].record != nil else {
      Issue.record("no record was saved")
      return
    }
    cloud.caller = Caller(user: "other")
    #expect(cloud.ask(.lookupRecords(zoneID: .defaultZone, recordNames: ["a"])) == .records(results))
    let refused: [(CloudRequest, CloudErrorCode)] = [
      (.modifyZones([.create(cloud.notes)]), .invalidArguments),
      (.fetchDatabaseChanges(since: nil, limit: 1), .invalidArguments),
      (.fetchZoneChanges([]), .invalidArguments),
      (.lookupRecords(zoneID: cloud.notes, recordNames: []), .zoneNotFound),
    ]
    for (request, code) in refused {
      guard case .failure(let error) = cloud.ask(request) else {
        Issue.record("\(request)")
        continue
      }
      #expect(error.code == code)
    }
  }

  @Test func `of another user's private database are nobody else's`() {
    var cloud = TestCloud.withNotes()
    cloud.caller = Caller(user: "other")
    guard case .failure(let error) = cloud.ask(.listZones) else {
      Issue.record("another user's zones were listed")
      return
    }
    #expect(error.code == .permissionFailure)
  }

  @Test func `are erased by tombstones, so that no device gets a gap`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify((0..<150).map { .create(Name("a\($0)"), .validate, to: Name("a\($0)")) })
    _ = cloud.modify((0..<150).map { .create(Name("b\($0)")) } + [.delete("a0")])
    let token = try cloud.changes().token
    let effects = cloud.administer(.eraseRecords(cloud.notes))
    guard case .zones(let results) = effects.answers[0], case .zone(let zone) = results[0] else {
      Issue.record("\(effects)")
      return
    }
    #expect(effects.notices.count == 1)
    let header = try #require(cloud.header)
    #expect(header.recordCount == 0 && header.tombstoneCount == 300 && header.sequence == 600)
    let page = try cloud.changes(since: token)
    let rest = try cloud.changes(since: page.token)
    #expect(page.page.count == 200 && rest.page.count == 100 && rest.token == zone.token)
    let again = cloud.administer(.eraseRecords(cloud.notes))
    #expect(again.count == 1 && again.answers == [.zones([.zone(zone)])])
  }
}
