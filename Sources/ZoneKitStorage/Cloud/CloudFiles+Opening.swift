import ZoneKitRecords
import ZoneKitCloud

extension CloudFiles {
  /// The cached state of a database; nil if nothing was ever written to it. A read-only instance caches nothing.
  func memory(of id: DatabaseID) throws(StoreError) -> DatabaseMemory? {
    if let known = memories[id] { return known }
    guard Folder.exists(try paths.folder(of: id)) else { return nil }
    let memory = try load(id)
    if case .observe = access { return memory }
    memories[id] = memory
    return memory
  }

  /// Reads a database's own file and the header of each zone file. The zone files determine which zones exist. The list
  /// in the database file only shows whether a file was added or removed by someone else. In that case positions in the
  /// database's feed have no meaning any more, so the database gets a new identity, which tokens carry.
  private func load(_ id: DatabaseID) throws(StoreError) -> DatabaseMemory {
    var headers: [Name: ZoneHeader] = [:]
    for fileName in try paths.zoneFiles(of: id) {
      guard let header = try loadHeader(fileName, of: id) else { continue }
      headers[header.zoneName] = header
    }
    let path = try paths.file(of: id)
    guard Folder.size(of: path) > 0 else {
      return DatabaseMemory(state: DatabaseState(), headers: headers, isListStale: !headers.isEmpty)
    }
    let file = try databaseFile(of: id, access: access)
    var state = try file.state()
    let isListStale = try file.zoneNames() != headers.keys.sorted()
    if isListStale { state.identity = nil }
    return DatabaseMemory(state: state, headers: headers, isListStale: isListStale)
  }

  private func loadHeader(_ fileName: String, of id: DatabaseID) throws(StoreError) -> ZoneHeader? {
    let path = try paths.zonesFolder(of: id) + "/" + fileName
    let file = try ZoneFile(path, access: access, durability: durability, checkpointPages: checkpointPages)
    guard let header = try file.header() else { return nil }
    let expected = CloudPaths.fileName(of: header.zoneName)
    guard expected == fileName else {
      let found = "the file holds zone \(header.zoneName), whose file is \(expected)"
      throw StoreError(.corrupt, "\(found): rename it, or move it out of the folder", place: path)
    }
    keep(file, for: ZoneKey(database: id, zoneName: header.zoneName))
    return header
  }

  /// The file of a zone; nil if the zone never existed.
  func file(of key: ZoneKey) throws(StoreError) -> ZoneFile? {
    if case .observe = access {
      let path = try paths.file(of: key)
      return Folder.size(of: path) > 0 ? try open(path, access: .observe) : nil
    }
    if let open = zoneFiles.file(key) { return open }
    guard try memory(of: key.database)?.headers[key.zoneName] != nil else { return nil }
    let file = try open(try paths.file(of: key), access: .existing)
    keep(file, for: key)
    return file
  }

  /// Makes the file of a new zone.
  func makeFile(of key: ZoneKey) throws(StoreError) -> ZoneFile {
    let folder = try paths.zonesFolder(of: key.database)
    try Folder.make(folder)
    let path = try paths.file(of: key)
    let file = try open(path, access: .create)
    try Folder.sync(folder)
    guard try file.header() == nil else {
      throw StoreError(.corrupt, "the file was put there while the cloud was running: start it again", place: path)
    }
    keep(file, for: key)
    return file
  }

  private func open(_ path: String, access: Access) throws(StoreError) -> ZoneFile {
    try ZoneFile(path, access: access, durability: durability, checkpointPages: checkpointPages)
  }

  /// SQLite's own default is 1,000 pages (SQLite: wal.html, automatic checkpoint).
  private var checkpointPages: Int32 { checkpointer == nil ? 1000 : 0 }

  private func keep(_ file: ZoneFile, for key: ZoneKey) {
    letGo(room: 1)
    zoneFiles.insert(file, for: key)
  }

  /// The database's own file, open for writing unless this instance is read-only.
  func databaseFile(of id: DatabaseID, access: Access) throws(StoreError) -> DatabaseFile {
    if let open = databaseFiles.file(id) { return open }
    let folder = try paths.folder(of: id)
    let path = try paths.file(of: id)
    let isNew = !Folder.exists(path)
    let file = try DatabaseFile(path, access: access, durability: durability)
    if isNew { try Folder.sync(folder) }
    if case .observe = access { return file }
    letGo(room: 1)
    databaseFiles.insert(file, for: id)
    return file
  }

  /// Closes the least recently used files until `room` more fit within the limit, but none with staged changes. The
  /// checkpoint thread closes its own connections to them.
  func letGo(room: Int = 0) {
    let gone = zoneFiles.trim(room: room) { $0.isInTransaction }
    for file in gone { checkpointer?.release(file.connection.path) }
    _ = databaseFiles.trim(room: room) { $0.isInTransaction }
  }
}
