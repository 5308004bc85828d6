import ZoneKitRecords
import ZoneKitSimulator
import Testing
import ZoneKitCloud

@testable import ZoneKitSync

/// Pushes that are ahead of the change they tell of (sync semantics, scenario 14).
struct EmptyPushTests {
  private func push(_ id: String, committedAt: WallTime? = nil) -> PushNotification {
    var push = PushNotification(subject: .database, notificationID: id)
    push.committedAt = committedAt
    return push
  }

  /// A device whose feeds hide a change of another one until `show` is called.
  private struct Rig {
    var world: World

    init() throws {
      world = try World(devices: 2)
      try world.edit(0, Items.save("OLD", ["a": "0"]))
      world.settle()
      world.losePushes()
      let feeds = FaultScope(.fetchDatabaseChanges, .fetchZoneChanges, deviceID: "A")
      world.fault(.staleFeed(milliseconds: 300_000), on: feeds)
      try world.edit(1, Items.save("R", ["a": "1"]))
      world.wait(1_000)
    }

    mutating func show() { world.endFaults() }

    var sees: Bool { get throws { try world.devices[0].store.record(Items.id("R")) != nil } }
  }

  @Test(arguments: [true, false])
  func `a change that shows only after its push is found without another push`(tellsTime: Bool) throws {
    var rig = try Rig()
    rig.world.push(0, push("N", committedAt: tellsTime ? rig.world.wall : nil))
    rig.world.wait(1_000)
    #expect(try !rig.sees)
    rig.show()
    rig.world.wait(5_000)
    #expect(try rig.sees)
  }

  @Test(arguments: [true, false])
  func `a push that never yields anything costs a few more looks and no more`(tellsTime: Bool) throws {
    var world = try World(devices: 1)
    let requests = world.requests.count
    world.push(0, push("N", committedAt: tellsTime ? world.wall : nil))
    world.settle()
    #expect(world.requests.count == requests + (tellsTime ? 4 : 2))
  }

  @Test func `a push for a change that the device has already costs one look, however its clock goes`() throws {
    var world = try World(devices: 2)
    world.losePushes()
    try world.edit(1, Items.save("R", ["a": "1"]))
    world.wait(1_000)
    let committedAt = world.held(Items.zone)[0].modified.at
    world.wish(0, .foreground)
    world.settle()
    let requests = world.requests.count
    world.push(0, push("N", committedAt: committedAt))
    world.settle()
    #expect(world.requests.count == requests + 1)
  }

  @Test func `the second look comes also where the first one failed`() throws {
    var rig = try Rig()
    rig.world.links[0].up.loss = 1_000
    rig.world.links[0].toldLosses = 1_000
    rig.world.push(0, push("N"))
    rig.world.wait(500)
    rig.world.links[0].up.loss = 0
    rig.world.wait(2_500)
    #expect(try !rig.sees)
    rig.show()
    rig.world.wait(3_000)
    #expect(try rig.sees)
  }

  @Test func `a zone that is listed as changed and shows nothing yet is read again without any push`() throws {
    var limits = Limits()
    limits.visibleDelay = 1_500
    var world = try World(devices: 2, limits: limits)
    try world.edit(0, Items.save("OLD", ["a": "0"]))
    world.settle()
    world.wish(0, .foreground)
    world.settle()
    world.losePushes()
    try world.edit(1, Items.save("R", ["a": "1"]))
    world.wait(500)
    world.wish(0, .foreground)
    world.wait(500)
    #expect(try world.devices[0].store.record(Items.id("R")) == nil)
    world.wait(3_000)
    #expect(try world.devices[0].store.record(Items.id("R")) != nil)
    let requests = world.requests.count
    world.settle()
    #expect(world.requests.count == requests)
  }
}
