import Testing
import ZoneKit

/// A world as a whole: its seed, its time, what it keeps.
struct WorldTests {
  private func digest(seed: UInt64) throws -> String {
    let world = World(shopping, devices: ["Anna", "Ben"], seed: seed)
    world["Anna"].link = Link(delay: .milliseconds(10) ... .seconds(2), loss: 0.3)
    for number in 1...5 {
      try world["Anna"].save(Name("item\(number)"), ["title": "Something"])
      world.wait(.seconds(3))
    }
    return world.digest
  }

  @Test func `the same seed gives the same world, another seed another one`() throws {
    #expect(try digest(seed: 5) == digest(seed: 5))
    #expect(try digest(seed: 5) != digest(seed: 6))
  }

  @Test func `time passes exactly as requested`() {
    let world = World(shopping, devices: ["Anna"])
    world.wait(.minutes(3))
    #expect(world.elapsed == .seconds(180))
    #expect(world.now.milliseconds == 1_800_000_180_000)
    #expect(!world.run(until: { false }, atMost: .seconds(1)))
    #expect(world.elapsed == .seconds(181))
  }

  @Test func `a push brings a change within a second`() throws {
    let world = try worldWithBread()
    let pushes = world["Ben"].pushCount
    try world["Anna"].save("milk", ["title": "Milk"])
    #expect(world.run(until: { world["Ben"].record("milk") != nil }, atMost: .seconds(1)))
    #expect(world["Ben"].pushCount == pushes + 1)
  }

  @Test func `what happened can be seen`() throws {
    let world = World(shopping, devices: ["Anna"])
    try world["Anna"].save("milk", ["title": "Milk"])
    world.note("Anna wants milk")
    #expect(world.timelineSVG.contains("Anna wants milk"))
    #expect(world.timelineText.contains("Anna wants milk"))
    #expect(world.violations.isEmpty)
  }

  @Test func `accounts do not see each other`() throws {
    let world = World(shopping, devices: ["Anna"])
    let other = world.addDevice("Otto", account: "otto")
    try world["Anna"].save("milk", ["title": "Milk"])
    try other.save("beer", ["title": "Beer"])
    try world.expectConvergence()
    try world.expectNoLostEdits()
    #expect(other.records().map(\.key.recordName) == ["beer"])
    #expect(world.cloud.records(of: "otto").count == 1)
    #expect(world.devices.map(\.account) == ["user", "otto"])
  }

  @Test func `there are no requests when all is done`() throws {
    let world = World(shopping, devices: ["Anna", "Ben"])
    try world["Anna"].save("milk", ["title": "Milk"])
    try world.expectConvergence()
    try world.expectRest()
  }
}
