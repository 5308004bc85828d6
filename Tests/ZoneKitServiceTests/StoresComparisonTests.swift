import ZoneKitRecords
import ZoneKitService
import ZoneKitSimulator
import ZoneKitStorage
import ZoneKitSync
import Testing

/// Two devices and the cloud compared on files.
struct StoresComparisonTests {
  private static let later = StoresWorld.now.advanced(byMilliseconds: 60_000)

  private static func compare(_ world: StoresWorld, _ first: String = "A", _ second: String = "B") throws
    -> StoreComparison
  {
    var app = ItemsApp.app
    app.container = StoresWorld.container
    return try StoreComparison(
      of: first, and: second, in: world.data, app: app, environment: .development, now: later)
  }

  @Test func `devices that show what the cloud holds are equal to it, and nothing is written`() throws {
    let world = try StoresWorld()
    try world.save(["R1": "one", "R2": "two"])
    for name in ["A", "B"] {
      try world.makeDevice(
        name, [StoresWorld.synced("R1", try world.version("R1")), StoresWorld.synced("R2", try world.version("R2"))])
    }
    let before = try world.files()
    let comparison = try Self.compare(world)
    #expect(comparison.compared == 2)
    #expect(comparison.differences == [])
    #expect(try world.files() == before)
  }

  @Test func `an edit that was not sent is named with its fields and its device`() throws {
    let world = try StoresWorld()
    try world.save(["R1": "one"])
    let version = try world.version("R1")
    try world.makeDevice("A", [StoresWorld.edited("R1", "mine", from: version)])
    try world.makeDevice("B", [StoresWorld.synced("R1", version)])
    let difference = try #require(try Self.compare(world).differences.first)
    #expect(difference.fields == ["text"])
    #expect(difference.recordType == "Note")
    #expect([difference.first, difference.second, difference.cloud] == [["mine"], ["one"], ["one"]])
    #expect(
      difference.reasons == ["A changed it at 2026-08-14T06:31:05.250Z and has not sent that yet: it is not running"])
  }

  @Test func `a deletion that a device has not seen is reported with both times`() throws {
    let world = try StoresWorld()
    try world.save(["R1": "one"])
    let version = try world.version("R1")
    let fetched = ValueChange(.fetchLastSucceededAt, .integer(StoresWorld.now.milliseconds + 1))
    try world.makeDevice("A")
    try world.makeDevice("B", [StoresWorld.synced("R1", version)], values: [fetched])
    let operation = RecordOperation(.forceDelete, recordName: "R1")
    try world.ask(
      .modifyRecords(ModifyRecords(zoneID: StoresWorld.notes, operations: [operation], isAtomic: true)),
      at: StoresWorld.now.advanced(byMilliseconds: 10_000))
    let lock = try DirectoryLock(try world.data.device("B"))
    let difference = try #require(try Self.compare(world).differences.first)
    #expect([difference.first, difference.second, difference.cloud] == [nil, [], nil])
    #expect(
      difference.reasons == [
        "B has not seen that it was deleted on the cloud at 2026-08-14T06:31:15.250Z, its last fetch was at "
          + "2026-08-14T06:31:05.251Z: the push was lost, none ever came"
      ])
    withExtendedLifetime(lock) {}
  }

  @Test func `zones of any of the three are compared, but not the journal's`() throws {
    let world = try StoresWorld()
    try world.save(["R1": "one"])
    try world.save(["C1": "talk"], zone: ZoneID(zoneName: "ConflictJournal"))
    let owned = ZoneID(zoneName: "Mine", owner: .user(UserRecordName.of(user: "nanny")))
    let record = LocalRecord(
      recordID: RecordID(recordName: "M1", zoneID: owned), recordType: "Note", local: StoresWorld.text("m"),
      revision: 1, pendingSince: StoresWorld.now)
    try world.makeDevice("A", [record])
    try world.makeDevice("B")
    let comparison = try Self.compare(world)
    #expect(comparison.compared == 2)
    #expect(comparison.differences.map(\.zoneName) == ["Mine", "Notes"])
  }

  @Test func `a zone that was deleted on the cloud is the reason for all its records`() throws {
    let world = try StoresWorld()
    try world.save(["R1": "one"])
    try world.makeDevice("A", [StoresWorld.synced("R1", try world.version("R1"))])
    try world.makeDevice("B")
    try world.ask(.modifyZones([.delete(StoresWorld.notes)]))
    let difference = try #require(try Self.compare(world).differences.first)
    #expect(difference.reasons.first?.contains("its zone was deleted on the cloud") == true)
  }

  @Test func `a feed of many pages is compared to its end`() throws {
    let world = try StoresWorld()
    for hundred in 0..<3 {
      let names = (0..<150).map { Name("R\(hundred * 150 + $0)") }
      try world.save(Dictionary(uniqueKeysWithValues: names.map { ($0, "x") }))
    }
    try world.makeDevice("A")
    try world.makeDevice("B")
    #expect(try Self.compare(world).differences.count == 450)
  }

  @Test func `unknown devices, one device twice and two accounts are refused`() throws {
    let world = try StoresWorld()
    try world.save(["R1": "one"])
    try world.makeDevice("A")
    try world.makeDevice("B", values: [ValueChange(.account, .text("bob"))])
    #expect(StoresWorld.error { _ = try Self.compare(world, "A", "C") }?.kind == .input)
    #expect(StoresWorld.error { _ = try Self.compare(world, "A", "A") }?.kind == .input)
    #expect(
      StoresWorld.error { _ = try Self.compare(world) }
        == .input("A holds data of nanny and B of bob; they have nothing in common"))
  }

  @Test func `a device or a cloud that cannot be read is said so`() throws {
    let world = try StoresWorld()
    try world.makeDevice("A")
    try world.makeDevice("B")
    #expect(
      StoresWorld.error { _ = try Self.compare(world) } == .unavailable("there is no cloud in \(world.data.cloud)"))
    try world.save(["R1": "one"])
    let damaged = Array("this is no database, however long it may be".utf8)
    try Folder.write(damaged, to: try world.data.device("B") + "/device.sqlite")
    #expect(StoresWorld.error { _ = try Self.compare(world) }?.kind == .unavailable)
    try world.makeDevice("C")
    let zone = "\(world.data.cloud)/iCloud.a/development/nanny/private/zones/Notes.zone"
    try Folder.write(damaged, to: zone)
    #expect(StoresWorld.error { _ = try Self.compare(world, "A", "C") }?.kind == .unavailable)
  }
}
