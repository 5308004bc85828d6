import ZoneKitRecords
import ZoneKitSimulator
import Testing
import ZoneKitCloud

@testable import ZoneKitSync

/// Feeds that behave oddly, tokens that die, retries that storm (sync semantics, 3.2 and scenarios 3, 4, 9, 15, 21 and 22).
struct FeedOddityTests {
  private func world(pageLimit: Int = 200) throws -> World {
    var configuration = CoordinatorConfiguration.items
    configuration.limits.page = pageLimit
    var world = try World(devices: 2, configuration: configuration)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.settle()
    return world
  }

  private func names(_ world: World, on index: Int) throws -> [Name] {
    try world.devices[index].store.records(ofType: "Item").map(\.recordID.recordName)
  }

  private func isZoneQuery(_ request: CloudRequest) -> Bool {
    if case .fetchZoneChanges = request { true } else { false }
  }

  private func syncs(_ world: World, on index: Int) -> Int {
    world.facts(of: index).count { if case .syncStarted = $0 { true } else { false } }
  }

  // MARK: Two steps

  @Test
  func `a zone that could not be read is read later, also after a restart, without a new entry in the database's feed`()
    throws
  {
    var world = try world()
    world.losePushes()
    try world.edit(0, Items.save("S", ["a": "1"]))
    world.wait(1_000)
    world.fault(.loseAnswer, on: FaultScope(.fetchZoneChanges, deviceID: "B"))
    world.wish(1, .foreground)
    world.wait(10_000)
    world.endFaults()
    world.crash(1)
    world.settle()
    #expect(try names(world, on: 1) == ["R", "S"])
  }

  @Test func `an unstable push connection does not shorten the back-off`() throws {
    var world = try World(devices: 1)
    world.refuse(.serviceUnavailable, on: FaultScope(.fetchDatabaseChanges))
    world.wish(0, .foreground)
    world.settle()
    let start = world.requests.count
    for _ in 0..<100 {
      world.perform(0) { $0.pushConnected(at: $1, using: &$2) }
      world.wait(500)
    }
    #expect(world.requests.count - start <= 2, "it waits a minute at least by now")
    world.setOnline(0, false)
    world.setOnline(0, true)
    world.wait(1_000)
    #expect((1...4).contains(world.requests.count - start), "a new link is worth a try at once")
  }

  @Test(arguments: [SyncReason.manual, .foreground, .launch, .reconnect, .fallback, .push])
  func `every sync reads the database's feed and does not rely on earlier results`(reason: SyncReason) throws {
    var world = try world()
    world.losePushes()
    try world.edit(0, Items.save("S", ["a": "1"]))
    world.wait(1_000)
    world.wish(1, reason)
    world.settle()
    #expect(try names(world, on: 1) == ["R", "S"])
  }

  @Test func `an edit in the default zone is uploaded, and a fact reports that other devices do not get it`() throws {
    var world = try world()
    let recordID = RecordID(recordName: "D", zoneID: ZoneID.defaultZone)
    try world.edit(0, .save(recordID, type: "Item", fields: Items.fields(["a": "1"]), parent: nil, stamping: .now))
    world.settle()
    #expect(world.facts(of: 0).contains(.defaultZoneIsSilent(recordID)))
    #expect(try world.devices[0].store.census().pending == 0)
    #expect(try names(world, on: 1) == ["R"])
    world.wish(0, .foreground)
    world.settle()
    let start = world.requests.count
    world.wish(0, .foreground)
    world.settle()
    #expect(world.requests.count == start + 1)
    #expect(world.devices[0].coordinator.isIdle)
  }

  // MARK: Loops

  @Test func `a zone's feed that repeats its token is not read for a while, and others are`()
    throws
  {
    var world = try world()
    try world.edit(0, Items.save("T", ["a": "1"], in: Items.otherZone))
    world.settle()
    world.fault(.stuckToken, on: FaultScope(.fetchZoneChanges, deviceID: "B", zoneName: Items.zone.zoneName))
    let start = world.requests.count
    try world.edit(0, Items.save("R", ["a": "2"]))
    world.wait(1_500)
    #expect(world.facts(of: 1).contains(.tokenStuck(Items.zone)))
    #expect(world.requests.dropFirst(start).count { $0.device == 1 && isZoneQuery($0.request) } <= 2)
    world.endFaults()
    world.settle()
    #expect(world.devices[1].coordinator.isIdle)
  }

  // MARK: Expiry

  @Test func `a token of the database that is refused costs nothing but a full fetch`() throws {
    var world = try world()
    world.setOnline(1, false)
    try world.edit(1, Items.save("MINE", ["a": "1"]))
    try world.edit(0, Items.save("S", ["a": "1"]))
    try world.edit(0, Items.delete("R"))
    world.settle()
    world.administer(.expireDatabaseTokens)
    world.setOnline(1, true)
    world.settle()
    #expect(world.facts(of: 1).contains(.tokenExpired(nil)))
    #expect(try names(world, on: 1) == ["MINE", "S"])
    #expect(world.held(Items.zone).map(\.recordName) == ["MINE", "S"])
  }

