import ZoneKitRecords
import Testing
import ZoneKitCloud

@Suite struct `the cloud's habits` {
  private let loud = Subscription(subscriptionID: "db", kind: .database, notificationInfo: .silent)

  private func cloud(_ change: (inout Limits) -> Void) -> TestCloud {
    var cloud = TestCloud.withNotes()
    change(&cloud.server.limits)
    return cloud
  }

  private func listed(_ cloud: inout TestCloud, since token: ChangeToken?) -> DatabaseChanges? {
    guard case .databaseChanges(let changes) = cloud.ask(.fetchDatabaseChanges(since: token, limit: 10)) else {
      return nil
    }
    return changes
  }

  @Test func `can keep a commit from feeds for a while, tombstones too, and nothing is lost`() throws {
    var cloud = cloud { $0.visibleDelay = 2000 }
    _ = cloud.modify([.create("a"), .create("z")])
    cloud.now.milliseconds += 1999
    _ = cloud.modify([.create("b"), .delete("z")])
    let nothing = try cloud.changes()
    #expect(nothing.names == [] && !nothing.moreComing)
    cloud.now.milliseconds += 1
    let first = try cloud.changes(since: nothing.token)
    #expect(first.names == ["a"] && !first.moreComing)
    let still = try cloud.changes(since: first.token)
    #expect(still.names == [] && still.token == first.token)
    #expect(try cloud.changes(isReversed: true).names == ["a"])
    cloud.now.milliseconds += 1999
    #expect(try cloud.changes(since: first.token).names == ["b", "z"])
    #expect(cloud.tag(of: "b") != nil)
  }

  @Test func `list a zone with a young commit again and again until it is visible`() throws {
    var cloud = cloud { $0.visibleDelay = 2000 }
    let before = try #require(listed(&cloud, since: nil))
    #expect(before.zones.count == 1 && !before.moreComing)
    #expect(listed(&cloud, since: before.token) == before, "the token stays in front of the zone")
    cloud.now.milliseconds += 2000
    let after = try #require(listed(&cloud, since: before.token))
    #expect(after.zones.count == 1)
    #expect(listed(&cloud, since: after.token) == DatabaseChanges(zones: [], token: after.token, moreComing: false))
    _ = cloud.modify([.create("a")])
    #expect(listed(&cloud, since: after.token)?.token == after.token)
    cloud.now.milliseconds += 2000
    #expect(listed(&cloud, since: after.token)?.zones.count == 1)
    #expect(listed(&cloud, since: after.token)?.token != after.token)
  }

  @Test func `can keep a commit from the feed of one request`() {
    var cloud = FaultyCloud(.withNotes(), Fault(.staleFeed(milliseconds: 500), times: 1))
    _ = cloud.cloud.modify([.create("a")])
    #expect(cloud.changes()?.changes?.names == [])
    #expect(cloud.changes()?.changes?.names == ["a"])
  }

  @Test(arguments: Limits.FirstFetchTombstones.allCases)
  func `can keep tombstones from those who start from nothing`(habit: Limits.FirstFetchTombstones) throws {
    var cloud = cloud { $0.firstFetchTombstones = habit }
    _ = cloud.modify([.create("own"), .create("kept")])
    let token = try cloud.changes().token
    cloud.caller = Caller(user: "nanny", deviceID: "d2")
    _ = cloud.modify([.create("foreign")])
    _ = cloud.modify([.delete("own"), .delete("foreign")])
    cloud.caller = Caller(user: "nanny", deviceID: "d1")
    let shown: [Name] =
      switch habit {
      case .none: ["kept"]
      case .ownCreated: ["kept", "own"]
      case .all: ["kept", "own", "foreign"]
      }
    #expect(try cloud.changes().names == shown)
    #expect(try cloud.changes(isReversed: true).names == shown.reversed())
    #expect(try cloud.changes(since: token).names == ["own", "foreign"])
  }

  @Test func `keep no tombstone of a record that was deleted while the first fetch went on`() throws {
    var cloud = cloud { $0.firstFetchTombstones = .none }
    _ = cloud.modify([.create("a"), .create("b"), .create("c")])
    _ = cloud.modify([.delete("c")])
    let first = try cloud.changes(limit: 1)
    #expect(first.names == ["a"] && first.moreComing)
    _ = cloud.modify([.delete("a")])
    let rest = try cloud.changes(since: first.token)
    #expect(rest.names == ["b", "a"] && !rest.moreComing)
    _ = cloud.modify([.delete("b")])
    #expect(try cloud.changes(since: rest.token).names == ["b"])
  }

  @Test func `refuse a token of a first fetch that was cut off`() throws {
    var cloud = cloud { $0.firstFetchTombstones = .none }
    _ = cloud.modify([.create("a"), .create("b")])
    let token = try cloud.changes(limit: 1).token
    #expect(token.text.utf8.count == 44)
    let error = #expect(throws: CloudError.self) {
      try cloud.changes(since: ChangeToken(String(token.text.dropLast(4))))
    }
    #expect(error?.code == .invalidArguments)
  }

  @Test func `can take a while until a subscription fires`() {
    var cloud = cloud { $0.subscriptionIndexDelay = 2000 }
    func fired() -> [String] {
      cloud.effects(of: .modifyZones([.create(ZoneID(zoneName: Name("Z\(cloud.now.milliseconds)")))]))
        .notices.flatMap { $0.subscriptions.map(\.subscriptionID) }
    }
    _ = cloud.ask(.modifySubscriptions([.create(loud)]))
    cloud.now.milliseconds += 1999
    #expect(fired() == [])
    cloud.now.milliseconds += 1
    #expect(fired() == ["db"])
  }

  @Test func `can refuse a second subscription of the same content, but not the same one again`() {
    var cloud = cloud { $0.duplicateSubscriptionError = .serverRejectedRequest }
    var second = loud
    second.subscriptionID = "second"
    let duplicate = CloudError(.serverRejectedRequest, "subscription is a duplicate of db")
    #expect(
      cloud.ask(.modifySubscriptions([.create(loud), .create(loud), .create(second), .delete("db"), .create(second)]))
        == .subscriptions([
          .subscription(loud), .replaced(loud), .failed("second", duplicate), .deleted("db"),
          .subscription(second),
        ]))
  }
}
