import ZoneKitRecords
import ZoneKitCloud

extension CloudFiles {
  /// The cached state of a database; nil if nothing was ever written to it. A read-only instance caches nothing.
  func memory(of id: DatabaseID) throws(StoreError) -> DatabaseMemory? {
    if let known = memories[id] { return known }
    guard Folder.exists(paths.folder(of: id)) else { return nil }
    let memory = try load(id)
    if case .observe = access { return memory }
    memories[id] = memory
    return memory
  }

  /// Reads a database's own file and the header of each zone file. The zone files determine which zones exist. The list
  /// in the database file only shows whether a file was added or removed by someone else. In that case positions in the
  /// database's feed have no meaning any more, so the database gets a new identity, which tokens carry.
  private func load(_ id: DatabaseID) throws(StoreError) -> DatabaseMemory {
    let path = paths.file(of: id)
    var state = DatabaseState()
    var listed: [Name]?
    if !Folder.isEmpty(path) {
      do throws(StoreError) {
        let file = try databaseFile(of: id, access: access)
        state = try file.state()
        listed = try file.zoneNames()
      } catch {
        // The next attempt opens the file anew, because it may be another one.
        databaseFiles.remove(id)
        throw error
      }
    }
    let folder = paths.relativeFolder(of: id)
    let memory = DatabaseMemory(state: state, marks: try marks?.marks(in: folder) ?? [:], folder: folder)
    let fileNames = try inFolders { () throws(StoreError) in try paths.zoneFiles(of: id) }
    for fileName in fileNames { read(fileName, of: id, listed: listed ?? [], into: memory) }
    let unreadable = (listed ?? []).filter { memory.unreadable[$0] != nil }
    memory.isListStale = listed ?? [] != (memory.headers.keys + unreadable).sorted()
    if memory.isListStale { memory.state.identity = nil }
    return memory
  }

  /// Reads the header of a zone file into the cache, or the error of reading it.
  private func read(_ fileName: String, of id: DatabaseID, listed: [Name], into memory: DatabaseMemory) {
    let name = paths.zoneName(of: fileName, among: listed + memory.marks.keys.sorted())
    do throws(StoreError) {
      try read(ZoneKey(database: id, zoneName: name), into: memory)
    } catch {
      memory.put(error, of: name, from: ZonePlace(paths.zonesFolder(of: id) + "/" + fileName))
    }
  }

  /// Reads the header of a zone into the cache. A file without content is left out: the creation of such a zone was
  /// interrupted.
  private func read(_ key: ZoneKey, into memory: DatabaseMemory) throws(StoreError) {
    let path = paths.file(of: key)
    let mark = memory.mark(of: key.zoneName)
    guard !Folder.isEmpty(path) || mark != nil, let (header, file) = try openedZone(key, at: path) else {
      guard let mark else { return memory.forget(key.zoneName) }
      throw StoreError(
        .corrupt, "the file holds no zone, but zone \(key.zoneName) had sequence \(mark.sequence)", place: path)
    }
    if case .observe = access { return memory.put(header, from: ZonePlace(path)) }
    let now = try renewed(header, of: key, in: file, after: mark, memory)
    memory.put(now, from: ZonePlace(path))
    if let mark, now != header {
      let finding = RenewedZone(place: path, sequence: header.sequence, knownSequence: mark.sequence)
      memory.note(.renewed(key.zoneName, finding), of: key.zoneName)
    }
    keep(file, for: key)
  }

  private func openedZone(_ key: ZoneKey, at path: String) throws(StoreError) -> (ZoneHeader, ZoneFile)? {
    guard !Folder.isEmpty(path) else { return nil }
    let file = try open(path, of: key.database, access: access)
    guard let header = try file.header() else { return nil }
    let expected = CloudPaths.fileName(of: header.zoneName)
    guard header.zoneName == key.zoneName else {
      let found = "the file holds zone \(header.zoneName), whose file is \(expected)"
      throw StoreError(.corrupt, "\(found): rename it, or move it out of the folder", place: path)
    }
    return (header, file)
  }

  /// Gives a zone a new incarnation if its file lacks commits that were recorded.
  private func renewed(
    _ header: ZoneHeader, of key: ZoneKey, in file: ZoneFile, after mark: ZoneMark?, _ memory: DatabaseMemory
  ) throws(StoreError) -> ZoneHeader {
    guard let mark, !mark.isReached(by: header) else { return header }
    var generator = SystemGenerator()
    let highest = memory.marks.values.reduce(memory.state.sequence) { max($0, $1.databaseSequence) }
    let renewed = mark.renewed(header, databaseSequence: highest + 1, using: &generator)
    try file.write(ZoneTransition(header: renewed))
    try file.commit()
    unwrittenMarks[key] = (memory.folder, ZoneMark(renewed))
    return renewed
  }

  /// Checks once a turn whether the zone's file is still the one that was read. A file that was put in its place, or
  /// one that could not be read, is read now.
  func check(_ key: ZoneKey, _ memory: DatabaseMemory) {
    let name = key.zoneName
    guard stagedZones[key] == nil, memory.checked.insert(name).inserted else { return }
    checkedDatabases.insert(key.database)
    guard memory.headers[name] != nil || memory.unreadable[name] != nil else { return }
    if memory.unreadable[name] == nil, memory.files[name]?.isUnchanged == true { return }
    reread(key, memory)
  }

