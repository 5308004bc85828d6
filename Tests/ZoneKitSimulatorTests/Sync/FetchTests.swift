import ZoneKitRecords
import ZoneKitSimulator
import Testing
import ZoneKitCloud

@testable import ZoneKitSync

/// Zones, tokens and accounts.
struct FetchTests {
  /// A world whose devices hold `R` with the text "1".
  private func world(_ configuration: CoordinatorConfiguration = .items) throws -> World {
    var world = try World(devices: 2, configuration: configuration)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.settle()
    return world
  }

  private func names(on index: Int, in world: World) throws -> [Name] {
    try world.devices[index].store.records(ofType: "Item").map(\.recordID.recordName)
  }

  @Test func `a zone that somebody deleted goes, and what was not sent yet is in the journal`() throws {
    var world = try world()
    world.setOnline(1, false)
    try world.edit(1, Items.save("R", ["a": "2"]))
    world.ask(.modifyZones([.delete(Items.zone)]))
    world.setOnline(1, true)
    world.settle()
    for index in 0...1 { #expect(try names(on: index, in: world) == []) }
    #expect(try world.devices[1].store.conflicts(limit: 9).map(\.rule) == ["zoneDeleted"])
    #expect(try world.devices[1].store.values()[.conflictTotal] == .integer(1))
  }

  @Test func `a zone that was deleted and made again keeps nothing of the old one`() throws {
    var world = try world()
    world.setOnline(1, false)
    try world.edit(1, Items.save("BEFORE", ["a": "1"]))
    world.wait(10_000)
    world.ask(.modifyZones([.delete(Items.zone)]))
    world.ask(.modifyZones([.create(Items.zone)]))
    world.wait(10_000)
    try world.edit(1, Items.save("NEW", ["a": "1"]))
    world.setOnline(1, true)
    world.settle()
    for index in 0...1 { #expect(try names(on: index, in: world) == ["NEW"]) }
    #expect(world.held(Items.zone).map(\.recordName) == ["NEW"])
    #expect(try world.devices[1].store.conflicts(limit: 9).map(\.recordID) == [Items.id("BEFORE")])
  }

  @Test func `a zone that the cloud lost without a word is made again with all that the device holds`() throws {
    var world = try World(devices: 1)
    try world.edit(0, Items.save("R", ["a": "1"]), Items.save("S", ["a": "1"]))
    world.settle()
    world.administer(.loseZone(Items.zone))
    try world.edit(0, Items.save("R", ["a": "2"]))
    world.settle()
    #expect(world.held(Items.zone).map(\.recordName) == ["R", "S"])
  }

  @Test func `a zone that is gone again after it was made ends in a later try`() throws {
    var world = try World(devices: 1)
    world.refuse(.zoneNotFound, on: FaultScope(.modifyRecords))
    world.setDelay(1...1)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.wait(1_000)
    #expect(world.requests.count < 20)
    #expect(world.devices[0].coordinator.nextDeadline != nil)
  }

  @Test func `a token that expires in the middle keeps what is pending and takes out what vanished`() throws {
    var configuration = CoordinatorConfiguration.items
    configuration.limits.page = 2
    var world = try world(configuration)
    for number in 0..<6 { try world.edit(0, Items.save(Name("S\(number)"), ["a": "1"])) }
    world.settle()
    world.setOnline(1, false)
    try world.edit(1, Items.save("MINE", ["a": "1"]))
    world.ask(
      .modifyRecords(
        ModifyRecords(
          zoneID: Items.zone, operations: [RecordOperation(.forceDelete, recordName: "S3")], isAtomic: false)))
    try world.reset(1, .tokens)
    let pages = FaultScope(.fetchZoneChanges, deviceID: "B", zoneName: Items.zone.zoneName)
    world.refuseItems(.changeTokenExpired, on: pages, after: 1, times: 1)
    world.setOnline(1, true)
    world.settle()
    #expect(world.facts(of: 1).contains(.tokenExpired(Items.zone)))
    #expect(try names(on: 1, in: world) == ["MINE", "R", "S0", "S1", "S2", "S4", "S5"])
    #expect(world.held(Items.zone).map(\.recordName) == ["MINE", "R", "S0", "S1", "S2", "S4", "S5"])
  }

  @Test func `a feed that repeats its token is not read for a while and reported`() throws {
    var world = try world()
    world.fault(.stuckToken, on: FaultScope(.fetchDatabaseChanges))
    world.wish(0, .foreground)
    world.wait(1_000)
    #expect(world.facts(of: 0).contains(.tokenStuck(nil)))
    #expect(world.requests.suffix(10).filter { $0.at > world.now.advanced(byMilliseconds: -1_000) }.count < 3)
    #expect(world.devices[0].coordinator.nextDeadline != nil)
  }

  @Test func `no data of one account reaches another, and its unsent edits are in the journal`() throws {
    var world = try world()
    world.setOnline(0, false)
    try world.edit(0, Items.save("SECRET", ["a": "1"]))
    world.signIn(0, "other")
    world.setOnline(0, true)
    world.settle()
    #expect(try names(on: 0, in: world) == [])
    #expect(world.held(Items.zone, of: "other").isEmpty)
    #expect(try world.devices[0].store.conflicts(limit: 9).map(\.rule) == ["accountChanged"])
    world.signIn(0, "nanny")
    world.settle()
    #expect(try names(on: 0, in: world) == ["R"])
  }

  @Test func `an edit in quarantine survives a reset that keeps what is pending`() throws {
    var world = try World(devices: 1)
    world.refuse(.invalidArguments, on: FaultScope(.modifyRecords))
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.settle()
    #expect(try world.devices[0].store.census().quarantined == 1)
    try world.reset(0, .local(keepingPending: true))
    #expect(try names(on: 0, in: world) == ["R"])
  }

  @Test func `with nothing going on there is one fetch a day, of all zones, and one look at the subscription`() throws {
    var world = try world()
    // The first one also reads what the device itself wrote.
    world.wait(86_400_000)
    let requests = world.requests.count
    world.wait(3 * 86_400_000)
    #expect(world.requests.count == requests + 2 * 4 * 3)
  }

  @Test func `a sync that finds nothing new writes to the disk once`() throws {
    var world = try world()
    world.wait(86_400_000)
    let commits = world.devices[0].store.commitCount
    world.wish(0, .foreground)
    world.settle()
    #expect(world.devices[0].store.commitCount == commits + 1)
  }

  @Test func `two devices with one copied store notice it, take names of their own and agree`() throws {
    var world = try world()
    world.restart(1, over: world.devices[0].store)
    for index in 0...1 { try world.edit(index, Items.save("R", ["a": "copy \(index)"])) }
    world.settle()
    for index in 0...1 { world.wish(index, .foreground) }
    world.settle()
    #expect(world.devices[0].coordinator.deviceID != world.devices[1].coordinator.deviceID)
    #expect(world.devices[0].coordinator.pushToken != world.devices[1].coordinator.pushToken)
    let held = world.held(Items.zone).map(\.fields)
    for device in world.devices {
      #expect(try device.store.records(ofType: "Item").map { $0.local?.fields } == held)
    }
  }

  @Test func `signing in again to the account that the cloud refused makes it try again`() throws {
    var world = try world()
    world.refuse(.notAuthenticated, on: FaultScope(deviceID: "A"))
    world.wish(0, .foreground)
    world.settle()
    let requests = world.requests.count
    world.endFaults()
    world.wish(0, .foreground)
    world.settle()
    #expect(world.requests.count == requests)
    world.signIn(0, "nanny")
    world.settle()
    #expect(world.requests.count > requests)
  }
}
