import ZoneKitRecords
import ZoneKitCloud
import ZoneKitTableServer

/// Rebuilds the damaged files of a cloud from what can be read of them. The damaged files are moved to a folder.
///
/// A zone that may lack records starts a new incarnation, so that devices fetch it as a whole and offer what they have.
/// The caller holds the cloud's lock.
package struct CloudRepair {
  /// What was done with a file.
  package struct Deed: Hashable, Sendable {
    /// The path of the file.
    package let place: String
    /// What was done, as a sentence part.
    package let what: String

    /// A deed at that place.
    package init(place: String, what: String) {
      self.place = place
      self.what = what
    }
  }

  /// What was done.
  package private(set) var deeds: [Deed] = []
  private let paths: CloudPaths
  private let backup: String
  private let now: WallTime
  private let marks: ZoneMarks

  /// Repairs the cloud in that folder. `backup` is the folder for damaged files, which is made if there are any.
  package init(
    root: String, backup: String, at now: WallTime, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) {
    paths = CloudPaths(root: root)
    self.backup = backup
    self.now = now
    marks = ZoneMarks(root: root)
    if !ZoneMarks(observing: root).faults().isEmpty {
      try moveAway(root + "/" + ZoneMarks.fileName)
      note(root + "/" + ZoneMarks.fileName, "moved away; a new one is made with the next commit")
    }
    try settleMisplaced()
    for id in try paths.databases() { try repair(id, using: &generator) }
    marks.close()
    for (path, origin) in try paths.accountFiles() { try repair(accountsAt: path, of: origin) }
    for origin in try AccountCheck.missing(in: paths) { try makeAccounts(of: origin) }
  }

  /// Moves away the files that belong to other places, so that nobody gets the data of somebody else, and back to where
  /// they belong if nothing is there.
  private mutating func settleMisplaced() throws(StoreError) {
    let misplaced = try MisplacedFile.all(in: paths)
    let kept = try misplaced.map { (file) throws(StoreError) in try moveAway(file.place) }
    for (file, kept) in zip(misplaced, kept) {
      if let home = file.home, !Folder.exists(home), Folder.exists(Folder.parent(of: home)) {
        try move(kept, to: home)
        note(file.place, "moved to \(home), because it belongs to \(file.owner)")
      } else {
        note(file.place, "set aside, because it belongs to \(file.owner)")
      }
    }
  }

  /// Makes a new file for accounts that have lost theirs, with the claims of their rows.
  private mutating func makeAccounts(of origin: FileOrigin) throws(StoreError) {
    let path = paths.accountFile(of: origin)
    var content = AccountTransition()
    content.claims = try ZoneClaims.all(
      root: paths.root, container: origin.container, environment: origin.environment, zone: nil)
    let file = try AccountFile(path, of: origin, access: .create)
    try file.write(content)
    try file.commit()
    let kept = "the claims of \(content.claims.count.counted("row"))"
    note(path, "made anew with \(kept); the accounts are lost: `zonekit account add --id` makes them again")
  }

  /// Makes a new file of accounts from what can be read of a damaged one.
  private mutating func repair(accountsAt path: String, of origin: FileOrigin) throws(StoreError) {
    let draft = path + CloudPaths.draftEnding
    if !Folder.exists(path) {
      try Folder.rename(draft, to: path)
      note(path, "rebuilt by a repair that was interrupted")
    }
    guard !AccountCheck.isSound(path, of: origin), let salvage = try? AccountSalvage(path: path) else { return }
    for ending in ["", "-wal", "-shm"] { try Folder.remove(draft + ending) }
    // The file is closed before it is renamed, which leaves no WAL.
    do {
      let file = try AccountFile(draft, of: origin, access: .create)
      try file.write(salvage.content)
      try file.commit()
    }
    try moveAway(path)
    try Folder.rename(draft, to: path)
    let kept =
      "\(salvage.content.accounts.count.counted("account")) and \(salvage.content.sessions.count.counted("session"))"
    note(path, "rebuilt with \(kept)" + (salvage.isIncomplete ? "; others may be missing" : ""))
  }

  private mutating func repair(
    _ id: DatabaseID, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) {
    let relative = paths.relativeFolder(of: id)
    let known = try marks.marks(in: relative)
    let path = paths.file(of: id)
    var (state, listed) = (DatabaseState(), [Name]())
    var isListDamaged = false
    if Folder.exists(path) { isListDamaged = !read(path, of: id, &state, &listed) }
    var names: [Name] = []
    var highest = known.values.reduce(0) { max($0, $1.databaseSequence) }
    var broken: [(Name, String)] = []
    let folder = paths.zonesFolder(of: id)
    try finishInterrupted(in: folder)
    for fileName in try paths.zoneFiles(of: id) {
      let place = folder + "/" + fileName
      let name = paths.zoneName(of: fileName, among: listed + known.keys.sorted())
      guard !Folder.isEmpty(place) || known[name] != nil else { continue }
      if let header = soundHeader(at: place, of: ZoneKey(database: id, zoneName: name)) {
        highest = max(highest, header.databaseSequence)
        names.append(name)
      } else {
        broken.append((name, place))
      }
    }
    for (name, place) in broken {
      let isZone = known[name] != nil || listed.contains(name) || isListDamaged || listed.isEmpty
      // A file that cannot be opened for another reason than damage stays as it is.
      let key = ZoneKey(database: id, zoneName: name)
      let salvage = try? ZoneSalvage(path: place, of: key)
      guard isZone, salvage?.isForeign != true,
        CloudPaths.fileName(of: name) == place.split(separator: "/").last.map(String.init)
      else {
        try moveAway(place)
        note(place, "moved away; no zone has this file")
        continue
      }
      highest += 1
      names.append(name)
      guard let salvage else { continue }
      let mark = try rebuild(key, from: salvage, at: place, known[name], position: highest, using: &generator)
      try marks.write([(relative, name, mark)])
    }
    try forgetMissing(known, except: names, in: relative, of: id)
    if isListDamaged || listed != names.sorted(), Folder.exists(path) || !names.isEmpty {
      try rebuildList(of: id, state, names.sorted(), isDamaged: isListDamaged)
    }
  }

  /// Puts rebuilt files in their places whose damaged predecessors were already moved away when an earlier repair was
  /// interrupted. Such a file is complete: it is moved away only after that.
  private mutating func finishInterrupted(in folder: String) throws(StoreError) {
    for name in try Folder.names(in: folder) where name.hasSuffix(CloudPaths.zoneEnding + CloudPaths.draftEnding) {
      let place = folder + "/" + name.dropLast(CloudPaths.draftEnding.count)
      guard !Folder.exists(place) else { continue }
      try moveAway(place)
      try Folder.rename(place + CloudPaths.draftEnding, to: place)
      note(place, "rebuilt by a repair that was interrupted")
    }
  }

  /// Reads the database's own file. Returns false if it is damaged; then only what could be read is set.
  private func read(
    _ path: String, of id: DatabaseID, _ state: inout DatabaseState, _ listed: inout [Name]
  ) -> Bool {
    guard !Folder.isEmpty(path) else { return false }
    if let file = try? DatabaseFile(path, of: id, access: .observe, durability: .full) {
      var check = FileCheck(of: file.connection)
      check.checkIntegrity()
      check.attempt { (_) throws(StoreError) in listed = try file.zoneNames() }
      check.attempt { (_) throws(StoreError) in state = try file.state() }
      if check.faults.isEmpty { return true }
    }
    if let file = try? DatabaseFile(path, of: id, access: .observe, durability: .full, isDamaged: true) {
      listed = (try? file.zoneNames()) ?? []
      state = file.readableState()
    }
    return false
  }

  /// The header of a zone file without faults; nil for a damaged one.
  private func soundHeader(at place: String, of key: ZoneKey) -> ZoneHeader? {
    do {
      let file = try ZoneFile(place, of: key.database, access: .observe, durability: .full, checkpointPages: 0)
      // A zone that lacks commits is no damage: the cloud gives it a new incarnation when it opens the file.
      guard file.faults(after: nil).faults.isEmpty, let header = try file.header(), header.zoneName == key.zoneName
      else {
        return nil
      }
      return header
    } catch {
      return nil
    }
  }

  /// Makes a new file for a zone from what could be read of the present one. Returns its mark.
  private mutating func rebuild(
    _ key: ZoneKey, from salvage: ZoneSalvage, at place: String, _ mark: ZoneMark?, position: Int64,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ZoneMark {
    var header =
      salvage.header
      ?? ZoneHeader(
        zoneName: key.zoneName, incarnation: generator.next(), sequence: 0, databaseSequence: position, at: now)
    header.sequence = max(header.sequence, mark?.sequence ?? 0, salvage.records.last?.sequence ?? 0)
    header.recordCount = salvage.records.count { !$0.isDeleted }
    header.tombstoneCount = salvage.records.count { $0.isDeleted }
    if salvage.isIncomplete || mark?.isReached(by: header) == false {
      header = ZoneMark(header).renewed(header, databaseSequence: position, using: &generator)
    }
    let draft = place + CloudPaths.draftEnding
    for ending in ["", "-wal", "-shm"] { try Folder.remove(draft + ending) }
    let content = ZoneTransition(header: header, records: salvage.records, definitions: salvage.definitions)
    try write(content, to: draft, of: key.database)
    try moveAway(place)
    try Folder.rename(draft, to: place)
    let kept = "\(header.recordCount.counted("record")) and \(header.tombstoneCount.counted("tombstone"))"
    note(
      place,
      "rebuilt with \(kept)" + (salvage.isIncomplete ? "; others may be missing, so devices offer what they have" : ""))
    return ZoneMark(header)
  }

  /// Makes a zone file. It is closed afterwards, which leaves no WAL.
  private func write(_ change: ZoneTransition, to path: String, of id: DatabaseID) throws(StoreError) {
    let file = try ZoneFile(path, of: id, access: .create, durability: .full, checkpointPages: 1000)
    try file.write(change)
    try file.commit()
  }

  /// Removes the marks of zones without a file.
  private mutating func forgetMissing(
    _ known: [Name: ZoneMark], except names: [Name], in relative: String, of id: DatabaseID
  ) throws(StoreError) {
    for name in known.keys.sorted() where !names.contains(name) {
      try marks.remove(name, in: relative)
      note(paths.file(of: ZoneKey(database: id, zoneName: name)), "forgotten; the zone has no file")
    }
  }

  /// Writes the database's list of zones, and makes a new file for it if the present one is damaged.
  private mutating func rebuildList(
    of id: DatabaseID, _ state: DatabaseState, _ names: [Name], isDamaged: Bool
  ) throws(StoreError) {
    let path = paths.file(of: id)
    if isDamaged { try moveAway(path) }
    let file = try DatabaseFile(path, of: id, access: .create, durability: .full)
    try file.begin()
    try file.forgetIdentityAndZones()
    if isDamaged {
      try file.write(
        DatabaseTransition(
          savedSubscriptions: state.subscriptions, savedRegistrations: state.registrations))
    }
    for name in names { try file.write(zone: name) }
    try file.commit()
    let kept =
      "\(state.subscriptions.count.counted("subscription")) and "
      + state.registrations.count.counted("registration")
    note(path, isDamaged ? "rebuilt with \(kept)" : "the list of zones was made anew from the zone files")
  }

  /// Moves a file and what SQLite keeps beside it to the backup, and returns its path there.
  @discardableResult
  private func moveAway(_ place: String) throws(StoreError) -> String {
    let wanted = backup + "/" + place.dropFirst(paths.root.count + 1)
    var target = wanted
    var number = 2
    while Folder.exists(target) {
      target = "\(wanted).\(number)"
      number += 1
    }
    try Folder.make(Folder.parent(of: target))
    try move(place, to: target)
    return target
  }

  /// Moves a file with what SQLite keeps beside it.
  private func move(_ place: String, to target: String) throws(StoreError) {
    for ending in ["", "-wal", "-shm", "-journal"] where Folder.exists(place + ending) {
      try Folder.rename(place + ending, to: target + ending)
    }
  }

  private mutating func note(_ place: String, _ what: String) { deeds.append(Deed(place: place, what: what)) }
}
