import ZoneKitRecords
import ZoneKitSimulator
import Testing
import ZoneKitCloud

@testable import ZoneKitSync

/// Records that the cloud does not take, and those that depend on them or share a batch with them (sync semantics,
/// scenarios 7, 8 and 24).
struct PoisonTests {
  private func child(_ text: String = "1") -> RecordEdit {
    let reference = FieldValue.reference(Reference(recordName: "P", action: .validate))
    var fields = Items.fields(["a": text])
    fields["link"] = reference
    return .save(Items.id("C"), type: "Item", fields: fields, parent: nil, stamping: .now)
  }

  private func quarantined(_ world: World) throws -> [RecordID] {
    try world.devices[0].store.quarantined(limit: 99).map(\.recordID)
  }

  @Test func `a child whose parent the cloud refuses follows when the user has mended the parent`() throws {
    var world = try World(devices: 1)
    world.refuseItems(.invalidArguments, on: FaultScope(.saveRecords, recordNames: ["P"]))
    world.refuseItems(.referenceViolation, on: FaultScope(.saveRecords, recordNames: ["C"]))
    try world.edit(0, Items.save("P", ["a": "bad"]), child())
    world.settle()
    #expect(try quarantined(world) == [Items.id("C"), Items.id("P")])
    world.endFaults()
    let requests = world.requests.count
    world.settle()
    #expect(world.requests.count == requests, "it waits without asking")
    try world.edit(0, Items.save("P", ["a": "good"]))
    world.settle()
    #expect(world.held(Items.zone).map(\.recordName) == ["C", "P"])
    #expect(try world.devices[0].store.census().pending == 0)
  }

  @Test(arguments: [CloudErrorCode.invalidArguments, .limitExceeded])
  func `what the user mended before the cloud refused it is sent, and not held back for what it was`(
    code: CloudErrorCode
  ) throws {
    for edit in [Items.save("R", ["a": "good"]), Items.delete("R")] {
      var world = try World(devices: 1)
      try world.edit(0, Items.save("R", ["a": "1"]))
      world.settle()
      world.setDelay(1_000...1_000)
      if code == .limitExceeded {
        world.refuse(code, on: FaultScope(.saveRecords), times: 1)
      } else {
        world.refuseItems(code, on: FaultScope(.saveRecords), times: 1)
      }
      try world.edit(0, Items.save("R", ["a": "bad"]))
      world.wait(500)
      try world.edit(0, edit)
      world.settle()
      let names: [Name] = if case .delete = edit { [] } else { ["R"] }
      #expect(world.held(Items.zone).map(\.recordName) == names)
      #expect(try quarantined(world) == [])
      #expect(try world.devices[0].store.census().pending == 0)
      #expect(!world.facts(of: 0).contains { if case .quarantined = $0 { true } else { false } })
    }
  }

  @Test func `a record that refers to one that nobody has made yet follows when somebody has`() throws {
    for maker in 0...1 {
      var world = try World(devices: 2)
      try world.edit(0, child())
      world.settle()
      #expect(try quarantined(world) == [Items.id("C")])
      let requests = world.requests.count
      world.settle()
      #expect(world.requests.count == requests, "it waits without asking")
      try world.edit(maker, Items.save("P", ["a": "1"]))
      world.settle()
      #expect(world.held(Items.zone).map(\.recordName) == ["C", "P"])
      #expect(try quarantined(world) == [])
    }
  }

  @Test func `all that wait for a record go when it is there, however many they are`() throws {
    var world = try World(devices: 1)
    var fields = Items.fields(["a": "1"])
    fields["link"] = .reference(Reference(recordName: "P", action: .validate))
    try world.edit(
      0,
      (0..<1_100).map {
        .save(Items.id(Name("C\($0)")), type: "Item", fields: fields, parent: nil, stamping: .now)
      })
    world.settle()
    #expect(try world.devices[0].store.census().quarantined == 1_100)
    try world.edit(0, Items.save("P", ["a": "1"]))
    world.settle()
    #expect(try world.devices[0].store.census().quarantined == 0)
    #expect(world.held(Items.zone).count == 1_101)
  }

  @Test func `what is held back goes again when a change from elsewhere has mended it`() throws {
    var world = try World(devices: 2)
    try world.edit(0, Items.save("R", ["a": "1", "b": "1"]))
    world.settle()
    world.refuseItems(.invalidArguments, on: FaultScope(.saveRecords), times: 1)
    try world.edit(0, Items.save("R", ["a": "2", "b": "1"]))
    world.settle()
    #expect(try quarantined(world) == [Items.id("R")])
    world.endFaults()
    try world.edit(1, Items.save("R", ["a": "1", "b": "2"]))
    world.settle()
    #expect(try quarantined(world) == [])
    #expect(try world.devices[0].store.census().pending == 0)
    #expect(
      try world.devices[1].store.record(Items.id("R"))?.local == world.devices[0].store.record(Items.id("R"))?.local)
  }

  @Test func `a parent that is deleted before its children goes when they are gone`() throws {
    var world = try World(devices: 1)
    try world.edit(0, Items.save("P", ["a": "1"]), child())
    world.settle()
    #expect(world.held(Items.zone).count == 2)
    try world.edit(0, Items.delete("P"))
    try world.edit(0, Items.delete("C"))
    world.settle()
    #expect(world.held(Items.zone).isEmpty)
    #expect(try world.devices[0].store.census().pending == 0)
  }

  @Test(arguments: [true, false])
  func `one bad record is put aside and the others of its batch arrive`(isAtomic: Bool) throws {
    var configuration = CoordinatorConfiguration.items
    configuration.limits.isAtomic = isAtomic
    var world = try World(devices: 1, configuration: configuration)
    try world.edit(0, Items.save("R0", ["a": "0"]))
    world.settle()
    world.refuseItems(.invalidArguments, on: FaultScope(.saveRecords, recordNames: ["R5"]))
    let requests = world.requests.count
    try world.edit(0, Items.save("R1", ["a": "1"]), Items.save("R5", ["a": "5"]), Items.save("R6", ["a": "6"]))
    world.settle()
    #expect(world.held(Items.zone).map(\.recordName) == ["R0", "R1", "R6"])
    #expect(try quarantined(world) == [Items.id("R5")])
    #expect(world.requests.count - requests < 6)
  }

  @Test(arguments: [199, 200, 201, 1_360])
  func `any number of edits arrives in batches of the limit`(count: Int) throws {
    var world = try World(devices: 1)
    var edits: [RecordEdit] = []
    for number in 0..<count { edits.append(Items.save(Name("R\(number)"), ["a": "\(number)"])) }
    try world.edit(0, edits)
    world.settle()
    #expect(world.held(Items.zone).count == count)
    #expect(try world.devices[0].store.census().pending == 0)
    let sizes = world.requests.compactMap { sent -> Int? in
      guard case .modifyRecords(let request) = sent.request else { return nil }
      return request.operations.count
    }
    #expect(sizes.max() == min(count, 200))
  }
}
