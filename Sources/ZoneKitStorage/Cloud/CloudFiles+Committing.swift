import ZoneKitRecords
import ZoneKitCloud

extension CloudFiles {
  /// Writes a change of a zone into the open transaction of its file.
  func write(_ change: ZoneTransition, in key: ZoneKey) throws(StoreError) {
    try refuseObserver(at: paths.file(of: key))
    let memory = try memoryForWriting(of: key.database)
    let header = memory.headers[key.zoneName]
    var staged = stagedZones[key] ?? Staged(before: header)
    guard staged.cause == nil else { return }
    if staged.isCommitted { staged = Staged(before: header) }
    if let after = change.after { staged.after = after }
    guard change.expected?.holds(for: header, databaseSequence: memory.state.sequence) ?? true else {
      staged.cause = .stale
      stagedZones[key] = staged
      return
    }
    if staged.file == nil {
      // Opening a file can commit other zones, but none without changes.
      stagedZones[key] = staged
      staged.file = try openFile(of: key, memory)
    }
    stagedZones[key] = staged
    try staged.file?.write(change)
    memory.stage(change.header)
  }

  /// Writes a change of a database's own state into the open transaction of its file.
  func write(_ change: DatabaseTransition, in id: DatabaseID) throws(StoreError) {
    try refuseObserver(at: paths.file(of: id))
    let memory = try memoryForWriting(of: id)
    guard change.expected?.holds(for: memory.state) ?? true else {
      stagedDatabases[id, default: Staged(before: memory.state)].cause = .stale
      stagedDatabases[id]?.isAsked = true
      return
    }
    try write(to: id) { file throws(StoreError) in try file.write(change) }
    stagedDatabases[id]?.isAsked = true
    memory.state.apply(change)
  }

  /// The file of a zone for its first change of a transaction. A new zone's file is made.
  private func openFile(of key: ZoneKey, _ memory: DatabaseMemory) throws(StoreError) -> ZoneFile {
    if let file = try file(of: key) { return file }
    try makePlace(of: key)
    list(key, memory)
    return try makeFile(of: key)
  }

  /// Adds a new zone to its database's list. An error is ignored: the zone is added with the next change of the list,
  /// or found missing from it at the next start.
  private func list(_ key: ZoneKey, _ memory: DatabaseMemory) {
    memory.unlisted.append(key.zoneName)
    do {
      try write(to: key.database) { _ in }
    } catch {
      stagedDatabases[key.database]?.cause = .store(error)
    }
  }

  private func refuseObserver(at place: @autoclosure () -> String) throws(StoreError) {
    guard case .observe = access else { return }
    throw StoreError(.readOnly, "the cloud is open for reading only", place: place())
  }

  private func memoryForWriting(of id: DatabaseID) throws(StoreError) -> DatabaseMemory {
    if let known = try memory(of: id) { return known }
    let memory = DatabaseMemory(state: DatabaseState(), folder: paths.relativeFolder(of: id))
    try inFolders { () throws(StoreError) in try paths.makeFolder(of: id) }
    memories[id] = memory
    return memory
  }

  /// Writes to a database's own file, in a transaction that also updates its list of zones.
  private func write(to id: DatabaseID, _ body: (DatabaseFile) throws(StoreError) -> Void) throws(StoreError) {
    let memory = try memoryForWriting(of: id)
    if stagedDatabases[id] == nil { stagedDatabases[id] = Staged(before: memory.state) }
    if stagedDatabases[id]?.isCommitted == true {
      stagedDatabases[id]?.isCommitted = false
      stagedDatabases[id]?.before = memory.state
    }
    switch stagedDatabases[id]?.cause {
    case .store(let error): throw error
    case .stale: return
    case nil: break
    }
    do throws(StoreError) {
      let file = try databaseFile(of: id, access: .create)
      stagedDatabases[id]?.file = file
      if !file.isInTransaction { try begin(file, memory) }
      for name in memory.unlisted { try file.write(zone: name) }
      try body(file)
    } catch {
      stagedDatabases[id]?.cause = .store(error)
      throw error
    }
  }

  /// Begins the transaction. Makes a list of zones that was found wrong anew first.
  private func begin(_ file: DatabaseFile, _ memory: DatabaseMemory) throws(StoreError) {
    try file.begin()
    guard memory.isListStale else { return }
    try file.forgetIdentityAndZones()
    for name in memory.headers.keys.sorted() { try file.write(zone: name) }
  }

  /// Commits a zone before the end of the turn. The result is kept for the end. Its answers still wait for that.
  func commitEarly(_ key: ZoneKey) {
    guard let staged = stagedZones[key] else { return zoneFiles.remove(key) }
    if let after = staged.after, stagedZones[after]?.isCommitted == false { commitEarly(after) }
    let cause = commit(key)
    stagedZones[key]?.cause = cause
    stagedZones[key]?.isCommitted = true
    stagedZones[key]?.file = nil
  }

