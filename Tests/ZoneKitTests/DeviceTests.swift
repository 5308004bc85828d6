import Testing
import ZoneKit

/// What can be done to a device, and that it comes back from it.
struct DeviceTests {
  private let world: World
  private let anna: Device
  private let ben: Device

  init() throws {
    world = try worldWithBread()
    (anna, ben) = (world["Anna"], world["Ben"])
  }

  @Test func `records are saved, changed, listed and deleted`() throws {
    try anna.save("milk", ["title": "Milk", "amount": 2, "price": 1.5])
    try anna.change("milk") { $0["amount"] = 3 }
    try anna.save("list", type: "List", ["title": "Saturday"])
    #expect(anna.record("milk")?["amount"]?.number == 3)
    #expect(anna.record("milk")?["title"]?.text == "Milk")
    let stamp = try #require(anna.record("milk")?["changedAt"]?.time)
    #expect(anna.now <= stamp, "each stamp is later than the one that it replaces")
    #expect(anna.records().keys.map(\.recordName).sorted() == ["bread", "milk"])
    #expect(anna.records(ofType: "List").count == 1)
    try world.expectConvergence()
    try ben.delete("milk")
    try world.expectConvergence()
    #expect(anna.record("milk") == nil)
    #expect(world.cloud.records().count == 2)
    try world.expectNoLostEdits()
  }

  @Test func `a device that moves to another time zone has its day, also after a restart`() throws {
    #expect(anna.today == "2027-01-15")
    #expect(anna.timeZone == .utc)
    anna.move(to: try TimeZoneRules(name: "Pacific/Kiritimati", posix: "<+14>-14"))
    anna.setClock(ahead: .hours(3))
    anna.restart()
    #expect(anna.today == "2027-01-16")
    #expect(ben.today == "2027-01-15")
  }

  @Test func `a device that was killed goes on where it was`() throws {
    try anna.save("milk", ["title": "Milk"])
    anna.kill()
    #expect(!anna.isRunning)
    #expect(throws: StoreError.self) { try anna.save("tea", ["title": "Tea"]) }
    anna.start()
    try world.expectConvergence()
    #expect(ben.record("milk") != nil)
  }

  @Test(arguments: 1...12) func `a death at any step loses nothing`(step: Int) throws {
    ben.kill(at: .step(step))
    try anna.save("milk", ["title": "Milk"])
    try ben.save("tea", ["title": "Tea"])
    world.wait(.seconds(2))
    ben.start()
    try world.expectConvergence()
    #expect(anna.record("tea") != nil || ben.record("tea") == nil)
  }

  @Test func `a death at a named point comes there`() throws {
    ben.kill(at: .effect("pageMerged"))
    try anna.save("milk", ["title": "Milk"])
    #expect(world.run(until: { !ben.isRunning }, atMost: .seconds(5)))
    ben.restart()
    try world.expectConvergence()
  }

  @Test func `a power cut takes what was not synced`() throws {
    try world.expectConvergence()
    ben.setDiskLosesUnsynced(true)
    ben.syncDisk()
    ben.goOffline()
    try ben.save("tea", ["title": "Tea"])
    ben.cutPower()
    ben.start()
    #expect(ben.record("tea") == nil)
    #expect(ben.record("bread") != nil)
    ben.goOnline()
    try world.expectConvergence()
    try world.expectNoLostEdits()
  }

  @Test func `a forced quit and low power keep pushes away`() throws {
    ben.forceQuit()
    try anna.save("milk", ["title": "Milk"])
    world.wait(.minutes(1))
    #expect(!ben.isRunning)
    ben.comeToForeground()
    try world.expectConvergence()
    ben.goToBackground()
    ben.setLowPower(true)
    world.wait(.minutes(5))
    try anna.save("tea", ["title": "Tea"])
    world.wait(.minutes(5))
    #expect(ben.record("tea") == nil)
    ben.setLowPower(false)
    ben.comeToForeground()
    try world.expectConvergence()
  }

  @Test func `a link that is cut one way is found out by nobody, and heals`() throws {
    ben.link.up.isCut = true
    try ben.save("tea", ["title": "Tea"])
    world.wait(.seconds(30))
    #expect(anna.record("tea") == nil)
    #expect(ben.link.up.isCut && !ben.link.down.isCut)
    ben.link = Link()
    try world.expectConvergence(within: .minutes(5))
    #expect(anna.record("tea") != nil)
  }

  @Test(arguments: [.duplicate, .delay(.seconds(30)), .swap, .prune, .misaddress] as [PushFault])
  func `a disturbed push leads to the truth in the end`(fault: PushFault) throws {
    ben.disturbPushes(fault, next: nil)
    try anna.save("milk", ["title": "Milk"])
    world.wait(.seconds(40))
    ben.stopDisturbingPushes()
    try anna.save("tea", ["title": "Tea"])
    try world.expectConvergence()
    ben.replayPush()
    try world.expectRest()
  }

  @Test func `a clock that is wrong orders edits as they were seen`() throws {
    ben.setClock(ahead: .hours(-2))
    ben.setClockDrift(partsPerMillion: 100)
    #expect(ben.now < world.now)
    try ben.change("bread") { $0["title"] = "Rye bread" }
    try world.expectConvergence()
    #expect(anna.record("bread")?["title"] == "Rye bread")
  }

  @Test func `another account sees nothing of the first one`() throws {
    try world.expectConvergence()
    ben.signIn("otto")
    try world.expectConvergence()
    #expect(ben.records().isEmpty)
    ben.signOut()
    #expect(ben.account == nil)
    ben.signIn("user")
    try world.expectConvergence()
    #expect(ben.record("bread") != nil)
  }

  @Test func `a failing disk is reported to the app, and its device catches up`() throws {
    anna.failCommits()
    #expect(throws: StoreError.self) { try anna.save("milk", ["title": "Milk"]) }
    #expect(anna.record("milk") == nil)
    anna.setDiskFull(true)
    #expect(throws: StoreError.self) { try anna.save("milk", ["title": "Milk"]) }
    anna.setDiskFull(false)
    anna.failCommitsAfterKeeping()
    #expect(throws: StoreError.self) { try anna.save("tea", ["title": "Tea"]) }
    anna.restart()
    try world.expectConvergence()
  }

  @Test func `a reset device and a restored backup fill up again`() throws {
    ben.reset(.local(keepingPending: false))
    #expect(ben.records().isEmpty)
    try world.expectConvergence()
    #expect(ben.record("bread") != nil)
    let twin = world.addDevice("Cleo")
    twin.restoreBackup(of: ben)
    try twin.save("tea", ["title": "Tea"])
    try world.expectConvergence()
    try world.expectNoLostEdits()
  }

  @Test func `a conflict is in the journal of both`() throws {
    ben.goOffline()
    try anna.change("bread") { $0["title"] = "Rye" }
    try ben.change("bread") { $0["title"] = "Wheat" }
    ben.goOnline()
    try world.expectConvergence()
    #expect(try anna.conflicts().map(\.rule) == ["bought"])
    #expect(try ben.conflicts().map(\.rule) == ["bought"])
    #expect(ben.requestCount > 0)
  }
}
