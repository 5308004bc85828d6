import ZoneKitRecords
import ZoneKitSimulator
import Testing
import ZoneKitCloud

@testable import ZoneKitSync

/// Two devices that began as one, and a device that forgot.
struct CloneTests {
  /// Both devices have the first one's disk, and no pushes, lest the push service tell them.
  private func twins() throws -> World {
    var configuration = CoordinatorConfiguration.items
    configuration.pushes.subscriptionID = nil
    var world = try World(devices: 2, configuration: configuration)
    world.restart(1, over: world.devices[0].store)
    world.settle()
    return world
  }

  private func names(_ world: World) -> [String] { world.devices.map(\.coordinator.deviceID) }

  @Test func `a new record in a device's name that it does not know of gives it a new name`() throws {
    var world = try twins()
    #expect(names(world)[0] == names(world)[1])
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.settle()
    world.wish(1, .foreground)
    world.settle()
    #expect(names(world)[0] != names(world)[1])
    #expect(try world.devices[1].store.record(Items.id("R"))?.local != nil)
  }

  @Test func `a version with a device's ID that it never sent is a conflict, independent of what it has sent`() throws {
    var world = try twins()
    try world.edit(0, Items.save("R", ["a": "1"]))
    try world.edit(1, Items.save("R", ["b": "2"]))
    world.settle()
    world.wish(0, .foreground)
    world.settle()
    #expect(names(world)[0] != names(world)[1])
    let entries = try world.devices[0].store.conflicts(limit: 9) + world.devices[1].store.conflicts(limit: 9)
    let texts = entries.flatMap { [$0.local, $0.server] }.compactMap { $0 }
      .map { String(decoding: $0.fields.utf8, as: UTF8.self) }.joined()
    #expect(texts.contains(#""1""#) && texts.contains(#""2""#), "neither edit is lost unseen")
  }

  @Test func `a device whose push token somebody else took has a new name and a new token`() throws {
    var world = try World(devices: 2)
    let (name, token) = (names(world)[0], world.devices[0].coordinator.pushToken)
    world.restart(1, over: world.devices[0].store)
    world.settle()
    #expect(names(world)[0] != name)
    #expect(world.devices[0].coordinator.pushToken != nil)
    #expect(world.devices[0].coordinator.pushToken != token)
  }

  @Test(arguments: [true, false])
  func `after a local reset nothing that was sent before is taken for the device's own`(keepingPending: Bool) throws {
    var world = try World(devices: 2)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.settle()
    let name = names(world)[0]
    try world.reset(0, .local(keepingPending: keepingPending))
    try world.edit(0, Items.save("R", ["b": "2"]))
    world.settle()
    #expect(names(world)[0] == name, "a reset of the local store keeps the device ID")
    let fields = try world.held(Items.zone).map { try $0.fields.decoded() }
    let journal = try world.devices[0].store.conflicts(limit: 9)
    #expect(fields.count == 1)
    #expect(fields[0]["a"] == .string("1") || !journal.isEmpty, "the earlier edit is there, or the journal has it")
  }

  @Test func `a push that is ahead of the feeds is looked at again though another sync came between`() throws {
    var world = try World(devices: 2)
    let early = world.held(Items.zone)
    #expect(early.isEmpty)
    let feeds = FaultScope(.fetchDatabaseChanges, .fetchZoneChanges, deviceID: "B")
    world.fault(.staleFeed(milliseconds: 300_000), on: feeds)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.wait(1_000)
    world.wish(1, .foreground)
    world.wait(500)
    world.endFaults()
    world.wait(20_000)
    #expect(try world.devices[1].store.record(Items.id("R"))?.local != nil)
  }
}
