import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage
import ZoneKitSync
import Testing
import ZoneKitCloud

/// Saving a whole state and going back to it.
struct StoresSnapshotTests {
  private static let later = StoresWorld.now.advanced(byMilliseconds: 1_000)

  /// A world with a cloud and a device, saved as `before` and changed since.
  private static func changedWorld() throws -> StoresWorld {
    let world = try StoresWorld()
    try world.save(["R1": "one"])
    try world.makeDevice("A", [StoresWorld.synced("R1", try world.version("R1"))])
    _ = try Snapshots(of: world.data).save("before", version: "1", at: StoresWorld.now)
    try world.save(["R1": "other", "R2": "two"])
    try world.makeDevice("A", [StoresWorld.edited("R3", "three")])
    try world.makeDevice("B")
    return world
  }

  private static func isBefore(_ world: StoresWorld) throws -> Bool {
    try world.cloudRecords() == ["R1": StoresWorld.text("one").fields] && world.deviceRecords("A") == ["R1"]
      && world.data.deviceNames() == ["A"]
  }

  @Test func `a restored world is the one that was saved, and what it was is among the backups`() throws {
    let world = try Self.changedWorld()
    let backup = try Snapshots(of: world.data).restore("before", at: Self.later).backup
    #expect(try Self.isBefore(world))
    #expect(backup == "\(world.data.backups)/20260814T063106.250Z-restore")
    let kept = DataDirectory(backup)
    #expect(try kept.deviceNames() == ["A", "B"])
    #expect(try DeviceFile.readOnly(folder: try kept.device("A")).census().pending == 1)
    #expect(Folder.exists(kept.cloud))
    #expect(try Folder.names(in: world.root) == ["backups", "cloud", "devices", "snapshots"])
    #expect(try Snapshots(of: world.data).list().map(\.name) == ["before"])
  }

  @Test func `a list has name, time, size and devices, and no incomplete copy`() throws {
    let world = try Self.changedWorld()
    let unnamed = try Snapshots(of: world.data).save(nil, version: "1", at: Self.later)
    try Folder.make(world.data.snapshots + "/.new-cut/devices")
    try Folder.make(world.data.snapshots + "/stranger")
    let list = try Snapshots(of: world.data).list()
    #expect(list.map(\.name) == ["20260814T063106.250Z", "before"])
    #expect(list[0] == unnamed)
    #expect(list[0].devices == ["A", "B"])
    #expect(list[0].savedAt == Self.later)
    #expect(list[1].devices == ["A"])
    let sizes = try world.files("/snapshots/before").compactMap { $0.split(separator: " ").last.flatMap { Int64($0) } }
    #expect(list[1].bytes == sizes.reduce(0, +))
  }

  @Test func `a save beside running processes holds what they committed`() throws {
    let world = try StoresWorld()
    let store = try CloudFiles(root: world.data.cloud)
    var server = ZoneServer(store: store)
    var generator = SystemGenerator()
    server.receive(
      .modifyZones([.create(StoresWorld.notes)]), ticket: Ticket(1), in: StoresWorld.database,
      from: Caller(user: "nanny"), at: StoresWorld.now, using: &generator)
    _ = server.endTurn(using: &generator)
    let cloudLock = try DirectoryLock(world.data.cloud)
    let deviceLock = try DirectoryLock(try world.data.device("A"))
    let device = try DeviceFile(folder: try world.data.device("A"))
    try device.commit(DeviceTransition(records: [StoresWorld.edited("R1", "mine")]))

    let saved = try Snapshots(of: world.data).save("live", version: "1", at: StoresWorld.now)

    let copy = DataDirectory(saved.path)
    #expect(try DeviceFile.readOnly(folder: try copy.device("A")).records(ofType: "Note").count == 1)
    #expect(try CloudFiles.readOnly(root: copy.cloud).zones(in: StoresWorld.database).map(\.zoneName) == ["Notes"])
    #expect(try world.files("/snapshots").allSatisfy { !$0.contains("-wal") && !$0.contains("-shm") })
    withExtendedLifetime((cloudLock, deviceLock, device)) {}
    server.store.close()
  }

