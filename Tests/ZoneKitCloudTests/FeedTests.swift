import ZoneKitRecords
import Testing
import ZoneKitCloud

@Suite struct `the zone feed` {
  @Test func `gives everything without a token, tombstones included, and nothing new at its end`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify([.create("a"), .create("b"), .create("c"), .delete("a")].dropLast())
    _ = cloud.modify([.delete("a")])
    let all = try cloud.changes()
    #expect(all.page.changes.map(\.recordName) == ["b", "c", "a"])
    #expect(all.page.changes.last == .deleted(recordName: "a", changeTag: ChangeTag(sequence: 4)))
    #expect(!all.moreComing)
    #expect(all.zoneID == ZoneID(zoneName: "Notes"))
    let end = try cloud.changes(since: all.token)
    #expect(end.page.count == 0 && end.token == all.token && !end.moreComing)
    #expect(try cloud.changes(since: ChangeToken("")) == all)
  }

  @Test func `of an empty zone ends where it begins`() throws {
    var cloud = TestCloud.withNotes()
    let start = try cloud.changes()
    #expect(start.page.count == 0 && !start.moreComing)
    _ = cloud.perform(.create("a"))
    #expect(try cloud.changes(since: start.token).page.count == 1)
  }

  @Test(arguments: [(0, 1), (1, 1), (199, 199), (200, 200), (201, 200), (.max, 200), (.min, 1)])
  func `clamps the limit to 1 ... 200`(limit: Int, count: Int) throws {
    var cloud = TestCloud.withNotes()
    for part in 0..<2 { _ = cloud.modify((0..<101).map { .create(Name("n\(part)-\($0)")) }) }
    var query = ZoneChangesQuery(zoneID: cloud.notes, token: nil)
    query.limit = limit
    guard case .zoneChanges(let results) = cloud.ask(.fetchZoneChanges([query])), case .changes(let page) = results[0]
    else {
      Issue.record("no page")
      return
    }
    #expect(page.page.count == count && page.moreComing)
  }

  @Test func `goes backwards by a token that remembers it`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify(["a", "b", "c", "d", "e"].map { .create(Name($0)) })
    let first = try cloud.changes(limit: 2, isReversed: true)
    #expect(first.page.changes.map(\.recordName) == ["e", "d"] && first.moreComing)
    let second = try cloud.changes(since: first.token, limit: 2)
    #expect(second.page.changes.map(\.recordName) == ["c", "b"] && second.moreComing)
    _ = cloud.perform(.create("f"))
    let third = try cloud.changes(since: second.token, limit: 2, isReversed: true)
    #expect(third.page.changes.map(\.recordName) == ["a"] && !third.moreComing)
    let end = try cloud.changes(since: third.token, limit: 2)
    #expect(end.page.count == 0 && end.token == third.token && !end.moreComing)
    let forwards = try cloud.changes(limit: 1).token
    #expect(try cloud.changes(since: forwards, limit: 1, isReversed: true).page.changes.map(\.recordName) == ["b"])
    cloud = TestCloud.withNotes()
    let empty = try cloud.changes(isReversed: true)
    #expect(try cloud.changes(since: empty.token).token == empty.token)
  }

  @Test func `of some types lets tombstones through, and its end is the feed's`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify([.create("a"), .create("b", type: "List"), .create("c"), .create("d", type: "List")])
    _ = cloud.modify([.delete("b"), .create("e", type: "List")])
    let page = try cloud.changes(types: ["Note"])
    #expect(page.page.changes.map(\.recordName) == ["a", "c", "b"])
    #expect(try page.token == cloud.changes().token)
    let first = try cloud.changes(limit: 1, types: ["Note"])
    #expect(first.moreComing)
    #expect(
      try cloud.changes(since: first.token, limit: 2, types: ["Note"]).page.changes.map(\.recordName) == ["c", "b"])
  }

  @Test func `is not there for the default zone and for zones that are not there, each on its own`() {
    var cloud = TestCloud.withNotes()
    let ids = [
      ZoneID.defaultZone, ZoneID(zoneName: "None"), ZoneID(zoneName: "Notes", owner: .user("_x")), cloud.notes,
    ]
    let response = cloud.ask(.fetchZoneChanges(ids.map { ZoneChangesQuery(zoneID: $0, token: nil) }))
    guard case .zoneChanges(let results) = response else {
      Issue.record("\(response)")
      return
    }
    let errors: [CloudError?] = results.map { if case .failed(_, let error) = $0 { error } else { nil } }
    #expect(errors[0] == CloudError(.invalidArguments, "AppDefaultZone does not support getChanges call"))
    #expect(errors.map { $0?.code } == [.invalidArguments, .zoneNotFound, .zoneNotFound, nil])
  }

  @Test func `takes no token of another incarnation, of the future, or of another feed`() throws {
    var cloud = TestCloud.withNotes()
    let store = cloud.server.store
    _ = cloud.perform(.create("a"))
    let token = try cloud.changes().token
    var restored = cloud
    restored.server = ZoneServer(store: store)
    let ahead = #expect(throws: CloudError.self) { try restored.changes(since: token) }
    #expect(ahead?.code == .changeTokenExpired && ahead?.isAfterLoss == true)
    _ = cloud.ask(.modifyZones([.delete(cloud.notes)]))
    #expect(code { try cloud.changes(since: token) } == .zoneNotFound)
    _ = cloud.ask(.modifyZones([.create(cloud.notes)]))
    _ = cloud.perform(.create("a"))
    #expect(code { try cloud.changes(since: token) } == .changeTokenExpired)
    guard case .databaseChanges(let changes) = cloud.ask(.fetchDatabaseChanges(since: nil, limit: 1)) else { return }
    let wanted = CloudError(.invalidArguments, "Unknown sync continuation type")
    #expect(error { try cloud.changes(since: changes.token) } == wanted)
  }

  @Test(arguments: ["garbage", "Z2FyYmFnZQ==", "=", "AAAA", "\u{E9}\u{E9}\u{E9}\u{E9}", "wURjAAAA"])
  func `calls garbage an unknown type`(text: String) {
    var cloud = TestCloud.withNotes()
    let wanted = CloudError(.invalidArguments, "Unknown sync continuation type")
    #expect(error { try cloud.changes(since: ChangeToken(text)) } == wanted)
  }

  @Test func `calls what is cut off or altered an invalid format`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.perform(.create("a"))
    let text = try cloud.changes().token.text
    #expect(text.utf8.count == 32 && Base64.decode(text) != nil)
    let wanted = CloudError(.invalidArguments, "Invalid continuation format")
    for length in 4..<text.utf8.count {
      #expect(error { try cloud.changes(since: ChangeToken(String(text.prefix(length)))) } == wanted)
    }
    for more in ["A", "AAAA"] {
      #expect(error { try cloud.changes(since: ChangeToken(text + more)) } == wanted)
    }
    let bytes = try #require(Base64.decode(text))
    for index in bytes.indices.dropFirst(2) {
      var altered = bytes
      altered[index] ^= 1
      #expect(error { try cloud.changes(since: ChangeToken(Base64.encode(altered))) } == wanted)
    }
  }

  private func error(_ work: () throws -> ZoneChanges) -> CloudError? {
    do {
      _ = try work()
      return nil
    } catch {
      return error as? CloudError
    }
  }

  private func code(_ work: () throws -> ZoneChanges) -> CloudErrorCode? { error(work)?.code }
}
