import Testing
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage

/// A cloud that comes from a folder outside of the data directory, and one that goes there.
struct CloudExchangeTests {
  private static let later = StoresWorld.now.advanced(byMilliseconds: 1_000)

  @Test func `a cloud that is brought replaces the present one, which is kept, and leaves devices alone`() throws {
    let seed = try StoresWorld()
    try seed.save(["R1": "seed"])
    try seed.makeDevice("S")
    let world = try StoresWorld()
    try world.save(["R2": "own"])
    try world.makeDevice("A")
    let backup = try CloudExchange.bring(seed.root, into: world.data, at: Self.later)
    #expect(try world.cloudRecords() == ["R1": StoresWorld.text("seed").fields])
    #expect(try world.data.deviceNames() == ["A"])
    #expect(backup == "\(world.data.backups)/20260814T063106.250Z-import")
    #expect(try Folder.names(in: backup ?? "") == ["cloud"])
    #expect(try seed.cloudRecords() == ["R1": StoresWorld.text("seed").fields])
  }

  @Test func `a first cloud leaves no backup`() throws {
    let seed = try StoresWorld()
    try seed.save(["R1": "seed"])
    let world = try StoresWorld()
    #expect(try CloudExchange.bring(seed.root, into: world.data, at: Self.later) == nil)
    #expect(try Folder.names(in: world.data.backups) == [])
  }

  @Test func `a folder without a cloud is refused, and nothing changes`() throws {
    let world = try StoresWorld()
    try world.save(["R2": "own"])
    #expect(throws: StoresError.self) {
      try CloudExchange.bring("\(world.root)/none", into: world.data, at: Self.later)
    }
    #expect(try world.cloudRecords() == ["R2": StoresWorld.text("own").fields])
  }

  @Test func `an export replaces an earlier one, and nothing else`() throws {
    let world = try StoresWorld()
    let target = "\(world.root)/exports/one"
    try Folder.make("\(world.root)/exports")
    for text in ["first", "second"] {
      try world.save(["R1": text])
      try CloudExchange.write(world.data, to: target + "/", version: "1", at: Self.later)
      let copy = try StoresWorld()
      _ = try CloudExchange.bring(target, into: copy.data, at: Self.later)
      #expect(try copy.cloudRecords() == ["R1": StoresWorld.text(text).fields])
    }
    #expect(try Folder.names(in: "\(world.root)/exports") == ["one"])
    try Folder.remove("\(target)/snapshot.json")
    #expect(throws: StoresError.self) {
      try CloudExchange.write(world.data, to: target, version: "1", at: Self.later)
    }
    #expect(try Folder.names(in: target) == ["cloud"])
  }
}