  @Test(arguments: ["cloud", "devices/A"])
  func `a restore is refused while somebody runs, and changes nothing`(folder: String) throws {
    let world = try Self.changedWorld()
    let before = try world.files()
    let lock = try DirectoryLock("\(world.root)/\(folder)")
    let error = StoresWorld.error { _ = try Snapshots(of: world.data).restore("before", at: Self.later) }
    #expect(error?.kind == .unavailable)
    #expect(error?.description.contains("process \(StoresWorld.pid)") == true)
    #expect(try world.files() == before)
    withExtendedLifetime(lock) {}
  }

  @Test func `names that are taken, unknown, empty or too long are refused and change nothing`() throws {
    let world = try Self.changedWorld()
    let before = try world.files()
    let snapshots = Snapshots(of: world.data)
    #expect(
      StoresWorld.error { _ = try snapshots.save("before", version: "1", at: Self.later) }
        == .input("there is a snapshot before already; choose another name"))
    #expect(
      StoresWorld.error { _ = try snapshots.restore("after", at: Self.later) }
        == .input("there is no snapshot after in \(world.data.snapshots); there are before"))
    for name in ["", String(repeating: "n", count: 241)] {
      #expect(StoresWorld.error { _ = try snapshots.save(name, version: "1", at: Self.later) }?.kind == .input)
      #expect(StoresWorld.error { _ = try snapshots.restore(name, at: Self.later) }?.kind == .input)
    }
    let empty = try StoresWorld()
    #expect(
      StoresWorld.error { _ = try Snapshots(of: empty.data).save("x", version: "1", at: Self.later) }?.kind == .input)
    #expect(try world.files() == before)
    #expect(try empty.files() == [])
  }

  @Test func `a snapshot's name cannot reach another folder`() throws {
    let world = try Self.changedWorld()
    let before = try world.files()
    for name in ["../x", ".x", "a/b"] {
      let error = StoresWorld.error { _ = try Snapshots(of: world.data).save(name, version: "1", at: Self.later) }
      #expect(error?.kind == .input)
    }
    #expect(try world.files() == before)
  }

  /// How far a restore came before it was killed: so many of its moves were made.
  @Test(arguments: 0...5) func `a restore that was killed is finished by the next process`(moves: Int) throws {
    let world = try Self.changedWorld()
    let swap = StateSwap(data: world.data)
    let snapshot = try #require(try Snapshots(of: world.data).list().first)
    _ = try swap.prepare(from: snapshot.path, devices: snapshot.devices, backup: "kept")
    let kept = "\(world.data.backups)/kept"
    let steps = [
      (world.data.devices, kept + "/devices"), (world.root + "/.restoring/devices", world.data.devices),
      (world.data.cloud, kept + "/cloud"), (world.root + "/.restoring/cloud", world.data.cloud),
      (world.root + "/.restoring", world.root + "/.restoring.new"),
    ]
    try Folder.make(kept)
    for (from, to) in steps.prefix(moves) { try Folder.rename(from, to: to) }

    try StateSwap(data: world.data).finishInterrupted()

    #expect(try Self.isBefore(world))
    #expect(try DataDirectory(kept).deviceNames() == ["A", "B"])
    #expect(!Folder.exists(world.root + "/.restoring"))
  }

  @Test func `a restore that was killed while it copied leaves the old state, and the next one begins anew`() throws {
    let world = try Self.changedWorld()
    try Folder.make(world.root + "/.restoring.new/devices/Z")
    let before = try world.deviceRecords("A")
    try StateSwap(data: world.data).finishInterrupted()
    #expect(try world.deviceRecords("A") == before)
    _ = try Snapshots(of: world.data).restore("before", at: Self.later)
    #expect(try Self.isBefore(world))
  }

  @Test func `what somebody made during a killed restore is not overwritten`() throws {
    let world = try Self.changedWorld()
    let swap = StateSwap(data: world.data)
    _ = try swap.prepare(from: world.data.snapshots + "/before", devices: ["A"], backup: "kept")
    try Folder.make(world.data.backups + "/kept")
    try Folder.rename(world.data.devices, to: world.data.backups + "/kept/devices")
    try world.makeDevice("C")
    let error = StoresWorld.error { try swap.finishInterrupted() }
    #expect(error?.kind == .unavailable)
    #expect(error?.description.contains("it was made during a restore") == true)
    #expect(try world.data.deviceNames() == ["C"])
  }
}
