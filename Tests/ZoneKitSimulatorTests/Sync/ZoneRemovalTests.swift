import ZoneKitRecords
import ZoneKitSimulator
import Testing
import ZoneKitCloud

@testable import ZoneKitSync

/// Zones that disappear (sync semantics, scenario 5).
struct ZoneRemovalTests {
  /// Remembers what an app was asked.
  private final class Witness: @unchecked Sendable {
    var removals: [ZoneRemoval] = []
  }

  private func world(
    _ witness: Witness = Witness(), choice: ZoneRemoval.Choice? = nil, devices: Int = 2
  ) throws -> World {
    var configuration = CoordinatorConfiguration.items
    configuration.merging.zoneRemovalRule = {
      witness.removals.append($0)
      return choice ?? ZoneRemoval.usualChoice($0)
    }
    var world = try World(devices: devices, configuration: configuration)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.settle()
    return world
  }

  private func writes(_ world: World, since start: Int) -> Int {
    world.requests.dropFirst(start).count {
      switch $0.request {
      case .modifyRecords(let request): request.zoneID == Items.zone
      case .modifyZones: true
      default: false
      }
    }
  }

  /// The cloud says of the zone that its user purged it, and its database's feed says nothing.
  private func purge(_ world: inout World) {
    world.administer(.loseZone(Items.zone))
    world.refuse(.userDeletedZone, on: FaultScope(.modifyRecords, zoneName: Items.zone.zoneName))
    world.refuseItems(.userDeletedZone, on: FaultScope(.fetchZoneChanges, zoneName: Items.zone.zoneName))
  }

  @Test(arguments: [ZoneRemoval.Choice.remove, .uploadAgain])
  func `a purge in the feed is final, with any rule of the app`(choice: ZoneRemoval.Choice) throws {
    var world = try world(choice: choice, devices: 1)
    world.setOnline(0, false)
    try world.edit(0, Items.save("NEW", ["a": "1"]))
    purge(&world)
    let start = world.requests.count
    try world.reset(0, .tokens)
    world.setOnline(0, true)
    world.settle()
    world.endFaults()
    world.wait(2 * 86_400_000)
    #expect(try world.devices[0].store.records(ofType: "Item") == [])
    #expect(try world.devices[0].store.conflicts(limit: 9).map(\.recordID) == [Items.id("NEW")])
    #expect(writes(world, since: start) == 0)
    #expect(world.facts(of: 0).contains(.zoneRemoved(Items.zone, discarded: 1, isPurge: true)))
  }

  @Test func `a purge that a write runs into is final`() throws {
    var world = try world(devices: 1)
    purge(&world)
    let start = world.requests.count
    try world.edit(0, Items.save("NEW", ["a": "1"]))
    world.settle()
    world.endFaults()
    world.wait(2 * 86_400_000)
    #expect(try world.devices[0].store.records(ofType: "Item") == [])
    #expect(try world.devices[0].store.conflicts(limit: 9).map(\.recordID) == [Items.id("NEW")])
    #expect(writes(world, since: start) == 1)
  }

  @Test func `the app is asked before anything goes, and sees all that will`() throws {
    let witness = Witness()
    var world = try world(witness)
    world.ask(.modifyZones([.delete(Items.zone)]))
    world.settle()
    #expect(witness.removals.map(\.reason) == [.deleted, .deleted], "each device once")
    #expect(witness.removals.map { $0.records.map(\.recordID) } == [[Items.id("R")], [Items.id("R")]])
    #expect(try world.devices[0].store.records(ofType: "Item") == [])
  }

