import ZoneKitRecords
import ZoneKitSimulator
import Testing
import ZoneKitCloud

@testable import ZoneKitSync

/// A cloud without room (sync semantics, scenario 10).
struct FullCloudTests {
  private static let child = RecordEdit.save(Items.id("C"), type: "Item", fields: Fields(), parent: "P", stamping: .now)

  /// A world whose cloud has no room for `P` and answers so of the others of its batch.
  private func world(child code: CloudErrorCode = .internalError) throws -> World {
    var world = try World(devices: 1)
    try world.edit(0, Items.save("OLD", ["a": "1"]))
    world.settle()
    world.refuseItems(.quotaExceeded, on: FaultScope(.saveRecords, recordNames: ["P"]))
    world.refuseItems(code, on: FaultScope(.saveRecords, recordNames: ["C"]))
    return world
  }

  @Test func `a deletion goes to a full cloud, however many saves wait before it`() throws {
    var world = try world()
    world.refuse(.quotaExceeded, on: FaultScope(.saveRecords))
    for number in 0..<1_100 { try world.edit(0, Items.save(Name("R\(number)"), ["a": "1"])) }
    world.settle()
    try world.edit(0, Items.delete("OLD"))
    world.settle()
    #expect(world.held(Items.zone).isEmpty)
    #expect(try world.devices[0].store.census().pending == 1_100)
  }

  @Test func `after an hour without room the device tries again by itself`() throws {
    var world = try world()
    try world.edit(0, Items.save("P", ["a": "1"]))
    world.settle()
    let requests = world.requests.count
    world.endFaults()
    world.wait(2_900_000)
    #expect(world.requests.count == requests)
    world.wait(200_000)
    #expect(world.held(Items.zone).map(\.recordName) == ["OLD", "P"])
  }

  @Test func `the hour goes on after a restart`() throws {
    var world = try world()
    try world.edit(0, Items.save("P", ["a": "1"]))
    world.settle()
    world.crash(0)
    world.settle()
    world.endFaults()
    world.wait(2_300_000)
    #expect(world.held(Items.zone).map(\.recordName) == ["OLD"])
    world.wait(200_000)
    #expect(world.held(Items.zone).map(\.recordName) == ["OLD", "P"])
  }

  @Test func `a cloud that stays full is asked once an hour`() throws {
    var world = try world()
    try world.edit(0, Items.save("P", ["a": "1"]))
    world.settle()
    let requests = world.requests.count
    world.wait(10 * 3_600_000)
    let asked = world.requests.dropFirst(requests).count { if case .modifyRecords = $0.request { true } else { false } }
    #expect(asked == 10)
  }

  @Test(arguments: [CloudErrorCode.internalError, .referenceViolation, .batchRequestFailed])
  func `a child that fails with its parent for want of room waits with it and follows it`(code: CloudErrorCode) throws {
    var world = try world(child: code)
    try world.edit(0, Self.child, Items.save("P", ["a": "1"]))
    world.wait(60_000)
    #expect(try world.devices[0].store.census().quarantined == 0)
    #expect(try world.devices[0].store.census().pending == 2)
    let sends = world.requests.count { if case .modifyRecords = $0.request { true } else { false } }
    #expect(sends == 3, "making the zone takes two of them")
    #expect(try world.devices[0].store.records(ofType: "Item").count == 3)
    world.endFaults()
    world.wait(3_600_000)
    #expect(world.held(Items.zone).map(\.recordName) == ["C", "OLD", "P"])
    #expect(try world.devices[0].store.census().pending == 0)
  }
}
