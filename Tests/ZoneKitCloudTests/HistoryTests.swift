import Testing
import ZoneKitRecords
import ZoneKitMemoryStores

@testable import ZoneKitCloud

/// A cloud that goes on from an older copy of everything it has stored.
struct HistoryTests {
  /// A cloud with ten records, and a copy of its store.
  private static func copied() -> (TestCloud, MemoryZoneStore) {
    var cloud = TestCloud.withNotes()
    save(1...10, in: &cloud)
    return (cloud, cloud.server.store)
  }

  private static func save(_ numbers: ClosedRange<Int>, in cloud: inout TestCloud, prefix: String = "n") {
    for number in numbers {
      cloud.now = cloud.now.advanced(byMilliseconds: 10)
      _ = cloud.perform(RecordOperation(.forceUpdate, recordName: Name("\(prefix)-\(number)"), recordType: "Note"))
    }
  }

  private static func restart(_ cloud: inout TestCloud, from copy: MemoryZoneStore? = nil) {
    var store = cloud.server.store
    if let copy { store.restore(copy) } else { store.crash() }
    cloud.server = ZoneServer(store: store)
  }

  private static func changes(
    since token: ChangeToken?, isReversed: Bool = false, limit: Int = 200, acknowledged: [ChangeTag] = [],
    in cloud: inout TestCloud
  ) -> ZoneChangesResult? {
    let query = ZoneChangesQuery(
      zoneID: cloud.notes, token: token, limit: limit, isReversed: isReversed, acknowledged: acknowledged)
    guard case .zoneChanges(let results) = cloud.ask(.fetchZoneChanges([query])) else { return nil }
    return results.first
  }

  /// The token at the end of the zone's feed, which may have several pages.
  private static func token(in cloud: inout TestCloud) throws -> ChangeToken {
    var token: ChangeToken?
    while true {
      guard case .changes(let page) = changes(since: token, in: &cloud) else {
        throw CloudError(.internalError, "no page")
      }
      guard page.moreComing else { return page.token }
      token = page.token
    }
  }

  private static func databaseChanges(since token: ChangeToken?, in cloud: inout TestCloud) -> CloudResponse {
    cloud.ask(.fetchDatabaseChanges(since: token, limit: 200))
  }

  @Test func `takes the token that a run gave out before it changed a record`() throws {
    var cloud = Self.copied().0
    _ = cloud.ask(.modifyZones([.delete(cloud.notes)]))
    Self.restart(&cloud)
    _ = cloud.ask(.modifyZones([.create(cloud.notes)]))
    let token = try Self.token(in: &cloud)
    for _ in 1...2 {
      guard case .changes? = Self.changes(since: token, in: &cloud) else {
        Issue.record("the token is refused")
        return
      }
      Self.save(11...11, in: &cloud)
    }
  }

  @Test func `refuses the tokens of what it lacks, at once and after it has grown beyond them`() throws {
    var (cloud, copy) = Self.copied()
    let early = try Self.token(in: &cloud)
    Self.save(11...20, in: &cloud)
    let late = try Self.token(in: &cloud)
    Self.restart(&cloud, from: copy)
    for count in [0, 15] {
      if count > 0 { Self.save(1...count, in: &cloud, prefix: "o") }
      guard case .failed(_, let error) = Self.changes(since: late, in: &cloud) else {
        Issue.record("the token was accepted after \(count) changes")
        return
      }
      #expect(error.code == .changeTokenExpired && error.isAfterLoss)
    }
    guard case .changes(let page) = Self.changes(since: early, in: &cloud) else {
      Issue.record("the token of a common state was refused")
      return
    }
    #expect(page.page.changes.map(\.recordName) == (1...15).map { Name("o-\($0)") })
  }

