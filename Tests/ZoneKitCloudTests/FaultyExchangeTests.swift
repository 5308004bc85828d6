import ZoneKitRecords
import Testing
import ZoneKitCloud

@Suite struct `a request that a fault hits` {
  let full = CloudError(.quotaExceeded, "the cloud is full")
  let loud = Subscription(subscriptionID: "db", kind: .database, notificationInfo: .silent)

  @Test func `saves nothing where the cloud is full, and deletes all the same`() {
    var cloud = FaultyCloud(.withNotes(), Fault(.refuseItems(full), on: FaultScope(.saveRecords)))
    _ = cloud.cloud.modify([.create("a"), .create("b")])
    #expect(
      cloud.modify([.create("c"), .delete("a"), .create("d"), .delete("b")]) == [
        .quotaExceeded, nil, .quotaExceeded, nil,
      ])
    #expect(cloud.cloud.header?.recordCount == 0)
  }

  @Test func `leaves one poison record out, and answers in the order of what was asked`() throws {
    let scope = FaultScope(.modifyRecords, recordNames: ["b"])
    var cloud = FaultyCloud(.withNotes(), Fault(.refuseItems(CloudError(.internalError, "poison")), on: scope))
    #expect(cloud.modify([.create("a"), .create("b"), .create("c")]) == [nil, .internalError, nil])
    #expect(cloud.modify([.create("b"), .delete("none")]) == [.internalError, .unknownItem])
    #expect(try cloud.cloud.changes().names == ["a", "c"])
  }

  @Test func `carries out nothing of an atomic batch, and the other records get an error too`() {
    let scope = FaultScope(.saveRecords, recordNames: ["b"])
    var cloud = FaultyCloud(.withNotes(), Fault(.refuseItems(full), on: scope))
    let batch = ModifyRecords(zoneID: cloud.cloud.notes, operations: [.create("a"), .create("b")], isAtomic: true)
    guard case .atomicFailure(let results) = cloud.ask(.modifyRecords(batch)) else {
      Issue.record("not an atomic failure")
      return
    }
    #expect(results.map { $0.error?.code } == [.batchRequestFailed, .quotaExceeded])
    #expect(results[1] == .failed("b", full))
    #expect(cloud.cloud.header?.recordCount == 0)
  }

  @Test func `gets the error of a missing zone before those of its records`() {
    var cloud = FaultyCloud(TestCloud(), Fault(.refuseItems(full)))
    #expect(cloud.modify([.create("a")]) == [.zoneNotFound])
    #expect(cloud.modify([.create("a")], isAtomic: true) == [.zoneNotFound])
  }

  @Test(arguments: [CloudErrorCode.changeTokenExpired, .zoneNotFound, .userDeletedZone])
  func `is refused for one zone of several`(code: CloudErrorCode) {
    var cloud = FaultyCloud(
      .withNotes(),
      Fault(.refuseItems(CloudError(code, "made up")), on: FaultScope(.fetchZoneChanges, zoneName: "Notes")))
    let other = ZoneID(zoneName: "Other")
    _ = cloud.cloud.ask(.modifyZones([.create(other)]))
    let queries = [cloud.cloud.notes, other].map { ZoneChangesQuery(zoneID: $0, token: nil) }
    guard case .zoneChanges(let results) = cloud.ask(.fetchZoneChanges(queries)) else {
      Issue.record("no changes")
      return
    }
    let own = ZoneID(zoneName: "Notes")
    #expect(results[0] == .failed(own, CloudError(code, "made up")))
    #expect(results[1].changes?.zoneID.zoneName == "Other")
  }

  @Test func `is refused as a whole where it has no items`() {
    var cloud = FaultyCloud(.withNotes(), Fault(.refuseItems(full), on: FaultScope(.fetchDatabaseChanges)))
    #expect(cloud.ask(.fetchDatabaseChanges(since: nil, limit: 10)) == .failure(full))
  }

  @Test func `is lost before or after it is done`() {
    var cloud = FaultyCloud(.withNotes(), Fault(.loseRequest, times: 1), Fault(.loseAnswer, times: 1))
    #expect(cloud.modify([.create("a")]) == [])
    #expect(cloud.cloud.tag(of: "a") == nil)
    #expect(cloud.modify([.create("a")]) == [])
    #expect(cloud.cloud.tag(of: "a") != nil)
    #expect(cloud.modify([.create("a")]) == [.serverRecordChanged])
  }

  @Test func `is done twice, and the second answer counts`() {
    var cloud = FaultyCloud(.withNotes(), Fault(.repeatRequest, times: 1))
    #expect(cloud.modify([.create("a")]) == [.serverRecordChanged])
    #expect(cloud.cloud.header?.sequence == 1)
  }

  @Test func `of a feed is always answered with its own token`() {
    var cloud = FaultyCloud(.withNotes(), Fault(.stuckToken, times: 3))
    let first = cloud.changes()?.changes
    #expect(first?.token == ChangeToken("") && first?.moreComing == true)
    #expect(cloud.changes(since: first?.token)?.changes?.token == first?.token)
    guard case .databaseChanges(let changes) = cloud.ask(.fetchDatabaseChanges(since: nil, limit: 10)) else {
      Issue.record("no changes")
      return
    }
    #expect(changes.token == ChangeToken("") && changes.moreComing && changes.zones.count == 1)
    let last = cloud.changes()?.changes
    #expect(last?.moreComing == false)
    #expect(cloud.changes(since: last?.token)?.changes?.token == last?.token)
  }

  @Test func `of the database's feed is answered with a zone that does not exist`() {
    var cloud = FaultyCloud(.withNotes(), Fault(.listZone("Ghost"), times: 1))
    guard case .databaseChanges(let changes) = cloud.ask(.fetchDatabaseChanges(since: nil, limit: 10)),
      case .changed(let ghost, _) = changes.zones[1]
    else {
      Issue.record("no ghost")
      return
    }
    let query = ZoneChangesQuery(zoneID: ghost, token: nil)
    guard case .zoneChanges(let results) = cloud.ask(.fetchZoneChanges([query])) else { return }
    #expect(ghost.zoneName == "Ghost" && results[0].error?.code == .zoneNotFound)
  }

  @Test func `of a zone's feed misses records, or has them twice`() {
    let scope = FaultScope(.fetchZoneChanges, recordNames: ["b"])
    var cloud = FaultyCloud(.withNotes(), Fault(.omitRecords, on: scope, times: 1), Fault(.doubleRecords, on: scope))
    _ = cloud.cloud.modify([.create("a"), .create("b"), .create("c")])
    cloud.plan.remove(2)
    #expect(cloud.changes()?.changes?.names == ["a", "c"])
    cloud.plan.add(Fault(.doubleRecords, on: scope))
    #expect(cloud.changes()?.changes?.names == ["a", "b", "b", "c"])
  }

  @Test func `saves a subscription that the cloud then has not`() {
    var cloud = FaultyCloud(.withNotes(), Fault(.forgetSubscriptions, times: 1))
    #expect(
      cloud.ask(.modifySubscriptions([.delete("none"), .create(loud)]))
        == .subscriptions([
          .failed("none", CloudError(.unknownItem, "did not find subscription none in the private database")),
          .subscription(loud),
        ]))
    #expect(cloud.ask(.listSubscriptions) == .subscriptions([]))
  }

  @Test func `saves a subscription that wakes nobody`() {
    var cloud = FaultyCloud(.withNotes(), Fault(.muteSubscriptions))
    var mute = loud
    mute.notificationInfo = NotificationInfo()
    #expect(cloud.ask(.modifySubscriptions([.create(loud)])) == .subscriptions([.subscription(mute)]))
    #expect(cloud.ask(.listSubscriptions) == .subscriptions([.subscription(mute)]))
  }

  @Test func `is refused a subscription as a duplicate, while deleting one goes on`() {
    let duplicate = CloudError(.serverRejectedRequest, "subscription is a duplicate of another")
    var cloud = FaultyCloud(.withNotes(), Fault(.refuseItems(duplicate), on: FaultScope(.saveSubscriptions)))
    _ = cloud.cloud.ask(.modifySubscriptions([.create(loud)]))
    #expect(
      cloud.ask(.modifySubscriptions([.create(loud), .delete("db")]))
        == .subscriptions([.failed("db", duplicate), .deleted("db")]))
  }
}
