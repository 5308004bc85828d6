import Glibc
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables
import Testing
import ZoneKitCloud

@testable import ZoneKitStorage

@Suite struct `a check of the cloud's files` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var root: String { folder + "cloud" }
  private var zones: String { "\(root)/\(CloudSamples.zonesFolder)" }
  private var databaseFile: String { "\(root)/\(CloudSamples.databaseFile)" }
  private var file: String { zones + "/one.zone" }

  /// A cloud with a zone of 400 records and one of one record.
  private func makeCloud() throws {
    let store = try CloudFiles(root: root)
    let subscription = Subscription(subscriptionID: "s", kind: .database, notificationInfo: .silent)
    store.stage(DatabaseTransition(identity: 5, savedSubscriptions: [subscription]), in: CloudSamples.database)
    store.stage(Self.change(of: "one", count: 400, position: 1), in: CloudSamples.zone("one"))
    store.stage(Self.change(of: "two", count: 1, position: 2), in: CloudSamples.zone("two"))
    #expect(store.commit() == [])
  }

  private static func change(of zone: Name, count: Int, position: Int64) -> ZoneTransition {
    var change = CloudSamples.change(
      of: zone, names: (1...count).map { Name("r\($0)") }, sequence: Int64(count), databaseSequence: position)
    let fields = EncodedFields(Fields([Field(name: "text", value: .string(String(repeating: "x", count: 100)))]))
    for index in change.records.indices { change.records[index].fields = fields }
    change.header.recordCount = count
    return change
  }

  private func change(_ path: String, as format: FileFormat = .zone, _ sql: String) throws {
    try Connection(path, as: format, access: .existing).execute(sql)
  }

  private func repair() throws -> [CloudRepair.Deed] {
    var generator = SplitMix64(seed: 1)
    return try CloudRepair(
      root: root, backup: folder + "backup", at: WallTime(milliseconds: 5), using: &generator
    ).deeds
  }

  private var faults: [String] { CloudCheck(root: root).faults.map { "\($0.place): \($0.message)" } }

  @Test func `finds nothing wrong with a whole cloud, whether it is open or not`() throws {
    try makeCloud()
    let check = CloudCheck(root: root)
    #expect(check.faults == [])
    #expect((check.databases, check.zones, check.rows) == (1, 2, 401))
    let store = try CloudFiles(root: root)
    store.stage(Self.change(of: "three", count: 2, position: 3), in: CloudSamples.zone("three"))
    #expect(store.commit() == [])
    #expect(CloudCheck(root: root).faults == [])
    store.close()
    #expect(try repair() == [])
  }

  @Test(arguments: [
    ("UPDATE zone SET record_count = 399", "the header counts 399 records, and there are 400"),
    ("UPDATE zone SET sequence = 300", "a record has sequence 400, and the zone's is 300"),
    ("UPDATE records SET seq = -5 WHERE seq = 5", "1 rows come before the beginning of the feed"),
    ("INSERT INTO refs VALUES(1000, 'f', 'r1', 'VALIDATE')", "1 references belong to no record"),
    ("UPDATE records SET fields = '{' WHERE seq = 5", "record r5 at 5: record r5 does not match its checksum"),
    ("DELETE FROM authors", "record r1 at 1: author 1 is missing"),
  ])
  func `finds each broken rule of a feed, and a repair mends it`(sql: String, message: String) throws {
    try makeCloud()
    try change(file, sql)
    #expect(faults.contains("\(file): \(message)"))
    #expect(try repair().map(\.place) == [file])
    #expect(faults == [])
    #expect(Folder.exists(folder + "backup/\(CloudSamples.zonesFolder)/one.zone"))
  }

  @Test func `finds an unreadable page, and a repair keeps the records around it`() throws {
    try makeCloud()
    let before = try #require(try CloudFiles(root: root).zone(CloudSamples.zone("one")))
    var bytes = try #require(try Folder.read(file))
    // A leaf of the table of records: the other tables have few rows.
    let leaves = (2..<bytes.count / 4096).filter { bytes[$0 * 4096] == 0x0D && bytes[$0 * 4096 + 4] > 10 }
    let page = try #require(leaves.dropFirst().first)
    for index in page * 4096..<(page + 1) * 4096 { bytes[index] = 0x55 }
    try Folder.write(bytes, to: file)
    #expect(!faults.isEmpty)
    #expect(try repair().map(\.place) == [file])
    #expect(faults == [])
    let store = try CloudFiles(root: root)
    let names = try CloudSamples.names(in: "one", of: store)
    #expect((300..<400).contains(names.count))
    let header = try #require(try store.zone(CloudSamples.zone("one")))
    #expect(header.incarnation != before.incarnation)
    #expect((header.sequence, header.databaseSequence) == (400, 3))
    #expect(store.findings(in: CloudSamples.database) == [])
  }

  @Test func `is followed by a repair that finishes an interrupted one`() throws {
    try makeCloud()
    try Folder.rename(file, to: file + ".new")
    try Folder.write([1, 2, 3], to: file + "-wal")
    #expect(try repair().map(\.what) == ["rebuilt by a repair that was interrupted"])
    #expect(faults == [])
    #expect(try CloudSamples.names(in: "one", of: try CloudFiles(root: root)).count == 400)
    #expect(Folder.exists(folder + "backup/\(CloudSamples.zonesFolder)/one.zone-wal"))
  }

  @Test func `finds a damaged database file, and a repair lists the zones again`() throws {
    try makeCloud()
    try Folder.write(Array(repeating: 1, count: 8192), to: databaseFile)
    #expect(CloudCheck(root: root).faults.map(\.place) == [databaseFile])
    #expect(try repair().map(\.place) == [databaseFile])
    #expect(faults == [])
    let store = try CloudFiles(root: root)
    #expect(try store.zones(in: CloudSamples.database).map(\.zoneName) == ["one", "two"])
    #expect(try store.database(CloudSamples.database).identity == nil)
  }

  @Test func `finds what the list of zones and the files do not agree on`() throws {
    try makeCloud()
    try Folder.remove(zones + "/two.zone")
    try Folder.copyFile(file, to: zones + "/copy.zone")
    #expect(
      faults == [
        "\(databaseFile): zone two is listed and has no file",
        "\(zones)/copy.zone: the file holds zone one, whose file is one.zone",
        "\(zones)/two.zone: the file of zone two is missing, whose sequence was 1",
      ])
    #expect(try repair().map(\.place) == [zones + "/copy.zone", zones + "/two.zone", databaseFile])
    #expect(faults == [])
    #expect(try CloudFiles(root: root).zone(CloudSamples.zone("one"))?.incarnation == 7)
  }

  @Test func `finds a zone that lacks commits`() throws {
    try makeCloud()
    try Folder.copyFile(file, to: folder + "copy")
    do {
      let store = try CloudFiles(root: root)
      store.stage(Self.change(of: "one", count: 410, position: 3), in: CloudSamples.zone("one"))
      #expect(store.commit() == [])
    }
    try Folder.rename(folder + "copy", to: file)
    #expect(
      faults == ["\(file): the zone lacks answered commits: its sequence is 400, and 410 was recorded"])
  }

  @Test func `finds that the file of a database is missing, and a repair makes it anew`() throws {
    try makeCloud()
    for ending in ["", "-wal", "-shm"] { try Folder.remove(databaseFile + ending) }
    #expect(faults == ["\(databaseFile): the file is missing, and the database has 2 zones"])
    #expect(try repair().map(\.place) == [databaseFile])
    #expect(faults == [])
  }

  @Test func `finds that the file of accounts is missing whose rows are there, and a repair keeps their claims`() throws
  {
    let account = UUID(high: 0, low: 7)
    let id = DatabaseID(
      container: "com.example.app", environment: .development, user: Name(account.text), scope: .private)
    let path = "\(root)/com.example.app/development/accounts.sqlite"
    do {
      let store = try CloudFiles(root: root)
      var change = CloudSamples.change(of: "App", names: ["persons/x"], sequence: 1)
      change.header.recordCount = 1
      for index in change.records.indices {
        change.records[index].recordType = "persons"
        change.records[index].fields = EncodedFields(Fields())
      }
      store.stage(change, in: ZoneKey(database: id, zoneName: "App"))
      #expect(store.commit() == [])
    }
    #expect(faults == ["\(path): the file is missing, and its accounts have rows"])
    #expect(try repair().map(\.place) == [path])
    #expect(faults == [])
    let row = RowName(table: "persons", key: "x")
    #expect(try AccountFile(path, of: nil, access: .observe).owner(of: row) == account)
  }

  @Test func `finds files and folders that their owner may not use`() throws {
    try makeCloud()
    #expect(chmod(file, 0o444) == 0 && chmod(databaseFile, 0o400) == 0 && chmod(zones, 0o500) == 0)
    defer { _ = chmod(zones, 0o700) }
    #expect(faults == [databaseFile, zones, file].map { "\($0): its owner lacks permissions: chmod u+w" })
  }

  @Test func `does not rebuild the file of a newer version`() throws {
    try makeCloud()
    try change(file, "PRAGMA user_version = 99")
    #expect(CloudCheck(root: root).faults.map(\.place) == [file])
    #expect(try repair() == [])
    #expect(CloudCheck(root: root).faults.map(\.place) == [file])
  }
}