  private func reread(_ key: ZoneKey, _ memory: DatabaseMemory) {
    do throws(StoreError) {
      let path = paths.file(of: key)
      letGo(of: key, at: path)
      let now = ZonePlace(path)
      guard now.file != nil else {
        let error = StoreError(
          .failed, "the file was removed while the cloud was running: put it back, or start the cloud again",
          place: path)
        return memory.put(error, of: key.zoneName, from: now)
      }
      if let before = memory.files[key.zoneName], before.file != now.file, before.wal != nil, before.wal == now.wal {
        // The WAL belongs to the file that was replaced.
        for ending in ["-wal", "-shm"] { try Folder.remove(path + ending) }
        try inFolders { () throws(StoreError) in try Folder.sync(paths.zonesFolder(of: key.database)) }
      }
      do throws(StoreError) {
        try read(key, into: memory)
      } catch {
        memory.put(error, of: key.zoneName, from: ZonePlace(path))
      }
    } catch {
      memory.put(error, of: key.zoneName, from: ZonePlace(error.place))
    }
  }

  /// The file of a zone; nil if the zone never existed.
  func file(of key: ZoneKey) throws(StoreError) -> ZoneFile? {
    if case .observe = access {
      let path = paths.file(of: key)
      return !Folder.isEmpty(path) ? try open(path, of: key.database, access: .observe) : nil
    }
    guard try header(of: key) != nil else { return nil }
    if let open = zoneFiles.file(key) { return open }
    let file = try open(paths.file(of: key), of: key.database, access: .existing)
    keep(file, for: key)
    return file
  }

  /// The header of a zone; nil if the zone never existed. Throws if it cannot be read.
  func header(of key: ZoneKey) throws(StoreError) -> ZoneHeader? {
    guard let memory = try memory(of: key.database) else { return nil }
    check(key, memory)
    if let unreadable = memory.unreadable[key.zoneName] { throw unreadable.error }
    return memory.headers[key.zoneName]
  }

  /// Makes an empty file for a new zone. The database lists the zone only after its file survives a power cut, so that a
  /// zone without a file is one whose file was lost.
  func makePlace(of key: ZoneKey) throws(StoreError) {
    try inFolders { () throws(StoreError) in
      let folder = paths.zonesFolder(of: key.database)
      try Folder.make(folder)
      Folder.makeFile(paths.file(of: key))
      try Folder.sync(folder)
    }
  }

  /// Makes the tables in the file of a new zone.
  func makeFile(of key: ZoneKey) throws(StoreError) -> ZoneFile {
    let path = paths.file(of: key)
    let file = try open(path, of: key.database, access: .create)
    guard try file.header() == nil else {
      throw StoreError(.corrupt, "the file was put there while the cloud was running: start it again", place: path)
    }
    keep(file, for: key)
    memories[key.database]?.note(ZonePlace(path), of: key.zoneName)
    return file
  }

  private func open(_ path: String, of id: DatabaseID, access: Access) throws(StoreError) -> ZoneFile {
    letGo(room: 1)
    return try ZoneFile(
      path, of: id, access: access, durability: durability, checkpointPages: checkpointPages, reserve: reserve,
      limit: limit)
  }

  /// SQLite's own default is 1,000 pages (SQLite: wal.html, automatic checkpoint).
  private var checkpointPages: Int32 { checkpointer == nil ? 1000 : 0 }

  private func keep(_ file: ZoneFile, for key: ZoneKey) { zoneFiles.insert(file, for: key) }

  /// Runs `body`, which opens folders for a moment, with descriptors that are kept back for that.
  func inFolders<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    let loan = reserve?.loan(Self.passingDescriptors)
    defer { withExtendedLifetime(loan) {} }
    return try body()
  }

  /// The database's own file, open for writing unless this instance is read-only.
  func databaseFile(of id: DatabaseID, access: Access) throws(StoreError) -> DatabaseFile {
    if let open = databaseFiles.file(id) { return open }
    let folder = paths.folder(of: id)
    let path = paths.file(of: id)
    let isNew = !Folder.exists(path)
    letGo(room: 1)
    let file = try DatabaseFile(path, of: id, access: access, durability: durability, reserve: reserve)
    if isNew { try inFolders { () throws(StoreError) in try Folder.sync(folder) } }
    if case .observe = access { return file }
    databaseFiles.insert(file, for: id)
    return file
  }

  /// Closes the least recently used files until `room` more fit within the limit, but none with staged changes. The
  /// checkpoint thread closes its own connections to them.
  ///
  /// If descriptors are reserved, there are none for more files. Then the changes in the least recently used files are
  /// committed before the end of the turn.
  func letGo(room: Int = 0) {
    close(zoneFiles.trim(room: room) { $0.isInTransaction })
    _ = databaseFiles.trim(room: room) { $0.isInTransaction }
    guard reserve != nil else { return }
    while zoneFiles.isFull(room: room), let key = zoneFiles.leastRecentlyUsed {
      commitEarly(key)
      close(zoneFiles.trim(room: room) { $0.isInTransaction })
    }
    while databaseFiles.isFull(room: room), let id = databaseFiles.leastRecentlyUsed {
      commitEarly(id)
      _ = databaseFiles.trim(room: room) { $0.isInTransaction }
    }
  }

  private func close(_ files: [ZoneFile]) {
    for file in files { checkpointer?.release(file.connection.path) }
  }

  /// Closes the file of a zone and waits until the checkpoint thread has closed it too. The last connection removes the
  /// WAL, so nothing of the file is left for another file at that path.
  func letGo(of key: ZoneKey, at path: String) {
    guard zoneFiles.file(key) != nil else { return }
    zoneFiles.remove(key)
    checkpointer?.releaseNow(path)
  }
}
