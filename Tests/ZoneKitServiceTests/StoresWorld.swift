import Glibc
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage
import ZoneKitSync
import ZoneKitCloud

/// A world in a folder of its own, which goes with the last reference to it.
final class StoresWorld {
  static let container: Name = "iCloud.a"
  static let database = DatabaseID(
    container: container, environment: .development, user: "nanny", scope: .private)
  static let notes = ZoneID(zoneName: "Notes")
  static let now = WallTime(milliseconds: 1_786_689_065_250)

  let root: String
  let data: DataDirectory
  private var generator = SplitMix64(seed: 1)

  init() throws {
    root = try Folder.makeTemporary()
    data = DataDirectory(root)
  }

  deinit {
    // What cannot be removed lies in the system's folder for temporary files, which the system empties.
    _ = try? Folder.remove(root)
  }

  // MARK: The cloud

  /// Sends requests to the cloud, each in a turn, and returns the answers.
  @discardableResult
  func ask(
    _ requests: CloudRequest..., in database: DatabaseID = StoresWorld.database, at now: WallTime = StoresWorld.now
  ) throws -> [CloudResponse] {
    let store = try CloudFiles(root: data.cloud)
    defer { store.close() }
    var server = ZoneServer(store: store)
    let caller = Caller(user: database.user, deviceID: "d9")
    return requests.enumerated().flatMap { number, request in
      server.receive(request, ticket: Ticket(number), in: database, from: caller, at: now, using: &generator)
      return server.endTurn(using: &generator).compactMap { effect in
        if case .answer(_, let response) = effect { response } else { nil }
      }
    }
  }

  /// Puts records of those names and texts into the zone `Notes`, which is made where it is missing.
  func save(
    _ records: [Name: String], in database: DatabaseID = StoresWorld.database, zone: ZoneID = StoresWorld.notes,
    at now: WallTime = StoresWorld.now
  ) throws {
    let operations = records.keys.sorted().map { name in
      RecordOperation(
        .forceReplace, recordName: name, recordType: "Note",
        fields: [NamedFieldChange("text", .set(.string(records[name] ?? ""), isTyped: true, isEncrypted: false))])
    }
    try ask(
      .modifyZones([.create(zone)]),
      .modifyRecords(ModifyRecords(zoneID: zone, operations: operations, isAtomic: true)), in: database, at: now)
  }

  /// The records of a zone with their texts; `tombstone` for tombstones.
  func cloudRecords(
    in database: DatabaseID = StoresWorld.database, zone: Name = "Notes"
  ) throws -> [Name: EncodedFields] {
    let query = FeedQuery(position: 0, isReversed: false, limit: 1_000, recordTypes: nil)
    let key = ZoneKey(database: database, zoneName: zone)
    var found: [Name: EncodedFields] = [:]
    for change in try CloudFiles.readOnly(root: data.cloud).feed(query, in: key).page.changes {
      switch change {
      case .saved(let record): found[record.recordName] = record.fields
      case .deleted(let name, _): found[name] = Self.tombstone
      }
    }
    return found
  }

  static let tombstone = EncodedFields(canonical: Array("tombstone".utf8))

  /// The version that the cloud holds of a record of `Notes`.
  func version(_ name: Name) throws -> ServerVersion? {
    let key = ZoneKey(database: Self.database, zoneName: "Notes")
    return try CloudFiles.readOnly(root: data.cloud).record(name, in: key).map { stored in
      let record = stored.record
      return ServerVersion(
        content: RecordContent(fields: record.fields), changeTag: record.changeTag, modified: record.modified)
    }
  }

  // MARK: Devices

  static func text(_ text: String) -> RecordContent {
    var fields = Fields()
    fields["text"] = .string(text)
    return RecordContent(fields: EncodedFields(fields))
  }

  static func recordID(_ name: Name) -> RecordID { RecordID(recordName: name, zoneID: notes) }

  /// A record that a device shows as the cloud's version says.
  static func synced(_ name: Name, _ version: ServerVersion?) -> LocalRecord {
    LocalRecord(recordID: recordID(name), recordType: "Note", local: version?.content, server: version)
  }

  /// A record that a device changed and the cloud has not.
  static func edited(_ name: Name, _ text: String, from version: ServerVersion? = nil) -> LocalRecord {
    LocalRecord(
      recordID: recordID(name), recordType: "Note", local: Self.text(text), server: version, revision: 1,
      pendingSince: now)
  }

  /// Makes a device signed in as nanny, with one position in the database's feed and one in that of `Notes`.
  func makeDevice(_ name: String, _ records: [LocalRecord] = [], values: [ValueChange] = []) throws {
    var transition = DeviceTransition(
      records: records,
      values: [
        ValueChange(.account, .text("nanny")), ValueChange(.deviceID, .text("id-\(name)")),
        ValueChange(.databaseToken, .text("t0")), ValueChange(.subscriptionState, .text("active")),
      ].filter { base in !values.contains { $0.key == base.key } } + values)
    transition.zones = [ZoneState(zoneID: Self.notes, token: ChangeToken("t1"))]
    try DeviceFile(folder: try data.device(name)).commit(transition)
  }

  func device(_ name: String) throws -> DeviceFile { try DeviceFile.readOnly(folder: try data.device(name)) }

  /// The names of the records that a device shows.
  func deviceRecords(_ name: String) throws -> [Name] {
    try device(name).records(ofType: "Note").map(\.recordID.recordName)
  }

  // MARK: Files

  /// Every file below a folder of the world with its size, ascending by path; locks are left out.
  func files(_ folder: String = "") throws -> [String] {
    try Self.files(root + folder).map { String($0.dropFirst(root.count)) }
  }

  private static func files(_ path: String) throws -> [String] {
    try Folder.names(in: path).flatMap { name in
      let path = path + "/" + name
      if Folder.isFolder(path) { return try files(path) }
      return name == DirectoryLock.fileName ? [] : ["\(path) \(Folder.size(of: path))"]
    }
  }

  /// What an error says, and whose fault it is; nil where there is none.
  static func error(_ work: () throws -> Void) -> StoresError? {
    do {
      try work()
      return nil
    } catch {
      return error as? StoresError
    }
  }

  static var pid: Int32 { getpid() }
}
