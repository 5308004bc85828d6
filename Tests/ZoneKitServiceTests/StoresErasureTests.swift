import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage
import Testing

/// Wiping a device wholly.
struct StoresErasureTests {
  @Test func `an erased device leaves nothing, and the others and the cloud stay`() throws {
    let world = try StoresWorld()
    try world.save(["R1": "one"])
    try world.makeDevice("A", [StoresWorld.edited("R1", "mine")])
    try world.makeDevice("B")
    let others = try world.files("/devices/B") + world.files("/cloud")

    let backup = try DeviceErasure(of: "A", in: world.data).perform(backingUp: false, at: StoresWorld.now)

    #expect(backup == nil)
    #expect(try Folder.names(in: world.data.devices) == ["B"])
    #expect(try world.files("/devices/B") + world.files("/cloud") == others)
    #expect(!Folder.exists(world.data.backups))
  }

  @Test func `a backup of an erased device opens as that device`() throws {
    let world = try StoresWorld()
    try world.makeDevice("A", [StoresWorld.edited("R1", "mine")])
    let path = try #require(
      try DeviceErasure(of: "A", in: world.data).perform(backingUp: true, at: StoresWorld.now))
    #expect(path == "\(world.data.backups)/20260814T063105.250Z-erase-A")
    #expect(try DeviceFile.readOnly(folder: path + "/devices/A").census().pending == 1)
  }

  @Test func `a plan counts what would go and takes nothing away`() throws {
    let world = try StoresWorld()
    try world.makeDevice("A", [StoresWorld.edited("R1", "mine"), StoresWorld.synced("R2", nil)])
    let before = try world.files()
    let plan = try DeviceErasure(of: "A", in: world.data).plan()
    #expect(plan.store?.records == 1)
    #expect(plan.store?.unsent == 1)
    #expect(plan.store?.positions == 2)
    #expect(plan.files == 1)
    #expect(try world.files() == before)
  }

  @Test func `a device whose store is damaged can be erased`() throws {
    let world = try StoresWorld()
    let folder = try world.data.device("A")
    try Folder.make(folder)
    try Folder.write(Array("this is no database, however long it may be".utf8), to: folder + "/device.sqlite")
    let erasure = try DeviceErasure(of: "A", in: world.data)
    #expect(try erasure.plan().store == nil)
    _ = try erasure.perform(backingUp: false, at: StoresWorld.now)
    #expect(try Folder.names(in: world.data.devices) == [])
  }

  @Test func `a device that nobody knows is refused with the names of those that are there`() throws {
    let world = try StoresWorld()
    try world.makeDevice("A")
    try world.makeDevice("B")
    let error = StoresWorld.error { _ = try DeviceErasure(of: "C", in: world.data) }
    #expect(error == .input("there is no device C in \(world.data.devices); there are A, B"))
    #expect(StoresWorld.error { _ = try DeviceErasure(of: "../A", in: world.data) }?.kind == .input)
  }

  @Test func `a running device is not erased, and its process is named`() throws {
    let world = try StoresWorld()
    try world.makeDevice("A")
    let lock = try DirectoryLock(try world.data.device("A"))
    let error = StoresWorld.error {
      _ = try DeviceErasure(of: "A", in: world.data).perform(backingUp: true, at: StoresWorld.now)
    }
    #expect(error?.kind == .unavailable)
    #expect(error?.description.contains("process \(StoresWorld.pid)") == true)
    #expect(try world.deviceRecords("A") == [])
    #expect(!Folder.exists(world.data.backups))
    withExtendedLifetime(lock) {}
  }

  @Test func `what an erasure left that was killed is no device and goes with the next one`() throws {
    let world = try StoresWorld()
    try world.makeDevice("A")
    try world.makeDevice("B")
    try Folder.rename(try world.data.device("A"), to: world.data.devices + "/.erasing-A")
    #expect(try world.data.deviceNames() == ["B"])
    _ = try DeviceErasure(of: "B", in: world.data).perform(backingUp: false, at: StoresWorld.now)
    #expect(try Folder.names(in: world.data.devices) == [])
  }
}
