import Glibc
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
    do {
      let store = try CloudFiles(root: folder + "other")
      store.stage(
        CloudSamples.change(of: "new", names: ["n"], sequence: 9, databaseSequence: 1), in: CloudSamples.zone("new"))
      #expect(store.commit() == [])
    }
    try Folder.copyFile("\(folder + "other")/\(CloudSamples.zonesFolder)/new.zone", to: zones + "/new.zone")
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
    let error = #expect(throws: StoreError.self) { try store.zone(CloudSamples.zone("copy")) }
    #expect(error?.place == zones + "/copy.zone")
    #expect(error?.message.hasPrefix("the file holds zone one, whose file is one.zone") == true)
    #expect(store.findings(in: CloudSamples.database) == error.map { [.unreadable("copy", $0)] })
    #expect(try store.unreadableZones(in: CloudSamples.database).map(\.known) == [nil])
    #expect(try store.database(CloudSamples.database).identity == 5, "such a file changes nothing")
    try Folder.remove(zones + "/copy.zone")
    store.close()
    #expect(try CloudFiles(root: root).database(CloudSamples.database).identity == 5)
  }

  /// Kinds of damage to the file of a zone with records.
  private static let damages: [@Sendable (String) throws -> Void] = [
    { path in try Folder.write((try Folder.read(path) ?? []).map { $0 ^ 0x55 }, to: path) },
    { path in try Folder.write([], to: path) },
    { path in try Folder.write(Array((try Folder.read(path) ?? []).prefix(3000)), to: path) },
    { path in try Folder.write(Array(repeating: 0, count: 8192), to: path) },
    { path in
      let connection = try Connection(path, as: .zone, access: .existing)
      try connection.execute("DELETE FROM zone")
    },
    { path in
      let connection = try Connection(path, as: .zone, access: .existing)
      try connection.execute("PRAGMA user_version = 1000")
    },
    { path in
      try Folder.remove(path)
      try Folder.make(path)
    },
    { path in
      try Folder.remove(path)
      mkfifo(path, 0o600)
    },
  ]

  @Test(arguments: damages.indices)
  func `that are damaged fail with their name and hinder nothing else`(damage: Int) throws {
    try makeCloud()
    try Self.damages[damage](zones + "/one.zone")
    let store = try CloudFiles(root: root)
    let error = #expect(throws: StoreError.self) { try store.zone(CloudSamples.zone("one")) }
    #expect(error?.place == zones + "/one.zone")
    #expect(throws: StoreError.self) { try store.record("a", in: CloudSamples.zone("one")) }
    #expect(try store.zones(in: CloudSamples.database).map(\.zoneName) == ["two"])
    let known = ZoneMark(
      incarnation: 7, sequence: 1, databaseSequence: 1, isDeleted: false, time: WallTime(milliseconds: 9))
    #expect(
      try store.unreadableZones(in: CloudSamples.database)
        == error.map { [UnreadableZone(name: "one", error: $0, known: known)] })
    #expect(try store.database(CloudSamples.database) == DatabaseState(identity: 5, sequence: 2))
    store.stage(CloudSamples.change(of: "one", names: ["c"], sequence: 3), in: CloudSamples.zone("one"))
    #expect(store.commit().map(\.error?.place) == [zones + "/one.zone"])
    commit(["c"], in: "two", 3, to: store)
    #expect(try CloudSamples.names(in: "two", of: store) == ["b", "c"])
  }

  @Test func `may be put back while the cloud runs`() throws {
    try makeCloud()
    let copy = folder + "copy.zone"
    try Folder.copyFile(zones + "/one.zone", to: copy)
    try Folder.write(Array(repeating: 1, count: 5000), to: zones + "/one.zone")
    let store = try CloudFiles(root: root)
    #expect(throws: StoreError.self) { try store.zone(CloudSamples.zone("one")) }
    #expect(store.commit() == [])
    try Folder.rename(copy, to: zones + "/one.zone")
    #expect(try store.zone(CloudSamples.zone("one"))?.incarnation == 7, "nothing is missing in the copy")
    #expect(try CloudSamples.names(in: "one", of: store) == ["a"])
    #expect(store.findings(in: CloudSamples.database) == [])
    #expect(try store.database(CloudSamples.database).identity == 5)
  }

  @Test func `that lack commits go on in a new incarnation, and use no number again`() throws {
    try makeCloud()
    let copy = folder + "copy.zone"
    try Folder.copyFile(zones + "/one.zone", to: copy)
    do {
      let store = try CloudFiles(root: root)
      commit(["x", "y"], in: "one", 4, to: store)
    }
    try Folder.rename(copy, to: zones + "/one.zone")
    let store = try CloudFiles(root: root)
    let header = try #require(try store.zone(CloudSamples.zone("one")))
    #expect(header.incarnation != 7)
    #expect((header.sequence, header.databaseSequence) == (4, 5))
    #expect(try store.database(CloudSamples.database) == DatabaseState(identity: 5, sequence: 5))
    #expect(try CloudSamples.names(in: "one", of: store) == ["a"])
    let finding = RenewedZone(place: zones + "/one.zone", sequence: 1, knownSequence: 4)
    #expect(store.findings(in: CloudSamples.database) == [.renewed("one", finding)])
    store.close()
    let again = try CloudFiles(root: root)
    #expect(try again.zone(CloudSamples.zone("one")) == header, "once is enough")
    #expect(again.findings(in: CloudSamples.database) == [])
  }

  @Test(arguments: [false, true])
  func `that are replaced while the cloud runs are read anew`(isOpen: Bool) throws {
    let store = try CloudFiles(root: root)
    commit(["a"], in: "one", 1, to: store)
    let copy = folder + "copy.zone"
    try Backup.copyDatabase(zones + "/one.zone", to: copy)
    commit(["b"], in: "one", 2, to: store)
    if !isOpen { store.zoneFiles.removeAll() }
    try Folder.rename(copy, to: zones + "/one.zone")
    #expect(try store.zone(CloudSamples.zone("one"))?.incarnation != 7)
    #expect(try CloudSamples.names(in: "one", of: store) == ["a"])
    commit(["c"], in: "one", 3, to: store)
    store.close()
    #expect(try CloudSamples.names(in: "one", of: CloudFiles(root: root)) == ["a", "c"])
  }

  @Test(arguments: ["", "-wal"])
  func `that are removed while the cloud runs take no commit`(ending: String) throws {
    let store = try CloudFiles(root: root)
    commit(["a"], in: "one", 1, to: store)
    store.stage(CloudSamples.change(of: "one", names: ["b"], sequence: 2), in: CloudSamples.zone("one"))
    try Folder.remove(zones + "/one.zone" + ending)
    #expect(store.commit().map(\.error?.place) == [zones + "/one.zone"])
    if ending.isEmpty {
      #expect(throws: StoreError.self) { try store.zone(CloudSamples.zone("one")) }
    } else {
      #expect(try CloudSamples.names(in: "one", of: store) == ["a", "b"], "the file has the WAL's pages")
      commit(["c"], in: "one", 3, to: store)
      store.close()
      #expect(try CloudSamples.names(in: "one", of: CloudFiles(root: root)) == ["a", "b", "c"])
    }
  }

  @Test func `take zone, user and container names of any length`() throws {
    let long = Name(String(repeating: "日", count: 255))
    let databases = [
      CloudSamples.database, DatabaseID(container: "c", environment: .development, user: long, scope: .private),
      DatabaseID(container: long, environment: .production, user: long, scope: .private),
      DatabaseID(
        container: "c", environment: .development, user: Name(String(repeating: "u", count: 255)), scope: .private),
    ]
    do {
      let store = try CloudFiles(root: root)
      for database in databases {
        store.stage(
          CloudSamples.change(of: long, names: ["a"], sequence: 1), in: ZoneKey(database: database, zoneName: long))
      }
      #expect(store.commit() == [])
    }
    let store = try CloudFiles(root: root)
    #expect(try store.databases() == databases.sorted())
    for database in databases {
      #expect(try store.zones(in: database).map(\.zoneName) == [long])
      #expect(try store.record("a", in: ZoneKey(database: database, zoneName: long)) != nil)
    }
  }

  @Test func `keep the folder of a name that earlier versions did not cut`() throws {
    let user = String(repeating: "u", count: 200)
    try Folder.make("\(root)/c/development/\(user)/private")
    let database = DatabaseID(container: "c", environment: .development, user: Name(user), scope: .private)
    let store = try CloudFiles(root: root)
    store.stage(CloudSamples.change(of: "z", names: ["a"], sequence: 1), in: ZoneKey(database: database, zoneName: "z"))
    #expect(store.commit() == [])
    #expect(try Folder.names(in: "\(root)/c/development") == [user])
    #expect(try store.databases() == [database])
  }

  @Test(arguments: [
    "fields = 'y' || substr(fields, 2)", "type = 'Other'", "modified_at = modified_at + 1", "deleted = 1",
  ])
  func `do not serve a record that does not match its checksum`(damage: String) throws {
    let store = try CloudFiles(root: root)
    commit(["a", "b"], in: "one", 2, to: store)
    store.close()
    try Connection(zones + "/one.zone", as: .zone, access: .existing)
      .execute("UPDATE records SET \(damage) WHERE name = 'a'")
    let damaged = try CloudFiles(root: root)
    let error = #expect(throws: StoreError.self) { try damaged.record("a", in: CloudSamples.zone("one")) }
    #expect(error?.message == "record a does not match its checksum")
    #expect(throws: StoreError.self) { try CloudSamples.names(in: "one", of: damaged) }
    #expect(try damaged.record("b", in: CloudSamples.zone("one")) != nil)
    #expect(damaged.findings(in: CloudSamples.database) == error.map { [.unreadable("one", $0)] })
  }

  @Test func `are not taken for missing where their folder cannot be looked at`() throws {
    try makeCloud()
    let user = root + "/iCloud.a/development/nanny"
    try Folder.rename(user, to: user + ".away")
    #expect(symlink("nanny", user) == 0)
    let store = try CloudFiles(root: root)
    let error = #expect(throws: StoreError.self) { try store.header(of: CloudSamples.zone("one")) }
    #expect(error?.place.hasPrefix(user) == true)
  }

  @Test func `are for their owner only`() throws {
    let store = try CloudFiles(root: root)
    commit(["a"], in: "one", 1, to: store)
    for path in ["", "/iCloud.a", "/\(CloudSamples.zonesFolder)"] { #expect(Self.mode(of: root + path) == 0o700) }
    for path in [databaseFile, zones + "/one.zone", zones + "/one.zone-wal", root + "/marks.sqlite"] {
      #expect(Self.mode(of: path) == 0o600)
    }
  }

  private static func mode(of path: String) -> UInt32 {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
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
