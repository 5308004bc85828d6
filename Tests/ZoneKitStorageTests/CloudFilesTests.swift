import ZoneKitRecords
import Testing
import ZoneKitCloud

@testable import ZoneKitStorage

@Suite struct `files of the cloud` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var root: String { folder + "cloud" }
  private var zones: String { "\(root)/\(CloudSamples.zonesFolder)" }
  private var databaseFile: String { "\(root)/\(CloudSamples.databaseFile)" }

  private func commit(_ names: [Name], in zone: Name, _ sequence: Int64, to store: CloudFiles) {
    store.stage(
      CloudSamples.change(of: zone, names: names, sequence: sequence, databaseSequence: sequence),
      in: CloudSamples.zone(zone))
    #expect(store.commit() == [])
  }

  private func makeCloud(identity: UInt64 = 5) throws {
    let store = try CloudFiles(root: root)
    store.stage(DatabaseTransition(identity: identity), in: CloudSamples.database)
    commit(["a"], in: "one", 1, to: store)
    commit(["b"], in: "two", 2, to: store)
    #expect(store.memories[CloudSamples.database]?.unlisted == [])
  }

  @Test func `are not made by reading`() throws {
    let store = try CloudFiles(root: root)
    #expect(try store.database(CloudSamples.database) == DatabaseState())
    #expect(try store.zone(CloudSamples.zone("one")) == nil)
    #expect(!Folder.exists(root))
    #expect(try store.databases() == [])
  }

  @Test func `are plain after a clean end`() throws {
    try makeCloud()
    #expect(try Folder.names(in: zones) == ["one.zone", "two.zone"])
    #expect(try Folder.names(in: zones + "/..") == ["database.sqlite", "zones"])
    #expect(try CloudFiles(root: root).databases() == [CloudSamples.database])
  }

  @Test func `are open three at a time, even if more have staged changes`() throws {
    let store = try CloudFiles(root: root, openZoneLimit: 3)
    let names = (0..<10).map { Name("zone\($0)") }
    for round in 1...3 as ClosedRange<Int64> {
      for name in names {
        store.stage(
          CloudSamples.change(of: name, names: [Name("r\(round)")], sequence: round), in: CloudSamples.zone(name))
      }
      #expect(store.zoneFiles.count == 10)
      #expect(store.commit() == [])
      #expect(store.zoneFiles.count == 3)
    }
    for name in names { #expect(try CloudSamples.names(in: name, of: store) == ["r1", "r2", "r3"]) }
    #expect(store.zoneFiles.count == 3)
  }

  @Test(arguments: ["ABORT", "ROLLBACK"])
  func `keep nothing of a turn in which one change could not be written`(reaction: String) throws {
    let store = try CloudFiles(root: root)
    commit(["a"], in: "one", 1, to: store)
    let connection = try #require(try store.file(of: CloudSamples.zone("one"))).connection
    try connection.execute(
      """
      CREATE TEMP TRIGGER no AFTER INSERT ON main.records WHEN NEW.name = 'poison'
      BEGIN SELECT RAISE(\(reaction), 'not today'); END
      """)
    for (sequence, name) in [(2, "b"), (3, "poison"), (4, "c")] as [(Int64, Name)] {
      var change = CloudSamples.change(of: "one", names: [name], sequence: sequence, databaseSequence: sequence)
      change.records[0].modified.author.deviceID = "new device"
      store.stage(change, in: CloudSamples.zone("one"))
    }
    let failures = store.commit()
    #expect(failures.map(\.place) == [.zone(CloudSamples.zone("one"))])
    #expect(failures.first?.error?.message.contains("not today") == true)
    #expect(try store.database(CloudSamples.database).sequence == 1)
    var change = CloudSamples.change(of: "one", names: ["d"], sequence: 2)
    change.records[0].modified.author.deviceID = "new device"
    store.stage(change, in: CloudSamples.zone("one"))
    #expect(store.commit() == [])
    store.close()
    let again = try CloudFiles(root: root)
    #expect(try CloudSamples.names(in: "one", of: again) == ["a", "d"])
    #expect(try again.record("d", in: CloudSamples.zone("one"))?.modified.author.deviceID == "new device")
  }

  @Test func `need no database file, whose loss ends the database's tokens only once`() throws {
    try makeCloud()
    try Folder.remove(databaseFile)
    let store = try CloudFiles(root: root)
    #expect(try store.database(CloudSamples.database) == DatabaseState(identity: nil, sequence: 2))
    #expect(try store.zones(in: CloudSamples.database).map(\.zoneName) == ["one", "two"])
    store.stage(DatabaseTransition(identity: 6), in: CloudSamples.database)
    store.stage(
      DatabaseTransition(savedRegistrations: [PushRegistration(token: "t", environment: .development, deviceID: nil)]),
      in: CloudSamples.database)
    #expect(store.commit() == [])
    store.close()
    #expect(try CloudFiles(root: root).database(CloudSamples.database).identity == 6)
  }

  @Test func `may come from elsewhere, which ends the database's tokens`() throws {
    try makeCloud()
    let other = DatabaseID(container: "iCloud.a", environment: .development, user: "b", scope: .private)
    do {
      let store = try CloudFiles(root: root)
      store.stage(
        CloudSamples.change(of: "new", names: ["n"], sequence: 9, databaseSequence: 1),
        in: ZoneKey(database: other, zoneName: "new"))
      #expect(store.commit() == [])
    }
    try Folder.copyFile("\(root)/iCloud.a/development/b/private/zones/new.zone", to: zones + "/new.zone")
    let store = try CloudFiles(root: root)
    #expect(try store.database(CloudSamples.database).identity == nil)
    #expect(try CloudSamples.names(in: "new", of: store) == ["n"])
    #expect(try store.zones(in: CloudSamples.database).map(\.zoneName) == ["new", "one", "two"])
  }

  @Test func `may be taken away, which ends the database's tokens`() throws {
    try makeCloud()
    try Folder.remove(zones + "/two.zone")
    let store = try CloudFiles(root: root)
    #expect(try store.database(CloudSamples.database) == DatabaseState(identity: nil, sequence: 1))
    #expect(try store.zone(CloudSamples.zone("two")) == nil)
    commit(["c"], in: "two", 3, to: store)
    #expect(try CloudSamples.names(in: "two", of: store) == ["c"])
  }

  @Test func `of another zone's name are refused, naming both`() throws {
    try makeCloud()
    try Folder.copyFile(zones + "/one.zone", to: zones + "/copy.zone")
    let store = try CloudFiles(root: root)
    let error = #expect(throws: StoreError.self) { try store.database(CloudSamples.database) }
    #expect(error?.place == zones + "/copy.zone")
    #expect(error?.message.hasPrefix("the file holds zone one, whose file is one.zone") == true)
    try Folder.remove(zones + "/copy.zone")
    #expect(try store.database(CloudSamples.database).identity == 5)
  }

  @Test func `that are damaged fail with their name and do not hinder other databases`() throws {
    try makeCloud()
    var bytes = try #require(try Folder.read(zones + "/one.zone"))
    for index in 0..<bytes.count { bytes[index] ^= 0x55 }
    try Folder.write(bytes, to: zones + "/one.zone")
    let store = try CloudFiles(root: root)
    let error = #expect(throws: StoreError.self) { try store.zones(in: CloudSamples.database) }
    #expect(error?.kind == .corrupt)
    #expect(error?.place == zones + "/one.zone")
    store.stage(CloudSamples.change(of: "two", names: ["c"], sequence: 3), in: CloudSamples.zone("two"))
    #expect(store.commit().map(\.error) == [error])
    let other = DatabaseID(container: "iCloud.a", environment: .development, user: "b", scope: .private)
    store.stage(
      CloudSamples.change(of: "z", names: ["c"], sequence: 1), in: ZoneKey(database: other, zoneName: "z"))
    #expect(store.commit() == [])
  }

  @Test func `take zone names of any length, and user names of some`() throws {
    let store = try CloudFiles(root: root)
    let long = Name(String(repeating: "日", count: 255))
    commit(["a"], in: long, 1, to: store)
    store.close()
    let again = try CloudFiles(root: root)
    #expect(try again.zones(in: CloudSamples.database).map(\.zoneName) == [long])
    #expect(try CloudSamples.names(in: long, of: again) == ["a"])
    let user = DatabaseID(container: "c", environment: .development, user: long, scope: .private)
    again.stage(CloudSamples.change(of: "z", names: ["c"], sequence: 1), in: ZoneKey(database: user, zoneName: "z"))
    #expect(again.commit().map(\.error?.kind) == [.failed])
    #expect(throws: StoreError.self) { try again.database(user) }
  }

  @Test func `hold a great change back until it is committed`() throws {
    let store = try CloudFiles(root: root)
    commit(["a"], in: "one", 1, to: store)
    let names = (0..<5000).map { Name("n\($0)") }
    store.stage(
      CloudSamples.change(of: "one", names: names, sequence: 6000, fieldBytes: 2000), in: CloudSamples.zone("one"))
    try TemporaryFolder.copyAsCrashed(root, to: folder + "crashed")
    #expect(try CloudSamples.names(in: "one", of: CloudFiles(root: folder + "crashed")) == ["a"])
  }
}
