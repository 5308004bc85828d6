import Testing
import ZoneKit

/// What can be done to the cloud, and that devices come back from it.
struct CloudTests {
  private let world: World
  private let anna: Device
  private let ben: Device

  init() throws {
    world = try worldWithBread()
    (anna, ben) = (world["Anna"], world["Ben"])
  }

  @Test(
    arguments: [.zoneBusy, .requestRateLimited, .serviceUnavailable, .internalError, .networkFailure]
      as [CloudErrorCode])
  func `an error that passes is got over`(code: CloudErrorCode) throws {
    world.cloud.answer(.saveRecords, with: code, retryAfter: .seconds(3), next: 2)
    try anna.save("milk", ["title": "Milk"])
    try world.expectConvergence()
    #expect(ben.record("milk") != nil)
    try world.expectNoLostEdits()
  }

  @Test func `a record that is refused for good keeps the others from nothing`() throws {
    world.cloud.refuseItems(with: .invalidArguments, records: ["poison"])
    try anna.edit(
      .save(shopping.id("poison"), type: "Item", fields: ["title": "Poison"], parent: nil, stamping: .now),
      .save(shopping.id("milk"), type: "Item", fields: ["title": "Milk"], parent: nil, stamping: .now))
    world.wait(.minutes(1))
    #expect(ben.record("milk") != nil)
    #expect(try anna.diagnostics().send.quarantined.map(\.recordID.recordName) == ["poison"])
  }

  @Test func `what is lost or late on the way is made good`() throws {
    world.cloud.loseAnswer(.saveRecords)
    world.cloud.loseRequest(.fetchZoneChanges, from: ben)
    world.cloud.delayAnswer(.fetchDatabaseChanges, by: .seconds(5))
    world.cloud.repeatRequest(.saveRecords, next: 2)
    try anna.save("milk", ["title": "Milk"])
    try world.expectConvergence(within: .minutes(5))
    try world.expectNoLostEdits()
    #expect(try anna.conflicts().isEmpty)
  }

  @Test func `a fault for one device leaves the others alone`() throws {
    world.cloud.answer(with: .serviceUnavailable, next: nil, from: ben)
    try anna.save("milk", ["title": "Milk"])
    try world.expectConvergence(of: [anna])
    #expect(throws: ExpectationFailure.self) { try world.expectConvergence(within: .seconds(10)) }
    world.cloud.endFaults()
    try world.expectConvergence(within: .minutes(5))
  }

  @Test(arguments: CloudOperation.allCases) func `a lost request of any kind is made good`(kind: CloudOperation) throws
  {
    let world = World(shopping, devices: ["Anna"])
    world.cloud.loseRequest(kind)
    world["Anna"].sync()
    try world["Anna"].save("milk", ["title": "Milk"])
    try world["Anna"].delete("bread")
    try world.expectConvergence(within: .minutes(5))
    #expect(world.cloud.record("milk") != nil)
  }

  @Test func `a change that is visible late is found without another push`() throws {
    world.cloud.showChangesLate(by: .seconds(1))
    try anna.save("milk", ["title": "Milk"])
    #expect(world.run(until: { ben.record("milk") != nil }, atMost: .seconds(30)))
  }

  @Test func `expired tokens lead to a full fetch`() throws {
    world.cloud.expireTokens()
    try anna.save("milk", ["title": "Milk"])
    try world.expectConvergence()
    #expect(ben.records().count == 2)
  }

  @Test func `a removed zone is handled as the app's rule decides`() throws {
    world.cloud.deleteZone()
    try anna.save("milk", ["title": "Milk"])
    try world.expectConvergence()
    world.cloud.resetEncryptedData()
    try ben.save("tea", ["title": "Tea"])
    try world.expectConvergence()
    world.cloud.purgeZone()
    world.wait(.seconds(10))
    try anna.save("salt", ["title": "Salt"])
    try world.expectConvergence()
    world.cloud.eraseRecords()
    try world.expectConvergence()
    #expect(anna.records().isEmpty)
  }

  @Test func `a subscription that is lost or mute is noticed at the next launch`() throws {
    world.cloud.muteSubscription()
    ben.restart()
    world.wait(.seconds(20))
    world.cloud.loseSubscription()
    ben.restart()
    world.wait(.seconds(20))
    try anna.save("milk", ["title": "Milk"])
    try world.expectConvergence(within: .seconds(5))
  }

  @Test func `a full cloud takes the edits when there is room`() throws {
    world.cloud.fillUp()
    try anna.save("milk", ["title": "Milk"])
    world.wait(.minutes(2))
    #expect(world.cloud.record("milk") == nil)
    world.cloud.endFaults()
    try world.expectConvergence(within: .hours(2))
    #expect(ben.record("milk") != nil)
  }

  @Test func `a cloud that dies at a point comes back`() throws {
    world.cloud.kill(at: .effect("answer"))
    try anna.save("milk", ["title": "Milk"])
    #expect(world.run(until: { !world.cloud.isRunning }))
    world.cloud.start()
    try world.expectConvergence(within: .minutes(5))
    world.cloud.kill(restartAfter: .seconds(10))
    try ben.save("tea", ["title": "Tea"])
    try world.expectConvergence(within: .minutes(5))
    try world.expectNoLostEdits()
  }
}