  @Test func `an app may keep what somebody deleted with the zone`() throws {
    var world = try world(choice: .uploadAgain)
    world.ask(.modifyZones([.delete(Items.zone)]))
    world.settle()
    #expect(world.held(Items.zone).map(\.recordName) == ["R"])
    for device in world.devices { #expect(try device.store.records(ofType: "Item").count == 1) }
  }

  @Test func `a purge is final even if only the feed reports it`() throws {
    let witness = Witness()
    var world = try world(witness, choice: .uploadAgain)
    let start = world.requests.count
    world.administer(.purgeZone(Items.zone))
    world.settle()
    #expect(witness.removals.map(\.reason) == [.purged, .purged])
    for device in world.devices { #expect(try device.store.records(ofType: "Item") == []) }
    #expect(writes(world, since: start) == 0)
  }

  @Test(arguments: [nil, ZoneRemoval.Choice.remove])
  func `a zone whose keys were reset is uploaded again by devices that write nothing, unless the app says otherwise`(
    choice: ZoneRemoval.Choice?
  ) throws {
    let witness = Witness()
    var world = try world(witness, choice: choice)
    world.administer(.resetEncryptedData(Items.zone))
    world.settle()
    #expect(witness.removals.map(\.reason).first == .encryptedDataReset)
    #expect(!witness.removals.map(\.reason).contains(.lost), "who was told is not asked again")
    let kept: [Name] = choice == nil ? ["R"] : []
    #expect(world.held(Items.zone).map(\.recordName) == kept)
    for device in world.devices {
      #expect(try device.store.records(ofType: "Item").map(\.recordID.recordName) == kept)
      #expect(try device.store.census().pending == 0)
    }
  }

  @Test func `a device that was killed after a reset of keys, before a send, does not ask the app again`() throws {
    let witness = Witness()
    var world = try world(witness, devices: 1)
    // The cloud is out of reach for everything but the feed.
    world.refuse(.networkFailure, on: FaultScope(.modifyZones))
    world.administer(.resetEncryptedData(Items.zone))
    world.wait(1_000)
    world.endFaults()
    world.crash(0)
    world.settle()
    #expect(witness.removals.map(\.reason) == [.encryptedDataReset])
    #expect(world.held(Items.zone).map(\.recordName) == ["R"])
  }

  /// What makes a device ask for every zone.
  enum Occasion: CaseIterable, Sendable {
    case launch, wish, foregroundAfterAnHour, nothingForADay
  }

  @Test(arguments: Occasion.allCases)
  func `a zone that the cloud loses without a word is found to be gone by a device that writes nothing`(
    occasion: Occasion
  ) throws {
    var world = try world(devices: 1)
    world.wait(60_000)
    world.administer(.loseZone(Items.zone))
    switch occasion {
    case .launch: world.crash(0)
    case .wish: world.wish(0, .manual)
    case .foregroundAfterAnHour:
      world.wait(3_600_000)
      world.wish(0, .foreground)
    case .nothingForADay: world.wait(86_400_000)
    }
    world.settle()
    #expect(world.held(Items.zone).map(\.recordName) == ["R"])
  }

  @Test func `zones that the feed does not list are asked for once in an hour`() throws {
    var world = try world(devices: 1)
    let start = world.requests.count
    for _ in 0..<12 {
      world.wait(600_000)
      world.wish(0, .foreground)
      world.settle()
    }
    let asked = world.requests.dropFirst(start).count { if case .fetchZoneChanges = $0.request { true } else { false } }
    #expect((3...4).contains(asked), "in four hours")
  }

  @Test(arguments: [nil, ZoneRemoval.Choice.remove])
  func `what the cloud lost, as with its encrypted data, is uploaded again unless the app says otherwise`(
    choice: ZoneRemoval.Choice?
  ) throws {
    let witness = Witness()
    var world = try world(witness, choice: choice)
    world.setOnline(1, false)
    world.administer(.loseZone(Items.zone))
    try world.edit(0, Items.save("NEW", ["a": "1"]))
    world.settle()
    #expect(witness.removals.map(\.reason) == [.lost])
    let kept: [Name] = choice == nil ? ["NEW", "R"] : []
    #expect(world.held(Items.zone).map(\.recordName) == kept)
    #expect(try world.devices[0].store.records(ofType: "Item").map(\.recordID.recordName) == kept)
    #expect(try world.devices[0].store.census().pending == 0)
  }

  @Test func `a zone that is listed and then not found is asked for once more and no more`() throws {
    var world = try world()
    let start = world.requests.count
    world.fault(.listZone("GHOST"))
    world.wish(0, .foreground)
    world.settle()
    #expect(world.requests.count - start < 8)
    #expect(world.devices[0].coordinator.isIdle)
  }

  @Test func `a zone that somebody deletes while a device makes it anew after a loss stays deleted`() throws {
    var world = try world()
    world.setOnline(1, false)
    world.setDelay(100...100)
    world.administer(.loseZone(Items.zone))
    try world.edit(0, Items.save("NEW", ["a": "1"]))
    // The zone is there again, and the records are on their way to it.
    let made = world.facts(of: 0).count { $0 == .zoneCreated(Items.zone) }
    for _ in 0..<1_000 where world.facts(of: 0).count(where: { $0 == .zoneCreated(Items.zone) }) == made {
      world.wait(10)
    }
    #expect(world.facts(of: 0).count { $0 == .zoneCreated(Items.zone) } == made + 1)
    world.ask(.modifyZones([.delete(Items.zone)]))
    world.settle()
    #expect(world.held(Items.zone).isEmpty)
    #expect(try world.devices[0].store.records(ofType: "Item") == [])
  }
}
