import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSimulator
import Testing
import ZoneKitCloud

@testable import ZoneKitSync

/// Clocks that lie, devices that are copies, answers that never come (sync semantics, scenarios 16, 17, 23 and 25).
struct TimeAndCloneTests {
  private func texts(_ world: World) throws -> [String?] {
    try world.devices.map {
      guard case .string(let text)? = try $0.store.record(Items.id("R"))?.local?.fields.decoded()["a"] else {
        return nil
      }
      return text
    }
  }

  // MARK: Clocks

  @Test(arguments: [3_600_000, -3_600_000, 10 * 365 * 86_400_000] as [Int64])
  func `a device with a wrong clock does not win all later conflicts`(offset: Int64) throws {
    var world = try World(devices: 2)
    world.setClock(0, offset: offset)
    try world.edit(0, Items.save("R", ["a": "wrong clock"]))
    world.settle()
    try world.edit(1, Items.save("R", ["a": "seen and changed"]))
    world.settle()
    #expect(try texts(world) == ["seen and changed", "seen and changed"])
    try world.edit(0, Items.save("R", ["a": "and back"]))
    world.settle()
    #expect(try texts(world) == ["and back", "and back"])
    for device in world.devices { #expect(try device.store.conflicts(limit: 9) == []) }
  }

  @Test func `a stamp from the far future is reported and not passed on to other records`() throws {
    var world = try World(devices: 2)
    let future = world.wall.advanced(byMilliseconds: 1_000 * 86_400_000)
    let fields = Items.fields(["a": "future"], at: future)
    try world.edit(0, .save(Items.id("R"), type: "Item", fields: fields, parent: nil, stamping: .asGiven))
    world.settle()
    try world.edit(1, Items.save("R", ["a": "now"]))
    try world.edit(1, Items.save("S", ["a": "now"]))
    world.settle()
    #expect(try texts(world) == ["now", "now"])
    #expect(world.facts(of: 1).contains(.farFutureStamp(Items.id("R"), future)))
    let stamp = try world.devices[1].store.record(Items.id("S"))?.local?.fields.decoded()[Items.stamp]
    guard case .timestamp(let time)? = stamp else { return #expect(Bool(false), "S has no stamp") }
    #expect(time <= world.wall)
  }

  @Test func `stamps rise although the clock goes backwards`() throws {
    var world = try World(devices: 1)
    var stamps: [WallTime] = []
    for offset in [0, -86_400_000, -86_400_000, 5] as [Int64] {
      world.setClock(0, offset: offset)
      try world.edit(0, Items.save("R", ["a": "\(stamps.count)"]))
      let fields = try world.devices[0].store.record(Items.id("R"))?.local?.fields.decoded()
      guard case .timestamp(let stamp)? = fields?[Items.stamp] else { continue }
      stamps.append(stamp)
    }
    #expect(stamps.count == 4 && stamps == stamps.sorted() && Set(stamps).count == 4)
  }

  @Test func `an edit after another one of the same device has the later stamp, even if its clock is set back`()
    throws
  {
    var clock = StampClock()
    let start = WallTime(milliseconds: 1_800_000_000_000)
    let first = clock.stamp(replacing: nil, wall: start)
    let second = clock.stamp(replacing: nil, wall: start.advanced(byMilliseconds: -3_600_000))
    #expect(second.time > first.time)
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func `edits with the same time have the same result on both devices, in either order`(order: [Int]) throws {
    var world = try World(devices: 2)
    for index in order { world.setOnline(index, false) }
    for index in order { try world.edit(index, Items.save("R", ["a": "from \(index)"])) }
    for index in order {
      world.setOnline(index, true)
      world.settle()
    }
    #expect(try texts(world) == ["from 1", "from 1"])
  }

  // MARK: Storms

  /// An app that writes a record anew whenever another device has.
  private final class Rewriter: @unchecked Sendable {
    var isOn = false
    private var count = 0

    func edits(_ view: AppView) -> [RecordEdit] {
      guard isOn else { return [] }
      count += 1
      return [Items.save("R", ["a": "\(count)"])]
    }
  }

  @Test
  func `two devices that keep overwriting each other are slowed down, and both the record and the devices are named`()
    throws
  {
    let rewriter = Rewriter()
    var world = try World(devices: 2, repairs: rewriter.edits)
    rewriter.isOn = true
    try world.edit(0, Items.save("R", ["a": "0"]))
    let start = world.requests.count
    world.wait(600_000)
    let writes = world.requests.dropFirst(start).count { if case .modifyRecords = $0.request { true } else { false } }
    #expect(writes < 2 * 10 * 12, "eight a minute and device")
    let deviceIDs = world.devices.map(\.coordinator.deviceID)
    #expect(world.facts(of: 0).contains(.storm(Items.id("R"), devices: [deviceIDs[1]])))
    #expect(try world.devices[0].store.values()[.stormRecord] == .text("R"))
    rewriter.isOn = false
    world.settle()
    #expect(try texts(world)[0] == texts(world)[1])
    for device in world.devices { #expect(try device.store.census().pending == 0) }
  }

  @Test func `a storm of a thousand records at once is noticed as one of a single record is`() throws {
    var detector = StormDetector(limit: 3, window: 60_000)
    let records = (0..<1_000).map { Items.id(Name("R\($0)")) }
    var storms = 0
    for round in 1...3 {
      let now = MonotonicTime(milliseconds: Int64(round) * 1_000)
      for record in records { detector.changed(record, by: "other", now: now) }
      for record in records where detector.sent(record, now: now) != nil { storms += 1 }
    }
    let now = MonotonicTime(milliseconds: 4_000)
    #expect(storms == 1_000)
    #expect(records.allSatisfy { detector.heldUntil($0, now: now) == MonotonicTime(milliseconds: 61_000) })
  }

  @Test func `a full fetch takes nothing away from what is known of a storm`() throws {
    var detector = StormDetector(limit: 2, window: 60_000)
    for second in 1...2 {
      let now = MonotonicTime(milliseconds: Int64(second) * 1_000)
      detector.changed(Items.id("R"), by: "other", now: now)
      _ = detector.sent(Items.id("R"), now: now)
      for number in 0..<10_000 { detector.changed(Items.id(Name("N\(number)")), by: "other", now: now) }
    }
    #expect(detector.heldUntil(Items.id("R"), now: MonotonicTime(milliseconds: 3_000)) != nil)
  }

  // MARK: Answers

  @Test(arguments: [false, true])
  func `writes whose answers never come are recognised, and cause no conflict and no second record`(edits: Bool) throws
  {
    var world = try World(devices: 2)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.settle()
    world.fault(.loseAnswer, on: FaultScope(.modifyRecords, deviceID: "A"))
    // A feed that lags: the device's own write is met only when the next one is refused because of it.
    if edits {
      world.fault(.staleFeed(milliseconds: 500_000), on: FaultScope(.fetchDatabaseChanges, deviceID: "A"))
    }
    try world.edit(0, Items.save("R", ["a": "2"]), Items.save("NEW", ["a": "1"]))
    world.wait(200_000)
    if edits { try world.edit(0, Items.save("R", ["a": "3"])) }
    world.wait(200_000)
    world.endFaults()
    world.settle()
    world.endFaults()
    world.settle()
    #expect(try texts(world) == (edits ? ["3", "3"] : ["2", "2"]))
    #expect(world.held(Items.zone).count == 2)
    for device in world.devices {
      #expect(try device.store.conflicts(limit: 9) == [])
      #expect(try device.store.census().pending == 0)
    }
    #expect(!world.facts(of: 0).contains { if case .cloneDetected = $0 { true } else { false } })
  }

  @Test func `a request that hangs is given up after a minute, and its late answer changes nothing`() throws {
    var world = try World(devices: 1)
    world.setDelay(61_000...61_000)
    world.wish(0, .foreground)
    world.wait(60_500)
    #expect(world.devices[0].coordinator.liveState == .backingOff)
    world.setDelay(1...1)
    world.settle()
    #expect(world.facts(of: 0).contains { if case .lateAnswer = $0 { true } else { false } })
    #expect(world.devices[0].coordinator.isIdle)
  }

  // MARK: Copies

  @Test func `a store that was restored from an old copy is no clone as long as its device alone writes`() throws {
    var world = try World(devices: 2)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.settle()
    let backup = world.devices[0].store
    try world.edit(1, Items.delete("R"))
    try world.edit(1, Items.save("S", ["a": "1"]))
    world.settle()
    world.restart(0, over: backup)
    world.settle()
    #expect(!world.facts(of: 0).contains { if case .cloneDetected = $0 { true } else { false } })
    #expect(try world.devices[0].store.records(ofType: "Item").map(\.recordID) == [Items.id("S")])
    #expect(world.held(Items.zone).map(\.recordName) == ["S"], "what was deleted stays deleted")
  }
}
