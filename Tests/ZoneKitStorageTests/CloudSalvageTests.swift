import Glibc
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables
import Testing
import ZoneKitCloud

@testable import ZoneKitStorage

@Suite struct `a repair of the cloud's files` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var root: String { folder + "cloud" }
  private var zones: String { "\(root)/\(CloudSamples.zonesFolder)" }
  private static let count = 300
  private static let other = DatabaseID(
    container: "iCloud.a", environment: .development, user: "other", scope: .private)

  private func path(_ zone: Name, of id: DatabaseID = CloudSamples.database) -> String {
    CloudPaths(root: root).file(of: ZoneKey(database: id, zoneName: zone))
  }

  /// Makes a zone with records whose names begin with the zone's.
  private func makeZone(
    _ zone: Name, of id: DatabaseID = CloudSamples.database, mark: Name? = nil, count: Int = count
  ) throws {
    let store = try CloudFiles(root: root)
    let names = (1...count).map { Name("\(mark ?? zone)-\($0)") }
    var change = CloudSamples.change(
      of: zone, names: names, sequence: Int64(names.count),
      databaseSequence: try store.database(id).sequence + 1)
    let fields = EncodedFields(Fields([Field(name: "text", value: .string(String(repeating: "x", count: 100)))]))
    for index in change.records.indices { change.records[index].fields = fields }
    change.header.recordCount = names.count
    store.stage(change, in: ZoneKey(database: id, zoneName: zone))
    #expect(store.commit() == [])
    store.close()
  }

  private func repair() throws -> [String] {
    var generator = SplitMix64(seed: 1)
    let deeds = try CloudRepair(
      root: root, backup: folder + "backup", at: WallTime(milliseconds: 5), using: &generator
    ).deeds
    return deeds.map { "\($0.place.dropFirst(root.count + 1)): \($0.what)" }
  }

  private func names(in zone: Name, of id: DatabaseID = CloudSamples.database) throws -> [Name] {
    let query = FeedQuery(position: 0, isReversed: false, limit: 100_000, recordTypes: nil)
    let key = ZoneKey(database: id, zoneName: zone)
    return try CloudFiles(root: root).feed(query, in: key).page.changes.map(\.recordName)
  }

  private func overwrite(page: Int, of path: String, with byte: UInt8 = 0) throws {
    var bytes = try #require(try Folder.read(path))
    for index in page * 4096..<(page + 1) * 4096 { bytes[index] = byte }
    try Folder.write(bytes, to: path)
  }

  private var faults: [String] {
    CloudCheck(root: root).faults.map { "\($0.place.dropFirst(root.count + 1)): \($0.message)" }
  }

  @Test(arguments: [1, 2, 5])
  func `keeps what is left of a file that lacks its last pages`(missing: Int) throws {
    try makeZone("one")
    #expect(truncate(path("one"), Int(Folder.size(of: path("one"))) - 4096 * missing) == 0)
    #expect(!faults.isEmpty)
    #expect(try repair().count == 1)
    #expect(faults == [])
    #expect(try names(in: "one").count >= Self.count - 25 * missing)
  }

  /// The last page of a small file is the one at which an index begins. SQLite refuses the whole schema then.
  @Test func `keeps the records of a small file that lacks its last page`() throws {
    try makeZone("one", count: 3)
    #expect(truncate(path("one"), Int(Folder.size(of: path("one"))) - 4096) == 0)
    #expect(try repair().count == 1)
    #expect(faults == [])
    #expect(try names(in: "one").count == 3)
  }

  /// The first page, those at which the tables begin, and some with records and with index entries.
  @Test(arguments: [0, 1, 3, 4, 5, 12, 20])
  func `keeps all records that are not on the page that was overwritten`(page: Int) throws {
    try makeZone("one")
    try overwrite(page: page, of: path("one"), with: page % 2 == 0 ? 0 : 0x55)
    _ = try repair()
    #expect(faults == [])
    #expect(try names(in: "one").count >= Self.count - 25)
  }

  @Test func `keeps the records between several unreadable pages`() throws {
    try makeZone("one")
    let count = try #require(try Folder.read(path("one"))).count / 4096
    for page in stride(from: 10, to: count, by: 4) { try overwrite(page: page, of: path("one")) }
    _ = try repair()
    #expect(faults == [])
    #expect(try names(in: "one").count > Self.count / 2)
  }

  @Test func `keeps the records of an author whose name is lost`() throws {
    try makeZone("one")
    try Connection(path("one"), as: .zone, access: .existing).execute("DELETE FROM authors")
    _ = try repair()
    #expect(faults == [])
    #expect(try names(in: "one").count == Self.count)
  }

  @Test func `gives swapped files back to their zones and users`() throws {
    try makeZone("one")
    try makeZone("two")
    try makeZone("one", of: Self.other, mark: "foreign")
    let paths = [path("one"), path("two"), path("one", of: Self.other)]
    for (place, target) in zip(paths, [paths[1] + ".x", paths[2] + ".x", paths[0] + ".x"]) {
      try Folder.rename(place, to: target)
    }
    for place in paths { try Folder.rename(place + ".x", to: place) }
    #expect(faults.count >= 3)
    let store = try CloudFiles(root: root)
    for id in [CloudSamples.database, Self.other] {
      #expect(throws: StoreError.self) { try store.zone(ZoneKey(database: id, zoneName: "one")) }
    }
    store.close()
    #expect(try repair().count == 3)
    #expect(faults == [])
    #expect(try names(in: "one").first == "one-1")
    #expect(try names(in: "two").first == "two-1")
    #expect(try names(in: "one", of: Self.other).first == "foreign-1")
    #expect(try CloudFiles(root: root).findings(in: CloudSamples.database) == [])
  }

  @Test(arguments: [false, true])
  func `never takes the file of another user for a zone's own`(isDamaged: Bool) throws {
    try makeZone("one")
    try makeZone("one", of: Self.other, mark: "foreign")
    try Folder.copyFile(path("one", of: Self.other), to: path("one"))
    if isDamaged { try overwrite(page: 0, of: path("one")) }
    #expect(!faults.isEmpty)
    let deed = try repair()[0]
    #expect(
      deed.contains(isDamaged ? "no zone has this file" : "set aside, because it belongs to zone one of the private"))
    #expect(faults == [])
    #expect(try names(in: "one") == [])
    #expect(try names(in: "one", of: Self.other).first == "foreign-1")
    #expect(Folder.exists(folder + "backup/\(CloudSamples.zonesFolder)/one.zone"))
  }

  @Test func `gives swapped files of subscriptions and accounts back`() throws {
    let store = try CloudFiles(root: root)
    for (id, name) in [(CloudSamples.database, "a"), (Self.other, "b")] {
      let subscription = Subscription(subscriptionID: name, kind: .database, notificationInfo: .silent)
      store.stage(DatabaseTransition(identity: 5, savedSubscriptions: [subscription]), in: id)
    }
    #expect(store.commit() == [])
    store.close()
    let paths = CloudPaths(root: root)
    let (mine, theirs) = (paths.file(of: CloudSamples.database), paths.file(of: Self.other))
    try Folder.rename(mine, to: mine + ".x")
    try Folder.rename(theirs, to: mine)
    try Folder.rename(mine + ".x", to: theirs)
    #expect(faults.count == 2)
    #expect(try repair().count == 2)
    #expect(faults == [])
    let found = try CloudFiles(root: root).database(CloudSamples.database).subscriptions.map(\.subscriptionID)
    #expect(found == ["a"])
  }

  @Test func `leaves a file without an origin where it is, and the server gives it one`() throws {
    try makeZone("one")
    try Connection(path("one"), as: .zone, access: .existing).execute("DELETE FROM origin")
    #expect(faults == [])
    #expect(try repair() == [])
    #expect(try CloudFiles(root: root).zone(CloudSamples.zone("one"))?.recordCount == Self.count)
    let origin = try Connection(path("one"), as: .zone, access: .observe).storedOrigin()
    #expect(origin == FileOrigin(CloudSamples.database))
  }
}