  @Test(arguments: [false, true], [1, 2])
  func `a token that is refused, as a whole or for its zone, once or twice, costs nothing but a full fetch`(
    isWhole: Bool, times: Int
  ) throws {
    var world = try world(pageLimit: 1)
    world.setOnline(1, false)
    try world.edit(1, Items.save("MINE", ["a": "1"]))
    try world.edit(0, Items.save("S", ["a": "1"]))
    try world.edit(0, Items.delete("R"))
    world.settle()
    let error = CloudError(.changeTokenExpired, "client knowledge differs from server knowledge")
    // The request between the two goes out without a token.
    for after in [2, 0].suffix(times) {
      world.fault(
        isWhole ? .refuse(error) : .refuseItems(error), on: FaultScope(.fetchZoneChanges, deviceID: "B"), after: after,
        times: 1)
    }
    world.setOnline(1, true)
    world.settle()
    #expect(try names(world, on: 1) == ["MINE", "S"])
    #expect(world.held(Items.zone).map(\.recordName) == ["MINE", "S"])
    #expect(try world.devices[1].store.census().pending == 0)
  }

  @Test func `an edit of a record that was deleted while the token died is a recorded decision and no resurrection`()
    throws
  {
    var world = try world()
    world.setOnline(1, false)
    try world.edit(1, Items.save("R", ["a": "edited offline"]))
    try world.edit(0, Items.delete("R"))
    world.settle()
    try world.reset(1, .tokens)
    world.setOnline(1, true)
    world.settle()
    #expect(try names(world, on: 1) == [])
    #expect(world.held(Items.zone).isEmpty)
    #expect(try world.devices[1].store.conflicts(limit: 9).map(\.rule) == ["delete"])
  }

  // MARK: The queue

  @Test func `of a deletion and a new record of its name before a send the last one counts`() throws {
    var world = try world()
    world.setOnline(0, false)
    try world.edit(0, Items.delete("R"))
    try world.edit(0, Items.save("R", ["a": "again"]))
    try world.edit(0, Items.save("S", ["a": "1"]))
    try world.edit(0, Items.delete("S"))
    world.setOnline(0, true)
    world.settle()
    for index in 0...1 { #expect(try names(world, on: index) == ["R"]) }
    #expect(String(decoding: world.held(Items.zone)[0].fields.utf8, as: UTF8.self).contains("again"))
    #expect(try world.devices[0].store.conflicts(limit: 9) == [])
  }

  @Test func `any number of requests during a retry time make one sync after it`() throws {
    var world = try world()
    let error = CloudError(.serviceUnavailable, "slow down", retryAfterMilliseconds: 30_000)
    world.fault(.refuse(error), on: FaultScope(deviceID: "B"))
    world.wish(1, .manual)
    world.wait(1_000)
    world.endFaults()
    let start = world.requests.count
    let before = syncs(world, on: 1)
    for number in 0..<20 {
      for reason: SyncReason in [.foreground, .manual, .reconnect, .push, .fallback] { world.wish(1, reason) }
      world.push(1, PushNotification(subject: .database, notificationID: "N\(number)"))
      world.wait(1_000)
    }
    #expect(world.requests.count == start)
    world.wait(11_000)
    #expect(syncs(world, on: 1) == before + 1)
  }

  @Test func `waits grow up to two minutes while the cloud cannot be reached`() throws {
    var world = try world()
    world.refuse(.networkFailure)
    world.wish(1, .foreground)
    world.wait(3_600_000)
    let waits = world.facts(of: 1).compactMap { fact -> Int64? in
      if case .syncFailed(_, _, let wait) = fact { wait } else { nil }
    }
    #expect(waits.prefix(3).allSatisfy { $0 <= 8_000 } && waits.max() ?? 0 > 60_000 && waits.max() ?? 0 <= 120_000)
    #expect((20...70).contains(waits.count))
  }

  // MARK: What the diagnostics say

  @Test func `the diagnostics distinguish the last successful fetch from the last attempt`() throws {
    var world = try world()
    world.wish(1, .foreground)
    world.settle()
    let good = try world.devices[1].coordinator.diagnostics(name: "B", at: world.wall).fetch
    #expect(good.lastSucceededAt == good.lastFinishedAt && good.lastResult == "ok" && good.lastReason == "foreground")
    world.refuse(.networkFailure)
    world.wish(1, .manual)
    world.wait(1_000)
    let bad = try world.devices[1].coordinator.diagnostics(name: "B", at: world.wall).fetch
    #expect(bad.lastSucceededAt == good.lastSucceededAt)
    #expect(bad.lastFinishedAt ?? world.wall > good.lastFinishedAt ?? world.wall && bad.lastResult != "ok")
    #expect(try world.devices[0].coordinator.diagnostics(name: "A", at: world.wall).send.lastAt != nil)
  }
}
