import ZoneKitRecords
import ZoneKitSimulator
import Testing
import ZoneKitCloud

@testable import ZoneKitSync

/// What becomes of edits on their way to the cloud.
struct SendTests {
  private func text(_ name: Name, of record: Name, in world: World, on index: Int = 0) throws -> String? {
    guard
      case .string(let text)? = try world.devices[index].store.record(Items.id(record))?.local?.fields.decoded()[name]
    else { return nil }
    return text
  }

  private func pending(_ world: World) throws -> [Int] { try world.devices.map { try $0.store.census().pending } }

  @Test func `an edit that changes nothing writes nothing, stamps nothing and sends nothing`() throws {
    var world = try World(devices: 1)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.settle()
    let (store, requests) = (world.devices[0].store, world.requests.count)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.settle()
    #expect(world.devices[0].store.commitCount == store.commitCount)
    #expect(world.requests.count == requests)
  }

  @Test func `an edit of a record whose stored text is damaged is taken, and the damaged text itself is put aside`()
    throws
  {
    var world = try World(devices: 1)
    let damaged = RecordContent(fields: EncodedFields(canonical: Array("no fields".utf8)))
    let record = LocalRecord(
      recordID: Items.id("R"), recordType: "Item", local: damaged, revision: 1, pendingSince: world.wall)
    try world.changeDisk(0) { disk throws(StoreError) in try disk.commit(DeviceTransition(records: [record])) }
    try world.edit(0, Items.save("S", ["a": "1"]))
    world.settle()
    #expect(world.held(Items.zone).map(\.recordName) == ["S"])
    #expect(try world.devices[0].store.quarantined(limit: 9).map(\.recordID) == [Items.id("R")])
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.settle()
    #expect(world.held(Items.zone).map(\.recordName) == ["R", "S"])
  }

  @Test func `an edit that names another type than the record has is refused, and changes nothing`() throws {
    var world = try World(devices: 1)
    try world.edit(0, Items.save("R", ["a": "1"]))
    let store = world.devices[0].store
    let other = RecordEdit.save(Items.id("R"), type: "Other", fields: Fields(), parent: nil, stamping: .now)
    #expect(throws: StoreError.self) { try world.edit(0, Items.save("S", ["a": "1"]), other) }
    #expect(world.devices[0].store.commitCount == store.commitCount)
  }

  @Test func `an edit that a disk kept before it failed is sent without another request`() throws {
    var world = try World(devices: 1)
    let error = StoreError(.failed, "the disk died after the write", place: "memory")
    world.changeDisk(0) { $0.faults = [.afterCommit(error)] }
    #expect(throws: StoreError.self) { try world.edit(0, Items.save("R", ["a": "1"])) }
    world.settle()
    #expect(world.held(Items.zone).map(\.recordName) == ["R"])
  }

  @Test func `an edit made while its record is on the way stays pending and is sent afterwards`() throws {
    var world = try World(devices: 1)
    world.setDelay(1_000...1_000)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.wait(500)
    try world.edit(0, Items.save("R", ["a": "2"]))
    world.settle()
    #expect(String(decoding: world.held(Items.zone)[0].fields.utf8, as: UTF8.self).contains("\"2\""))
    #expect(try pending(world) == [0])
  }

  @Test func `what the cloud took although the answer was lost is recognised and is no conflict`() throws {
    var world = try World(devices: 1)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.settle()
    world.links[0].down.loss = 1_000
    try world.edit(0, Items.save("R", ["a": "2"]))
    world.wait(1_000)
    world.links[0].down.loss = 0
    world.settle()
    #expect(world.facts(of: 0).contains(.recognisedOwnWrite(Items.id("R"))))
    #expect(try world.devices[0].store.conflicts(limit: 9) == [])
    #expect(try pending(world) == [0])
  }

