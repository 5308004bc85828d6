import Testing
import ZoneKitCloud
import ZoneKitPush
import ZoneKitRecords

@testable import ZoneKitCloudProcess

@Suite struct `the registrations of push tokens` {
  @Test func `let a change of another device reach a connected one in the turn of the commit`() {
    var test = TestProcess()
    _ = test.ask(.modifyZones([.create(TestProcess.notes)]))
    let subscription = Subscription(subscriptionID: "all", kind: .database, notificationInfo: .silent)
    _ = test.ask(.modifySubscriptions([.create(subscription)]))
    _ = test.ask(TestProcess.register("t-A", of: "A"))
    _ = test.connect("t-A")
    test.call(TestProcess.save("own"), from: "A")
    let own = test.endTurn().pushed
    #expect(own == [], "a device gets no push of its own changes")
    test.call(TestProcess.save("other"), from: "B")
    let other = test.endTurn().pushed
    #expect(other == [PushGateway.ConnectionID(1)])
  }

  @Test func `are restored by the next process over the store`() throws {
    var test = TestProcess()
    _ = test.ask(TestProcess.register("t-A"))
    var next = TestProcess(over: test.process.zones.store)
    #expect(!next.welcomes("t-A"))
    _ = try next.process.restoreRegistrations(at: next.now)
    #expect(next.welcomes("t-A"))
  }

  @Test func `of a database that cannot be read are restored when it can, and not asked for in every turn`() {
    var test = TestProcess()
    _ = test.ask(TestProcess.register("t-A"))
    var next = TestProcess(over: test.process.zones.store)
    next.process.restoring.databases = [TestProcess.database]
    next.process.zones.store.readError = StoreError(.failed, "test", place: "the disk")
    _ = next.endTurn()
    next.process.zones.store.readError = nil
    next.milliseconds += 999
    _ = next.endTurn()
    #expect(!next.welcomes("t-A"))
    next.milliseconds += 1
    _ = next.endTurn()
    #expect(next.welcomes("t-A"))
  }

  @Test func `of a device's older tokens leave the store with the turn, if the policy retires them`() throws {
    var test = TestProcess(PushGateway.Policy(retiresReplacedTokens: true))
    _ = test.ask(TestProcess.register("t-2"))
    _ = test.ask(TestProcess.register("t-1"))
    #expect(test.storedTokens() == ["t-1"])
    var next = TestProcess(over: test.process.zones.store)
    _ = try next.process.restoreRegistrations(at: next.now)
    #expect(!next.welcomes("t-2"))
    #expect(next.welcomes("t-1"))
  }

  @Test func `of an account beyond the limit leave the store too, the oldest ones first`() {
    var test = TestProcess()
    for number in 0...PushGateway.tokensPerAccount {
      _ = test.ask(TestProcess.register("t-\(number)", of: "device \(number)"))
    }
    #expect(test.storedTokens().count == PushGateway.tokensPerAccount)
    #expect(!test.storedTokens().contains("t-0"))
  }

  @Test func `of another account's token are refused and change nothing`() {
    var test = TestProcess()
    _ = test.ask(TestProcess.register("t-A"))
    guard case .failure(let error)? = test.ask(TestProcess.register("t-A"), of: "mum") else {
      return #expect(Bool(false), "the token belongs to nanny")
    }
    #expect(error.code == .permissionFailure)
    #expect(test.storedTokens(of: "mum") == [])
    guard case .pushToken? = test.ask(TestProcess.register("t-A")) else {
      return #expect(Bool(false), "the token is nanny's")
    }
  }

  @Test func `are not restored from a store whose databases cannot be listed`() {
    var test = TestProcess()
    test.process.zones.store.readError = StoreError(.corrupt, "test", place: "the disk")
    #expect(throws: StoreError.self) { try Self.restored(test) }
  }

  private static func restored(_ test: TestProcess) throws(StoreError) -> TestProcess {
    var test = test
    _ = try test.process.restoreRegistrations(at: test.now)
    return test
  }
}
