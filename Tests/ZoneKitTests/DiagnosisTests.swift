import Testing
import ZoneKit

/// What a developer reads when an expectation is not met.
struct DiagnosisTests {
  private func failure(_ body: () throws -> Void) throws -> String {
    let failure = #expect(throws: ExpectationFailure.self) { try body() }
    return try #require(failure).description
  }

  @Test func `a lost push is named as what kept a device behind`() throws {
    let world = try worldWithBread()
    world["Ben"].disturbPushes(.drop)
    try world["Anna"].save("milk", ["title": "Milk"])
    let text = try failure { try world.expectConvergence() }
    #expect(text.contains("Shopping/milk differs"))
    #expect(text.contains("the cloud has it, Ben does not"))
    #expect(text.contains("the push was lost"))
    #expect(text.contains(", dropped; last received 2027-01-15T08:00:"))
    #expect(text.contains("because of "))
  }

  @Test func `the field that differs is reported with both values`() throws {
    let world = World(shopping, devices: ["Anna", "Ben"])
    try world["Anna"].save("milk", ["title": "Milk"])
    try world.expectConvergence()
    world["Ben"].goOffline()
    try world["Anna"].change("milk") { $0["title"] = "Oat milk" }
    let text = try failure { try world.expectConvergence() }
    #expect(text.contains("  title: Ben \"Milk\", cloud \"Oat milk\""))
    #expect(text.contains("the device is offline") || text.contains(": it is offline"))
    #expect(text.contains("Ben is offline"))
  }

  @Test func `a refused record is reported with its reason`() throws {
    let world = World(shopping, devices: ["Anna", "Ben"])
    world.cloud.refuseItems(with: .invalidArguments)
    try world["Anna"].save("milk", ["title": "Milk"])
    let text = try failure { try world.expectConvergence() }
    #expect(text.contains("Anna keeps its version back, in quarantine"))
    #expect(text.contains("1 in quarantine"))
    #expect(try world.diagnostics(of: "Anna").send.quarantined.count == 1)
  }

  @Test func `a device that is not running is reported`() throws {
    let world = World(shopping, devices: ["Anna", "Ben"])
    world["Ben"].kill()
    let text = try failure { try world.expectConvergence() }
    #expect(text.contains("Ben is not running"))
    try world.expectConvergence(of: [world["Anna"]])
  }

  @Test func `a cloud that is not running is reported`() throws {
    let world = World(shopping, devices: ["Anna"])
    world.wait(.seconds(20))
    world.cloud.kill()
    try world["Anna"].save("milk", ["title": "Milk"])
    let text = try failure { try world.expectConvergence() }
    #expect(text.contains("the cloud does not run"))
    #expect(text.contains("1 pending"))
    world.cloud.start()
    try world.expectConvergence(within: .minutes(5))
    #expect(world.cloud.record("milk")?["title"] == "Milk")
  }
}