  @Test func `a record deleted while the answer to its save was lost stays deleted, though its zone is read anew`()
    throws
  {
    var world = try World(devices: 2)
    try world.edit(0, Items.save("S", ["a": "1"]))
    world.settle()
    world.fault(.loseAnswer, on: FaultScope(.modifyRecords, deviceID: "A"))
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.wait(1_000)
    try world.edit(1, Items.delete("R"))
    world.wait(1_000)
    world.setOnline(0, false)
    try world.reset(0, .tokens)
    world.endFaults()
    world.setOnline(0, true)
    world.settle()
    for index in 0...1 { #expect(try world.devices[index].store.record(Items.id("R"))?.local == nil) }
    #expect(world.held(Items.zone).map(\.recordName) == ["S"])
    #expect(try world.devices[0].store.conflicts(limit: 9).map(\.rule) == ["delete"])
    #expect(try pending(world) == [0, 0])
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func `two devices that create one record independently end with one version, and each journal has both`(order: [Int])
    throws
  {
    var world = try World(devices: 2)
    for index in order { world.setOnline(index, false) }
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.wait(1_000)
    try world.edit(1, Items.save("R", ["a": "2"]))
    for index in order {
      world.setOnline(index, true)
      world.settle()
    }
    for index in order {
      #expect(try text("a", of: "R", in: world, on: index) == "2")
      #expect(try world.devices[index].store.conflicts(limit: 9).map(\.recordID) == [Items.id("R")])
      #expect(try world.devices[index].store.values()[.conflictTotal] == .integer(1))
    }
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func `a deletion beats an edit made apart in either order, and the edit is in both journals`(order: [Int]) throws {
    var world = try World(devices: 2)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.settle()
    for index in order { world.setOnline(index, false) }
    try world.edit(0, Items.delete("R"))
    try world.edit(1, Items.save("R", ["a": "2"]))
    for index in order {
      world.setOnline(index, true)
      world.settle()
    }
    #expect(world.held(Items.zone).isEmpty)
    for index in order {
      #expect(try text("a", of: "R", in: world, on: index) == nil)
      #expect(try world.devices[index].store.conflicts(limit: 9).map(\.rule) == ["delete"])
    }
    #expect(try pending(world) == [0, 0])
  }

  @Test func `equal content written apart is no conflict`() throws {
    var world = try World(devices: 2)
    for index in 0...1 { world.setOnline(index, false) }
    let fields = Items.fields(["a": "1"], at: world.wall)
    for index in 0...1 {
      try world.edit(index, .save(Items.id("R"), type: "Item", fields: fields, parent: nil, stamping: .asGiven))
    }
    for index in 0...1 { world.setOnline(index, true) }
    world.settle()
    for index in 0...1 { #expect(try world.devices[index].store.conflicts(limit: 9) == []) }
    #expect(try pending(world) == [0, 0])
  }

  @Test func `parents go before their children, whichever was edited first`() throws {
    var configuration = CoordinatorConfiguration.items
    configuration.limits.batch = 1
    var world = try World(devices: 1, configuration: configuration)
    let child = RecordEdit.save(Items.id("C"), type: "Item", fields: Fields(), parent: "P", stamping: .now)
    try world.edit(0, child, Items.save("P", ["a": "1"]))
    world.settle()
    let saved = world.requests.compactMap { sent -> Name? in
      guard case .modifyRecords(let request) = sent.request else { return nil }
      return request.operations.first?.recordName
    }
    #expect(saved.suffix(2) == ["P", "C"])
    #expect(try pending(world) == [0])
  }

  @Test func `a batch that is too large is split until it fits, and a record too large alone is put aside`() throws {
    var world = try World(devices: 1)
    world.refuse(.limitExceeded, on: FaultScope(.modifyRecords, zoneName: Items.zone.zoneName, itemsAbove: 3))
    world.refuse(.limitExceeded, on: FaultScope(.modifyRecords, recordNames: ["R7"]))
    for number in 0..<10 { try world.edit(0, Items.save(Name("R\(number)"), ["a": "1"])) }
    world.settle()
    #expect(world.held(Items.zone).count == 9)
    #expect(try world.devices[0].store.quarantined(limit: 9).map(\.recordID) == [Items.id("R7")])
    world.endFaults()
    try world.edit(0, Items.save("R7", ["a": "2"]))
    world.settle()
    #expect(world.held(Items.zone).count == 10)
    #expect(try pending(world) == [0])
  }

  @Test func `a full cloud holds saves back and still takes deletions, and the user's sync tries again`() throws {
    var world = try World(devices: 1)
    try world.edit(0, Items.save("OLD", ["a": "1"]))
    world.settle()
    world.refuse(.quotaExceeded, on: FaultScope(.saveRecords))
    try world.edit(0, Items.save("NEW", ["a": "1"]))
    world.settle()
    let requests = world.requests.count
    world.settle()
    #expect(world.requests.count == requests)
    #expect(try pending(world) == [1])
    try world.edit(0, Items.delete("OLD"))
    world.settle()
    #expect(world.held(Items.zone).isEmpty)
    world.endFaults()
    world.wish(0, .manual)
    world.settle()
    #expect(world.held(Items.zone).map(\.recordName) == ["NEW"])
  }

  @Test func `a record that is refused although the cloud's version is known ends in a later try, not in silence`()
    throws
  {
    var world = try World(devices: 1)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.settle()
    world.refuseItems(.serverRecordChanged, on: FaultScope(.modifyRecords))
    world.setDelay(1...1)
    let requests = world.requests.count
    try world.edit(0, Items.save("R", ["a": "2"]))
    world.wait(1_000)
    #expect(world.requests.count - requests < 30)
    #expect(world.devices[0].coordinator.nextDeadline != nil)
    world.endFaults()
    world.settle()
    #expect(try pending(world) == [0])
  }

  @Test func `a look that one record of it cannot have now ends the sync with that error, and comes again later`()
    throws
  {
    var world = try World(devices: 1)
    try world.edit(0, Items.save("OLD", ["a": "1"]))
    world.settle()
    world.fault(.loseRequest, on: FaultScope(.saveRecords), times: 1)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.wait(1_000)
    try world.edit(0, Items.delete("R"))
    world.refuseItems(.zoneBusy, on: FaultScope(.lookupRecords))
    world.wait(90_000)
    let looks = world.requests.count { $0.request.kind == .lookupRecords }
    let failures = world.facts(of: 0).compactMap {
      if case .syncFailed(_, let error, _) = $0 { error.code } else { nil }
    }
    #expect(looks > 0 && failures == [.serverResponseLost] + Array(repeating: .zoneBusy, count: looks))
    world.endFaults()
    world.settle()
    #expect(world.held(Items.zone).map(\.recordName) == ["OLD"])
    #expect(try pending(world) == [0])
  }

  @Test func `thousands of conflicts at once are looked up and settled by one sync`() throws {
    var world = try World(devices: 2)
    world.losePushes()
    let names = (0..<2_300).map { Name("R\($0)") }
    try world.edit(0, names.map { Items.save($0, ["a": "0"]) })
    world.wait(60_000)
    try world.edit(1, names.map { Items.save($0, ["a": "1"]) })
    world.wait(60_000)
    #expect(!world.facts(of: 1).contains { if case .syncFailed = $0 { true } else { false } })
    #expect(try pending(world) == [0, 0])
    #expect(world.held(Items.zone).count == 2_300)
    #expect(world.held(Items.zone).allSatisfy { String(decoding: $0.fields.utf8, as: UTF8.self).contains("\"1\"") })
  }

  /// A world whose cloud asked its only device a second ago to be left alone for 30 s, and would answer again.
  private func askedToWait() throws -> World {
    var world = try World(devices: 1)
    world.fault(.refuse(CloudError(.requestRateLimited, "slow down", retryAfterMilliseconds: 30_000)))
    world.wish(0, .manual)
    world.wait(1_000)
    world.endFaults()
    return world
  }

  @Test(arguments: SyncReason.allCases)
  func `a retry time of the cloud holds for every reason, also after a restart`(reason: SyncReason) throws {
    var world = try askedToWait()
    let requests = world.requests.count
    world.wish(0, reason)
    world.wait(10_000)
    world.crash(0)
    world.wish(0, reason)
    world.wait(18_000)
    #expect(world.requests.count == requests)
    world.wait(2_000)
    #expect(world.requests.count > requests)
  }

  @Test func `a retry time of the cloud holds no longer over a restart than it asked, though the clock was set back`()
    throws
  {
    var world = try askedToWait()
    let requests = world.requests.count
    world.kill(0)
    world.setClock(0, offset: -7_200_000)
    world.start(0)
    world.wait(29_000)
    #expect(world.requests.count == requests)
    world.wait(2_000)
    #expect(world.requests.count > requests)
  }

  @Test func `a repair is journaled once under its rule on every device, and keeps the stamp it came with`() throws {
    var world = try World(devices: 2)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.settle()
    var fields = try #require(try world.devices[0].store.record(Items.id("R"))?.local?.fields.decoded())
    fields["end"] = .int64(1)
    for index in 0...1 {
      try world.edit(index, .repair(Items.id("R"), type: "Item", fields: fields, parent: nil, rule: "one"))
      try world.edit(index, .repair(Items.id("GONE"), type: "Item", fields: fields, parent: nil, rule: "one"))
    }
    world.settle()
    for device in world.devices {
      let entries = try device.store.conflicts(limit: 9)
      #expect(entries.map(\.rule) == ["one"])
      #expect(entries.map(\.winner) == [.merged])
      #expect(try device.store.values()[.conflictTotal] == .integer(1))
      #expect(try device.store.record(Items.id("R"))?.local?.fields == EncodedFields(fields))
    }
    #expect(world.held(Items.zone).map(\.recordName) == ["R"])
  }

  @Test func `a record whose save a full disk did not hear of is not made anew after somebody deleted it`() throws {
    var world = try World(devices: 2)
    try world.edit(0, Items.save("Q", ["a": "1"]))
    world.settle()
    world.setDelay(100...100)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.changeDisk(0) { $0.isFull = true }
    world.wait(5_000)
    try world.edit(1, Items.delete("R"))
    world.wait(1_000)
    #expect(world.held(Items.zone).map(\.recordName) == ["Q"])
    world.changeDisk(0) { $0.isFull = false }
    try world.edit(0, Items.save("S", ["a": "1"]))
    world.settle()
    #expect(world.held(Items.zone).map(\.recordName) == ["Q", "S"])
  }
}
