import Testing
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitStorage
import ZoneKitSync

@testable import ZoneKitService

/// How all devices of a folder stand to their cloud, from files.
struct AgreementTests {
  private static let later = StoresWorld.now.advanced(byMilliseconds: 60_000)

  private static func agreement(_ world: StoresWorld, _ cache: AgreementCache = AgreementCache()) throws -> Agreement {
    var app = ItemsApp.app
    app.container = StoresWorld.container
    let dump = try DiagnosticsDump(of: world.data, apps: [app], version: "7", at: later).document
    return Agreement(in: world.data, apps: [app], dump: dump, cache: cache, now: later)
  }

  /// Three records of which A has all as they are, B an edit and an older version, and C one.
  private static func world() throws -> StoresWorld {
    let world = try StoresWorld()
    try world.save(["R1": "one", "R2": "two", "R3": "three"])
    let versions = try ["R1", "R2", "R3"].map { try world.version(Name($0)) }
    try world.makeDevice("A", zip(["R1", "R2", "R3"], versions).map { StoresWorld.synced(Name($0), $1) })
    try world.makeDevice("C", [StoresWorld.synced("R1", versions[0])])
    var old = versions[1]
    old?.content = StoresWorld.text("before")
    old?.changeTag = ChangeTag("0")
    try world.makeDevice(
      "B",
      [
        StoresWorld.edited("R1", "mine", from: versions[0]), StoresWorld.synced("R2", old),
        StoresWorld.synced("R3", versions[2]),
      ])
    return world
  }

  @Test func `each device that differs has a sentence, and counts what it lacks and what it has not sent`() throws {
    let agreement = try Self.agreement(try Self.world())
    #expect(
      agreement.sentences == [
        "B is behind by 1 record: it is not running; it has 1 edit that the cloud has not: it is not running",
        "C is behind by 2 records: it is not running", "A holds the same 3 records as the cloud",
      ])
    #expect(agreement.devices.map(\.name) == ["A", "B", "C"])
    #expect(agreement.devices.map { $0.standing?.alike } == [3, 1, 1])
  }

  @Test func `the newest changes tell to which devices they came`() throws {
    let world = try Self.world()
    try world.save(["R3": "changed"], at: StoresWorld.now.advanced(byMilliseconds: 9_000))
    let change = try #require(try Self.agreement(world).changes.first)
    #expect(change.recordID == StoresWorld.recordID("R3"))
    #expect(change.committedAt == StoresWorld.now.advanced(byMilliseconds: 9_000))
    #expect(change.hops.map(\.device) == ["A", "B", "C"])
    #expect(change.hops.map(\.isThere) == [false, false, false])
    #expect(change.hops.map(\.reason) == Array(repeating: "it is not running", count: 3))
  }

  @Test func `versions tell the same as contents do`() throws {
    let world = try Self.world()
    var app = ItemsApp.app
    app.container = StoresWorld.container
    let agreement = try Self.agreement(world)
    for (first, second) in [("A", "B"), ("B", "C"), ("A", "C")] {
      let comparison = try StoreComparison(
        of: first, and: second, in: world.data, app: app, environment: .development, now: Self.later)
      let own = agreement.devices.filter { [first, second].contains($0.name) }
      #expect(comparison.standings == own.map(\.standing))
    }
  }

  @Test func `what agreed is known until its files or the cloud's zones change`() throws {
    let standing = DeviceStanding(device: "A")
    var cache = AgreementCache()
    let world = try Self.world()
    let path = "\(try world.data.device("A"))/\(DeviceFile.fileName)"
    let stamps = FileStamp.database(path)
    cache.note(standing, stamps, ["seq": 1])
    #expect(cache.standing(of: "A", stamps, ["seq": 1]) == standing)
    #expect(cache.standing(of: "A", stamps, ["seq": 2]) == nil)
    #expect(cache.standing(of: "A", stamps, nil) == nil)
    #expect(cache.standing(of: "A", FileStamp.database(path + "x"), ["seq": 1]) == nil)
    cache.note(standing, stamps, nil)
    #expect(cache.standing(of: "A", stamps, ["seq": 1]) == nil)
  }

  @Test func `a second look finds the same as the first`() throws {
    let world = try Self.world()
    let first = try Self.agreement(world)
    let second = try Self.agreement(world, first.cache)
    #expect(second.sentences == first.sentences)
    #expect(second.changes.map(\.recordID) == first.changes.map(\.recordID))
    try world.save(["R4": "new"])
    #expect(try Self.agreement(world, second.cache).sentences.first == "A is behind by 1 record: it is not running")
  }
}
