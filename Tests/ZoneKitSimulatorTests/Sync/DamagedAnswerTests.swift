import Testing
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync

/// What a device believes of answers in which bytes were changed.
struct DamagedAnswerTests {
  /// A device that edits records over and over while bytes of its answers are changed, and then is left alone.
  private func world(seed: UInt64) throws -> (World, [Name: String], changed: Int) {
    var options = World.Options()
    options.seed = seed
    options.carriesMessages = true
    var world = World(options)
    _ = try world.addDevice(named: "A", app: ItemsApp.app, account: "nanny")
    world.start(0)
    world.settle()
    world.answerDamage = AnswerDamage(perMille: 500, seed: seed)
    var wanted: [Name: String] = [:]
    for round in 0..<6 {
      for number in 0..<4 {
        let (name, text) = (Name("r\(number)"), "round \(round) of \(number)")
        try world.edit(0, Items.save(name, ["a": text]))
        wanted[name] = text
      }
      world.wait(20_000)
    }
    let changed = world.answerDamage?.count ?? 0
    world.answerDamage = nil
    world.wish(0, .manual)
    world.settle()
    return (world, wanted, changed)
  }

  private func text(_ content: EncodedFields?) throws -> String? {
    guard case .string(let text)? = try content?.decoded()["a"] else { return nil }
    return text
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `no edit of the device itself is lost or changed`(seed: UInt64) throws {
    var (world, wanted, changed) = try world(seed: seed)
    #expect(changed > 0)
    let held = world.held(Items.zone)
    for name in wanted.keys.sorted() {
      let local = try world.devices[0].store.record(Items.id(name))?.local?.fields
      #expect(try text(local) == wanted[name], "on the device")
      #expect(try text(held.first { $0.recordName == name }?.fields) == wanted[name], "in the cloud")
    }
  }
}
