import ZoneKitRecords
import ZoneKitStoreConformance
import ZoneKitSync
import Testing

@testable import ZoneKitStorage

@Suite struct `a device's file` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private let zoneID = ZoneID(zoneName: "Z")

  private func record(_ name: Name, bytes: Int = 10) -> LocalRecord {
    let text = EncodedFields(
      canonical: Array(#"{"a":{"type":"STRING","value":""#.utf8 + Array(repeating: 0x61, count: bytes) + #""}}"#.utf8))
    return LocalRecord(
      recordID: RecordID(recordName: name, zoneID: zoneID), recordType: "Item", local: RecordContent(fields: text),
      revision: 1, pendingSince: WallTime(milliseconds: 5))
  }

  private func set(_ number: Int64) -> DeviceTransition {
    DeviceTransition(values: [ValueChange(.revision, .integer(number))])
  }

  @Test func `has a short WAL while a small file changes again and again`() throws {
    let store = try DeviceFile(folder: folder + "device", durability: .off)
    try store.commit(DeviceTransition(records: (1...100).map { record(Name("r\($0)")) }))
    for number in 1...3_000 as ClosedRange<Int64> { try store.commit(set(number)) }
    #expect(Folder.size(of: store.path) < 1 << 20)
    #expect(Folder.size(of: store.path + "-wal") < 5 << 20)
  }

  @Test(arguments: DeviceStoreConformance<DeviceFile>.checkNames)
  func `does what every store of a device must`(check: String) throws {
    var count = 0
    func nextFolder() throws -> String {
      count += 1
      return folder + "device\(count)"
    }
    let suite = DeviceStoreConformance(
      makeEmpty: { try DeviceFile(folder: try nextFolder()) },
      reopen: { store in
        let target = try nextFolder()
        try TemporaryFolder.copyAsCrashed(Folder.parent(of: store.path), to: target)
        return try DeviceFile(folder: target)
      })
    try suite.run(check)
  }

  @Test func `shows fields and state to a database shell`() throws {
    let store = try DeviceFile(folder: folder.path)
    var transition = DeviceTransition(
      records: [record("R")], values: [ValueChange(.account, .text("nanny")), ValueChange(.revision, .integer(7))])
    transition.records[0].quarantine = .refused("too large")
    try store.commit(transition)
    let rows = Statement("SELECT json_extract(local, '$.a.value'), quarantine FROM records", on: store.connection)
    #expect(try rows.all { [$0.text(0), $0.text(1)] } == [["aaaaaaaaaa", "too large"]])
    let state = Statement("SELECT key || '=' || value FROM state ORDER BY key", on: store.connection)
    #expect(try state.all { $0.text(0) } == ["account=nanny", "revision=7"])
  }

  @Test func `shows one state to the reads of an event, until it commits`() throws {
    let store = try DeviceFile(folder: folder.path)
    try store.commit(set(1))
    let other = try Connection(store.path, as: .device, access: .existing)
    store.beginReading()
    #expect(try store.values() == [.revision: .integer(1)])
    try other.execute("UPDATE state SET value = 2 WHERE key = 'revision'")
    #expect(try store.values() == [.revision: .integer(1)])
    try store.commit(DeviceTransition(values: [ValueChange(.account, .text("nanny"))]))
    #expect(try store.values() == [.account: .text("nanny"), .revision: .integer(2)])
    store.endReading()
    store.beginReading()
    store.endReading()
    try other.execute("UPDATE state SET value = 3 WHERE key = 'revision'")
    #expect(try store.values()[.revision] == .integer(3))
  }

  @Test func `leaves state alone that a newer program wrote`() throws {
    let store = try DeviceFile(folder: folder.path)
    try store.connection.execute("INSERT INTO state VALUES('fromTheFuture', 1)")
    try store.commit(set(2))
    #expect(try store.values() == [.revision: .integer(2)])
    #expect(try Statement("SELECT count(*) FROM state", on: store.connection).first { $0.integer(0) } == 2)
  }

  @Test func `of an earlier version is read as it is, and brought up to date by its owner`() throws {
    try Folder.make(folder + "d")
    let earlier = FileFormat(
      name: FileFormat.device.name, applicationID: FileFormat.device.applicationID,
      migrations: Array(FileFormat.device.migrations.prefix(2)))
    var old: Connection? = try Connection(folder + "d/device.sqlite", as: earlier, access: .create)
    try old?.execute("INSERT INTO state VALUES('revision', 7)")
    old = nil
    #expect(try DeviceFile.readOnly(folder: folder + "d").values() == [.revision: .integer(7)])
    let store = try DeviceFile(folder: folder + "d")
    #expect(store.connection.version == 8)
    #expect(try store.values() == [.revision: .integer(7)])
  }

  private let author = Author(userRecordName: "_u", deviceID: "D")

  private func synced(_ name: Name, local: Int, server: Int) -> LocalRecord {
    var synced = record(name, bytes: local)
    synced.server = record(name, bytes: server).local.map {
      ServerVersion(
        content: $0, changeTag: ChangeTag("1"), modified: Authorship(at: WallTime(milliseconds: 6), author: author))
    }
    return synced
  }

  @Test func `stores content once that the server has too`() throws {
    let store = try DeviceFile(folder: folder.path)
    var deleted = synced("D", local: 10, server: 10)
    deleted.local = nil
    var moved = synced("M", local: 10, server: 10)
    moved.local?.parent = "P"
    let records = [
      synced("R", local: 10, server: 10), synced("S", local: 10, server: 20), record("T"), deleted, moved,
    ]
    try store.commit(DeviceTransition(records: records))
    for record in records { #expect(try store.record(record.recordID) == record) }
    let stored = Statement("SELECT name FROM records WHERE server IS NOT NULL ORDER BY name", on: store.connection)
    #expect(try stored.all { $0.text(0) } == ["D", "M", "S"])
    try store.commit(DeviceTransition(records: [synced("S", local: 20, server: 20)]))
    #expect(try stored.all { $0.text(0) } == ["D", "M"])
  }

  @Test func `of an earlier version may have content twice`() throws {
    try Folder.make(folder + "d")
    let earlier = FileFormat(
      name: FileFormat.device.name, applicationID: FileFormat.device.applicationID,
      migrations: Array(FileFormat.device.migrations.prefix(5)))
    var old: Connection? = try Connection(folder + "d/device.sqlite", as: earlier, access: .create)
    let records = [synced("R", local: 10, server: 10), synced("S", local: 10, server: 20)]
    for record in records {
      try old?.execute(
        """
        INSERT INTO records(zone, owner, name, type, local, server, server_tag, server_modified_at, server_modified_by,
          server_modified_on, revision, pending_since, sent_deleted, sweep)
        VALUES('Z', '\(zoneID.owner.recordName)', '\(record.recordID.recordName)', 'Item',
          '\(text(record.local))', '\(text(record.server?.content))', '1', 6, '_u', 'D', 1, 5, 0, 0)
        """)
    }
    old = nil
    let observed = try DeviceFile.readOnly(folder: folder + "d")
    #expect(try records.map { try observed.record($0.recordID) } == records)
    let store = try DeviceFile(folder: folder + "d")
    #expect(try records.map { try store.record($0.recordID) } == records)
    let stored = Statement("SELECT name FROM records WHERE server IS NOT NULL", on: store.connection)
    #expect(try stored.all { $0.text(0) } == ["S"])
  }

  private func text(_ content: RecordContent?) -> String {
    String(decoding: content?.fields.utf8 ?? [], as: UTF8.self)
  }

  @Test func `finds what waits in a zone in the order of sending, without sorting the zone`() throws {
    let store = try DeviceFile(folder: folder.path)
    let plan = Statement("EXPLAIN QUERY PLAN " + store.statements.pendingInZone.sql, on: store.connection)
    let steps = try plan.all(.integer(0), .integer(9), .text("Z"), .text("o")) { $0.text(3) }
    #expect(steps.count == 1)
    #expect(steps.first?.contains("USING INDEX records_pending_in_zone (zone=? AND owner=? AND revision>?)") == true)
  }

  @Test func `finds what waits of a type in the order of sending, without sorting`() throws {
    let store = try DeviceFile(folder: folder.path)
    let plan = Statement("EXPLAIN QUERY PLAN " + store.statements.pendingOfType.sql, on: store.connection)
    let steps = try plan.all(.integer(0), .integer(9), .text("Item")) { $0.text(3) }
    #expect(steps.count == 1)
    #expect(steps.first?.contains("USING INDEX records_pending_of_type (type=? AND revision>?)") == true)
    let count = Statement("EXPLAIN QUERY PLAN " + store.statements.waitingCounts.sql, on: store.connection)
    #expect(try count.all { $0.text(3) } == ["SCAN records USING COVERING INDEX records_pending_of_type"])
  }

  @Test func `of an earlier version shows what waits of a type`() throws {
    try Folder.make(folder + "d")
    let earlier = FileFormat(
      name: FileFormat.device.name, applicationID: FileFormat.device.applicationID,
      migrations: Array(FileFormat.device.migrations.prefix(4)))
    var old: Connection? = try Connection(folder + "d/device.sqlite", as: earlier, access: .create)
    try old?.execute(
      """
      INSERT INTO records(zone, owner, name, type, local, revision, pending_since, sent_deleted, sweep)
      VALUES('Z', '_', 'R', 'Item', '{}', 3, 5, 0, 0)
      """)
    old = nil
    let observed = try DeviceFile.readOnly(folder: folder + "d")
    #expect(try observed.pending(ofType: "Item", after: 2, limit: 9).map(\.recordID.recordName) == ["R"])
    #expect(try observed.pending(ofType: "Item", after: 3, limit: 9) == [])
    let store = try DeviceFile(folder: folder + "d")
    #expect(try store.pending(ofType: "Item", after: 2, limit: 9).map(\.recordID.recordName) == ["R"])
    #expect(try store.waiting() == [DeviceCensus.Waiting(recordType: "Item", count: 1)])
  }

  @Test func `changes a record in place`() throws {
    let store = try DeviceFile(folder: folder.path)
    try store.commit(DeviceTransition(records: [record("R"), record("S")]))
    let places = Statement("SELECT name, rowid FROM records ORDER BY name", on: store.connection)
    let before = try places.all { [$0.text(0), "\($0.integer(1))"] }
    var changed = record("R", bytes: 20)
    changed.revision = 9
    try store.commit(DeviceTransition(records: [changed]))
    #expect(try store.record(changed.recordID) == changed)
    #expect(try places.all { [$0.text(0), "\($0.integer(1))"] } == before)
  }

  @Test func `keeps nothing of a transition that fails halfway`() throws {
    let store = try DeviceFile(folder: folder.path)
    var change = DeviceTransition(records: [record("R")], values: set(3).values)
    change.notifications = [SeenNotification(notificationID: "n", receivedAt: WallTime(milliseconds: 1))]
    try store.connection.execute(
      "CREATE TEMP TRIGGER no BEFORE INSERT ON main.notifications BEGIN SELECT RAISE(ABORT, 'not today'); END")
    let error = #expect(throws: StoreError.self) { try store.commit(change) }
    #expect(error?.kind == .failed)
    #expect(error?.message.contains("not today") == true)
    #expect(try store.values() == [:])
    #expect(try store.census() == DeviceCensus())
    try store.connection.execute("DROP TRIGGER no")
    try store.commit(change)
    #expect(try store.values() == [.revision: .integer(3)])
    #expect(try store.isKnown(notificationID: "n"))
  }

  @Test(arguments: [false, true])
  func `is read beside its owner and after the owner's end, and never written`(ownerRuns: Bool) throws {
    var owner: DeviceFile? = try DeviceFile(folder: folder + "d")
    try owner?.commit(set(4))
    if !ownerRuns { owner = nil }
    let before = try TemporaryFolder.census(folder.path)
    let observer = try DeviceFile.readOnly(folder: folder + "d")
    #expect(try observer.values() == [.revision: .integer(4)])
    let error = #expect(throws: StoreError.self) { try observer.commit(set(5)) }
    #expect(error?.kind == .readOnly)
    #expect(try TemporaryFolder.census(folder.path) == before)
    #expect(try owner?.values() ?? observer.values() == [.revision: .integer(4)])
  }

  @Test func `is read after a crash that left a WAL without its index, and not written`() throws {
    let owner = try DeviceFile(folder: folder + "d")
    try owner.commit(set(4))
    try TemporaryFolder.copyAsCrashed(folder + "d", to: folder + "crashed")
    let before = try TemporaryFolder.census(folder + "crashed")
    let observer = try DeviceFile.readOnly(folder: folder + "crashed")
    #expect(try observer.values() == [.revision: .integer(4)])
    #expect(throws: StoreError.self) { try observer.commit(set(5)) }
    #expect(try observer.values() == [.revision: .integer(4)])
    #expect(try TemporaryFolder.census(folder + "crashed") == before)
  }

  @Test func `cuts its lists when the bounds change, and not for a transition that failed`() throws {
    let store = try DeviceFile(folder: folder.path)
    var first = DeviceTransition()
    first.notifications = ["a", "b", "c"].map {
      SeenNotification(notificationID: $0, receivedAt: WallTime(milliseconds: 1))
    }
    try store.commit(first)
    try store.connection.execute(
      "CREATE TEMP TRIGGER no AFTER DELETE ON main.notifications BEGIN SELECT RAISE(ABORT, 'no'); END")
    var narrow = DeviceTransition()
    narrow.bounds.notifications = 1
    #expect(throws: StoreError.self) { try store.commit(narrow) }
    #expect(try store.isKnown(notificationID: "a"))
    try store.connection.execute("DROP TRIGGER no")
    try store.commit(narrow)
    #expect(try ["a", "b", "c"].filter { try store.isKnown(notificationID: $0) } == ["c"])
  }

  @Test func `that is missing is not made by looking`() throws {
    let error = #expect(throws: StoreError.self) { try DeviceFile.readOnly(folder: folder + "d") }
    #expect(error?.place == folder + "d/device.sqlite")
    #expect(try Folder.names(in: folder.path) == [])
  }

  @Test(arguments: HalfMadeFile.allCases)
  func `whose making was cut short is a store of nothing`(half: HalfMadeFile) throws {
    try Folder.make(folder + "d")
    try half.make(at: folder + "d/device.sqlite")
    let before = try TemporaryFolder.census(folder.path)
    let observer = try DeviceFile.readOnly(folder: folder + "d")
    #expect(try observer.values() == [:])
    let error = #expect(throws: StoreError.self) { try observer.commit(set(1)) }
    #expect(error?.kind == .readOnly)
    #expect(try TemporaryFolder.census(folder.path) == before)
    let store = try DeviceFile(folder: folder + "d")
    try store.commit(set(1))
    #expect(try store.values() == [.revision: .integer(1)])
  }

  @Test func `is in a folder with the device's name`() throws {
    for name in ["A", "..", "é"] as [Name] {
      _ = try DeviceFile(folder: try DeviceFile.folder(of: name, in: folder.path))
    }
    try Folder.make(folder + "empty")
    #expect(try DeviceFile.names(in: folder.path) == ["..", "A", "é"])
    #expect(try Folder.names(in: folder + "A") == ["device.sqlite"])
  }

  @Test(.enabled(if: CloudSamples.mayMount, "mounting needs root"))
  func `on a full disk keeps what it has and goes on when there is space`() throws {
    #expect(folder.mount(options: "size=600k"))
    let store = try DeviceFile(folder: folder + "d")
    try store.commit(set(1))
    let error = #expect(throws: StoreError.self) {
      try store.commit(DeviceTransition(records: [record("big", bytes: 700_000)], values: set(2).values))
    }
    #expect(error?.kind == .full)
    #expect(try store.values() == [.revision: .integer(1)])
    try store.commit(DeviceTransition(records: [record("small")], values: set(3).values))
    #expect(try store.values() == [.revision: .integer(3)])
    #expect(try store.record(RecordID(recordName: "big", zoneID: zoneID)) == nil)
  }
}
