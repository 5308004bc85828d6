import ZoneKitRecords
import Testing
import ZoneKitCloud

@Suite struct `a fault plan` {
  let busy = CloudError(.zoneBusy, "made up", retryAfterMilliseconds: 3000)

  @Test func `without faults lets everything pass and draws nothing`() {
    var cloud = FaultyCloud()
    let dice = cloud.dice
    #expect(cloud.verdict(.listZones) == .pass)
    #expect(cloud.dice == dice)
  }

  @Test func `hits after some and so many times, and counts`() {
    var cloud = FaultyCloud(.withNotes(), Fault(.refuse(busy), on: FaultScope(.listZones), after: 2, times: 3))
    let answers = (0..<7).map { _ in cloud.ask(.listZones) == .failure(busy) }
    #expect(answers == [false, false, true, true, true, false, false])
    #expect(cloud.plan.entries.map(\.hits) == [3])
    #expect(cloud.plan.entries.map(\.passed) == [2])
  }

  @Test func `hits about as often as its probability, and the same requests for the same seed`() {
    func hits() -> [Bool] {
      var cloud = FaultyCloud(TestCloud(), Fault(.refuse(busy), perMille: 250))
      return (0..<4000).map { _ in cloud.verdict(.listZones) != .pass }
    }
    #expect(hits() == hits())
    #expect((800...1200).contains(hits().count { $0 }))
  }

  @Test func `draws only where the odds are not even`() {
    var cloud = FaultyCloud(TestCloud(), Fault(.refuse(busy)))
    let dice = cloud.dice
    _ = cloud.verdict(.listZones)
    #expect(cloud.dice == dice)
  }

  @Test func `gives every fault a number, and forgets those that are removed`() {
    var plan = FaultPlan()
    let first = plan.add(Fault(.loseAnswer))
    let second = plan.add(Fault(.loseRequest))
    plan.remove(first)
    let third = plan.add(Fault(.loseAnswer))
    #expect([first, second, third] == [1, 2, 3])
    #expect(plan.entries.map(\.id) == [2, 3])
    plan.removeAll()
    #expect(plan.entries.isEmpty)
  }

  @Test func `is limited to one user, device or database`() {
    let scopes = [
      FaultScope(user: "nanny"), FaultScope(deviceID: "d1"), FaultScope(databaseScope: .private), FaultScope(user: "x"),
      FaultScope(deviceID: "d2"), FaultScope(databaseScope: .shared), FaultScope(.createZones),
      FaultScope(.listZones, zoneName: "Notes"),
    ]
    let hits = scopes.map { scope in
      var cloud = FaultyCloud(TestCloud(), Fault(.loseAnswer, on: scope))
      return cloud.verdict(.listZones) != .pass
    }
    #expect(hits == [true, true, true, false, false, false, false, false])
  }

  @Test func `is limited to a zone, a record or a kind of operation`() {
    let request = CloudRequest.modifyRecords(
      ModifyRecords(zoneID: ZoneID(zoneName: "Notes"), operations: [.create("a"), .delete("b")], isAtomic: false))
    let scopes = [
      FaultScope(zoneName: "Notes"), FaultScope(.modifyRecords, recordNames: ["b"]),
      FaultScope(.saveRecords, recordNames: ["a"]), FaultScope(.deleteRecords), FaultScope(zoneName: "notes"),
      FaultScope(.saveRecords, recordNames: ["b"]), FaultScope(.lookupRecords), FaultScope(itemsAbove: 1),
      FaultScope(itemsAbove: 2),
    ]
    let hits = scopes.map { scope in
      var cloud = FaultyCloud(TestCloud(), Fault(.loseAnswer, on: scope))
      return cloud.verdict(request) != .pass
    }
    #expect(hits == [true, true, true, true, false, false, false, true, false])
  }

  @Test(arguments: CloudErrorCode.allCases)
  func `refuses a whole request with any error, and nothing is done`(code: CloudErrorCode) {
    let error = CloudError(code, "made up", retryAfterMilliseconds: 1500)
    var cloud = FaultyCloud(.withNotes(), Fault(.refuse(error), on: FaultScope(.saveRecords)))
    #expect(
      cloud.ask(.modifyRecords(ModifyRecords(zoneID: cloud.cloud.notes, operations: [.create("a")], isAtomic: false)))
        == .failure(error))
    #expect(cloud.cloud.tag(of: "a") == nil)
  }

  @Test func `makes several faults of one request, up to the one that ends it`() {
    var cloud = FaultyCloud(
      .withNotes(), Fault(.delayAnswer(milliseconds: 20)), Fault(.delayAnswer(milliseconds: 30)),
      Fault(.refuse(busy)), Fault(.loseAnswer))
    guard case .faulty(let exchange) = cloud.verdict(.listZones) else {
      Issue.record("passed")
      return
    }
    #expect(exchange.faults == [1, 2, 3])
    #expect(exchange.delayMilliseconds == 50)
    #expect(exchange.request == nil && exchange.answer(to: nil) == .failure(busy))
    #expect(cloud.plan.entries.map(\.hits) == [1, 1, 1, 0])
  }

  @Test func `does not spend a fault on a request that it can do nothing to`() {
    let feeds: [FaultAction] = [
      .staleFeed(milliseconds: 5), .stuckToken, .listZone("Ghost"), .omitRecords, .doubleRecords, .forgetSubscriptions,
      .muteSubscriptions,
    ]
    for action in feeds {
      var cloud = FaultyCloud(.withNotes(), Fault(action, times: 1))
      _ = cloud.ask(.listZones)
      _ = cloud.ask(.modifySubscriptions([.delete("none")]))
      #expect(cloud.plan.entries.map(\.hits) == [0])
    }
  }
}
