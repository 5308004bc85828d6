import Testing
import ZoneKitRecords
import ZoneKitScenarios

@Suite struct PushFaultTests {
  @Test func `faults are used up in their order, one that is for every push when all are removed`() {
    var faults = PushFaultQueue()
    let delay = PushFault.delay(TimeSpan(milliseconds: 7))
    faults.add(.drop, .next(2))
    faults.add(.swap, .next(0))
    faults.add(delay, .every)
    #expect((0..<4).map { _ in faults.next() } == [.drop, .drop, delay, delay])
    faults.removeAll()
    #expect(faults.next() == nil)
    #expect(faults.isEmpty)
  }

  @Test func `a push without its ID is pruned only where it was too large`() {
    var push = PushNotification(subject: .database, notificationID: "n-1")
    push.subscriptionID = "db"
    let faults = [PushFault.withoutID, .prune, .misaddress, .duplicate]
    let altered = faults.map { $0.altered(push) }
    #expect(altered.map(\.notificationID) == [nil, nil, "n-1", "n-1"])
    #expect(altered.map(\.isPruned) == [false, true, false, false])
    #expect(altered.map { $0.subscriptionID == "db" } == [true, true, false, true])
  }
}