  /// Commits a database's own state before the end of the turn.
  func commitEarly(_ id: DatabaseID) {
    guard stagedDatabases[id] != nil else { return databaseFiles.remove(id) }
    if let cause = commit(id) { stagedDatabases[id]?.cause = cause }
    stagedDatabases[id]?.isCommitted = true
    stagedDatabases[id]?.file = nil
  }

  /// Commits what is staged in a zone, unless that is done. Returns the error, if any.
  func settle(_ key: ZoneKey) -> CommitFailure.Cause? {
    stagedZones[key]?.isCommitted == true ? stagedZones[key]?.cause : commit(key)
  }

  /// Commits what is staged in a database's own file, unless that is done. Returns the error, if the machine staged
  /// anything there.
  func settle(_ id: DatabaseID) -> CommitFailure.Cause? {
    guard let staged = stagedDatabases[id], staged.isCommitted else { return commit(id) }
    return staged.isAsked ? staged.cause : nil
  }

  /// Commits what is staged in a database's own file. Returns the error, if the machine staged anything there.
  func commit(_ id: DatabaseID) -> CommitFailure.Cause? {
    let staged = stagedDatabases[id]
    let file = staged?.file
    guard let cause = staged?.cause ?? failure(of: { () throws(StoreError) in try file?.commit() }) else {
      if let file, let error = displacement(of: file.connection) {
        databaseFiles.remove(id)
        memories[id] = nil
        return staged?.isAsked == true ? .store(error) : nil
      }
      memories[id]?.isListStale = false
      memories[id]?.unlisted.removeAll()
      return nil
    }
    file?.rollBack()
    if let before = staged?.before { memories[id]?.restore(before) }
    return staged?.isAsked == true ? cause : nil
  }

  /// Commits what is staged in a zone. Returns the error, if any.
  func commit(_ key: ZoneKey) -> CommitFailure.Cause? {
    let staged = stagedZones[key]
    let file = staged?.file
    let commit = { () throws(StoreError) in
      try self.forgetMark(of: key, before: staged)
      try file?.commit()
    }
    let earlier = staged?.after.flatMap { stagedZones[$0]?.cause }
    if let cause = staged?.cause ?? earlier ?? failure(of: commit) {
      file?.rollBack()
      if let staged { memories[key.database]?.restore(staged.before, of: key.zoneName) }
      return cause
    }
    guard let file, let memory = memories[key.database], let header = memory.headers[key.zoneName] else { return nil }
    if let error = displacement(of: file.connection) {
      memory.restore(staged?.before, of: key.zoneName)
      memory.mistrust(key.zoneName)
      letGo(of: key, at: file.connection.path)
      return .store(error)
    }
    unwrittenMarks[key] = (memory.folder, ZoneMark(header))
    shrinkWAL(of: file)
    return nil
  }

  /// Removes the mark of a zone that begins a new incarnation. Otherwise, if the new mark were lost, the zone would look
  /// like an older copy at the next start.
  private func forgetMark(of key: ZoneKey, before staged: Staged<ZoneHeader?, ZoneFile>?) throws(StoreError) {
    guard let marks, let memory = memories[key.database], let before = staged?.before,
      before.incarnation != memory.headers[key.zoneName]?.incarnation
    else { return }
    try marks.remove(key.zoneName, in: memory.folder)
  }

  /// The error of a commit to a file that is not at its path any more. If only the WAL is gone, the file takes its
  /// pages over.
  private func displacement(of connection: Connection) -> StoreError? {
    guard !connection.isInPlace() else { return nil }
    let lost = "the file or its WAL was removed or replaced while the cloud was running"
    do {
      try connection.checkpointWholly()
    } catch {
      return StoreError(.failed, "\(lost): \(error.message)", place: connection.path)
    }
    return StoreError(.failed, lost, place: connection.path)
  }

  private func failure(of body: () throws(StoreError) -> Void) -> CommitFailure.Cause? {
    do {
      try body()
      return nil
    } catch {
      return .store(error)
    }
  }

  /// Leaves the WAL pages to the checkpoint thread, except the last pages of a long WAL and all pages of one at its
  /// limit.
  private func shrinkWAL(of file: ZoneFile) {
    guard let checkpointer else { return }
    let connection = file.connection
    checkpointer.committed(connection.path, pages: connection.walPages) { step throws(StoreError) in
      switch step {
      case .finish: try connection.checkpoint()
      case .empty: try connection.checkpointWholly()
      }
    }
  }
}