  @Test func `refuses the token of a client whose confirmed save or deletion it lost`() throws {
    var (cloud, copy) = Self.copied()
    let early = try Self.token(in: &cloud)
    let known = cloud.tag(of: "n-5")
    Self.save(11...11, in: &cloud)
    let confirmed = cloud.tag(of: "n-11")
    let (kept, saved) = (try #require(known), try #require(confirmed))
    guard case .deleted(_, let deleted?) = cloud.perform(RecordOperation(.forceDelete, recordName: "n-3")) else {
      Issue.record("the deletion has no tag")
      return
    }
    guard case .changes = Self.changes(since: early, acknowledged: [kept, saved, deleted], in: &cloud) else {
      Issue.record("the cloud has all of them")
      return
    }
    Self.restart(&cloud, from: copy)
    for count in [0, 15] {
      if count > 0 { Self.save(1...count, in: &cloud, prefix: "o") }
      for lost in [saved, deleted] {
        guard case .failed(_, let error) = Self.changes(since: early, acknowledged: [kept, lost], in: &cloud) else {
          Issue.record("the token was accepted after \(count) changes")
          return
        }
        #expect(error.code == .changeTokenExpired && error.isAfterLoss)
      }
    }
    guard case .changes = Self.changes(since: early, acknowledged: [kept], in: &cloud) else {
      Issue.record("the change is older than the copy")
      return
    }
  }

  @Test func `refuses the tokens of its database that know more`() throws {
    var (cloud, copy) = Self.copied()
    func token(_ response: CloudResponse) throws -> ChangeToken {
      guard case .databaseChanges(let changes) = response else { throw CloudError(.internalError, "\(response)") }
      return changes.token
    }
    let early = try token(Self.databaseChanges(since: nil, in: &cloud))
    copy = cloud.server.store
    Self.save(11...20, in: &cloud)
    let late = try token(Self.databaseChanges(since: nil, in: &cloud))
    Self.restart(&cloud, from: copy)
    Self.save(1...15, in: &cloud, prefix: "o")
    guard case .failure(let error) = Self.databaseChanges(since: late, in: &cloud) else {
      Issue.record("the token was accepted")
      return
    }
    #expect(error.code == .changeTokenExpired)
    #expect(throws: Never.self) { try token(Self.databaseChanges(since: early, in: &cloud)) }
  }

  @Test func `gives no version the tag of one that was lost`() throws {
    var (cloud, copy) = Self.copied()
    Self.save(11...20, in: &cloud)
    Self.save(5...5, in: &cloud)
    let (lost, unknown) = (cloud.tag(of: "n-5"), cloud.tag(of: "n-20"))
    #expect(lost != nil && unknown != nil)
    Self.restart(&cloud, from: copy)
    Self.save(1...10, in: &cloud, prefix: "o")
    Self.save(5...5, in: &cloud)
    let refused = cloud.perform(RecordOperation(.update, recordName: "n-5", changeTag: lost))
    #expect(refused.error?.code == .serverRecordChanged)
    let missing = cloud.perform(RecordOperation(.update, recordName: "n-20", changeTag: unknown))
    #expect(missing.error?.code == .unknownItem)
    #expect(missing.error?.isAfterLoss == true, "the client knows a version that the zone never had")
  }

  @Test func `accepts every token of its own past, however often it was started`() throws {
    var (cloud, _) = Self.copied()
    var tokens: [ChangeToken] = []
    for number in 1...NumberGap.limit - 1 {
      tokens.append(try Self.token(in: &cloud))
      Self.restart(&cloud)
      Self.save(number...number, in: &cloud, prefix: "o")
    }
    for (index, token) in tokens.enumerated() {
      guard case .changes(let page) = Self.changes(since: token, in: &cloud) else {
        Issue.record("token \(index) was refused")
        continue
      }
      #expect(page.page.rows.count == tokens.count - index)
    }
    let zone = ZoneKey(database: cloud.database, zoneName: "Notes")
    let header = try cloud.server.store.zone(zone)
    for number in 200...250 {
      Self.restart(&cloud)
      Self.save(number...number, in: &cloud, prefix: "o")
    }
    let later = try cloud.server.store.zone(zone)
    #expect(header?.gaps.count == NumberGap.limit - 1 && later?.gaps.count == NumberGap.limit)
    #expect(later?.databaseGaps.count == NumberGap.limit)
    guard case .failed(_, let error) = Self.changes(since: tokens[3], in: &cloud) else {
      Issue.record("a token from before the runs that are known one by one was accepted")
      return
    }
    #expect(error.code == .changeTokenExpired)
  }

  @Test func `goes on with a reading in reverse across runs`() throws {
    var (cloud, _) = Self.copied()
    guard case .changes(let first) = Self.changes(since: nil, isReversed: true, limit: 3, in: &cloud) else {
      Issue.record("no page")
      return
    }
    Self.restart(&cloud)
    Self.save(1...3, in: &cloud, prefix: "o")
    for (token, expected) in [(first.token, ["n-7", "n-6", "n-5"])] {
      guard case .changes(let page) = Self.changes(since: token, isReversed: true, limit: 3, in: &cloud) else {
        Issue.record("the token was refused")
        continue
      }
      #expect(page.page.changes.map(\.recordName.text) == expected)
    }
    guard case .changes(let newest) = Self.changes(since: nil, isReversed: true, limit: 3, in: &cloud),
      case .changes(let next) = Self.changes(since: newest.token, isReversed: true, limit: 2, in: &cloud)
    else {
      Issue.record("no page")
      return
    }
    #expect(next.page.changes.map(\.recordName.text) == ["n-10", "n-9"])
  }
}
