import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage
import ZoneKitSync
import Testing
import ZoneKitCloud

/// Emptying zones and the cloud as a whole.
struct StoresResetTests {
  private static let other = DatabaseID(
    container: StoresWorld.container, environment: .development, user: "bob", scope: .private)
  private static let diary = ZoneID(zoneName: "Diary")
  private static let later = StoresWorld.now.advanced(byMilliseconds: 1_000)

  /// Two accounts with a zone `Notes`, one of them also with a zone `Diary`, and a device.
  private static func world() throws -> StoresWorld {
    let world = try StoresWorld()
    try world.save(["R1": "one", "R2": "two"])
    try world.save(["D1": "day"], zone: diary)
    try world.save(["B1": "bob's"], in: other)
    try world.makeDevice("A", [StoresWorld.synced("R1", try world.version("R1"))])
    return world
  }

  @discardableResult
  private static func reset(
    _ target: ResetTarget, in world: StoresWorld, backingUp: Bool = false
  ) throws -> (plan: ResetPlan, backup: String?) {
    var generator = SplitMix64(seed: 2)
    return try ScriptedReset(target, in: world.data).perform(backingUp: backingUp, at: later, using: &generator)
  }

  @Test func `the records of a zone of one account become tombstones, and nothing else changes`() throws {
    let world = try Self.world()
    let device = try world.files("/devices")
    let done = try Self.reset(.cloud(ZoneFilter(zoneName: "Notes", user: "nanny")), in: world)
    #expect(try world.cloudRecords() == ["R1": StoresWorld.tombstone, "R2": StoresWorld.tombstone])
    #expect(try world.cloudRecords(zone: "Diary") == ["D1": StoresWorld.text("day").fields])
    #expect(try world.cloudRecords(in: Self.other) == ["B1": StoresWorld.text("bob's").fields])
    #expect(try world.files("/devices") == device)
    #expect(done.backup == nil)
    let zone = ZoneKey(database: StoresWorld.database, zoneName: "Notes")
    #expect(done.plan == ResetPlan(zones: [ZonePlan(zone: zone, records: 2)], devices: []))
  }

  @Test func `a device with an earlier token gets every deletion, and its token stays valid`() throws {
    let world = try Self.world()
    func fetch(_ token: ChangeToken?) throws -> ZoneChanges? {
      let query = ZoneChangesQuery(zoneID: StoresWorld.notes, token: token)
      guard case .zoneChanges(let results) = try world.ask(.fetchZoneChanges([query]))[0],
        case .changes(let changes)? = results.first
      else { return nil }
      return changes
    }
    let token = try #require(try fetch(nil)?.token)
    try Self.reset(.cloud(ZoneFilter()), in: world)
    let news = try #require(try fetch(token))
    let deleted = news.page.changes.compactMap { change in
      if case .deleted(let name, _) = change { name } else { nil }
    }
    #expect(deleted == ["R1", "R2"])
  }

  @Test func `subscriptions and registrations stay when the cloud is emptied`() throws {
    let world = try Self.world()
    let subscription = Subscription(subscriptionID: "s", kind: .database, notificationInfo: .silent)
    try world.ask(.modifySubscriptions([.create(subscription)]))
    let before = try CloudFiles.readOnly(root: world.data.cloud).database(StoresWorld.database)
    try Self.reset(.cloud(ZoneFilter()), in: world)
    let after = try CloudFiles.readOnly(root: world.data.cloud).database(StoresWorld.database)
    #expect(after.subscriptions.map(\.subscriptionID) == ["s"])
    #expect(after.subscriptions == before.subscriptions)
    #expect(after.identity == before.identity)
    #expect(try world.cloudRecords(in: Self.other) == ["B1": StoresWorld.tombstone])
    #expect(try world.cloudRecords(zone: "Diary") == ["D1": StoresWorld.tombstone])
  }

  @Test func `a backup of the cloud holds the records that went`() throws {
    let world = try Self.world()
    let path = try #require(
      try Self.reset(.cloud(ZoneFilter(zoneName: "Notes")), in: world, backingUp: true).backup)
    #expect(path == "\(world.data.backups)/20260814T063106.250Z-zone-Notes")
    let query = FeedQuery(position: 0, isReversed: false, limit: 10, recordTypes: nil)
    let zone = ZoneKey(database: StoresWorld.database, zoneName: "Notes")
    let kept = try CloudFiles.readOnly(root: path + "/cloud").feed(query, in: zone).page
    #expect(kept.rows.map(\.isDeleted) == [false, false])
  }

  @Test func `a plan counts the records of each zone and takes nothing away`() throws {
    let world = try Self.world()
    let before = try world.files()
    let plan = try ScriptedReset(.cloud(ZoneFilter()), in: world.data).plan()
    #expect(plan.zones.map(\.zone.zoneName) == ["Notes", "Diary", "Notes"])
    #expect(plan.zones.map(\.records) == [1, 1, 2])
    #expect(plan.cloudRecords == 4)
    #expect(try world.files() == before)
  }

  @Test func `a zone that nobody knows is refused with the names of those that are there`() throws {
    let world = try Self.world()
    let filter = ZoneFilter(zoneName: "Note", environment: .production)
    let error = StoresWorld.error { _ = try ScriptedReset(.cloud(filter), in: world.data) }
    #expect(error?.kind == .input)
    #expect(error?.description.contains("Diary of nanny (iCloud.a, development, private)") == true)
    let empty = try StoresWorld()
    #expect(StoresWorld.error { _ = try ScriptedReset(.cloud(ZoneFilter()), in: empty.data) }?.kind == .input)
    #expect(try empty.files() == [])
  }

  @Test func `the cloud of a running server is not emptied, and its process is named`() throws {
    let world = try Self.world()
    let before = try world.files()
    let lock = try DirectoryLock(world.data.cloud)
    let error = StoresWorld.error { try Self.reset(.cloud(ZoneFilter()), in: world, backingUp: true) }
    #expect(error?.kind == .unavailable)
    #expect(error?.description.contains("process \(StoresWorld.pid)") == true)
    #expect(try world.files() == before)
    withExtendedLifetime(lock) {}
  }
}
