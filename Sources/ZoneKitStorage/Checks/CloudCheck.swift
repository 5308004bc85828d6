import ZoneKitRecords
import ZoneKitCloud

/// Verifies all files of a cloud, whether a server is running or not: SQLite's own checks, the rules of each zone's
/// feed, the list of zones against the zone files, and the accounts.
package struct CloudCheck {
  /// The faults, in the order of their paths.
  package private(set) var faults: [FileFault] = []
  /// The number of databases.
  package private(set) var databases = 0
  /// The number of zone files.
  package private(set) var zones = 0
  /// The number of records and tombstones.
  package private(set) var rows = 0
  private let paths: CloudPaths
  /// Read before the zones, so that a commit during the check puts no mark ahead of its zone.
  private let marks: ZoneMarks

  /// Checks the cloud in that folder.
  package init(root: String) {
    paths = CloudPaths(root: root)
    marks = ZoneMarks(observing: root)
    do {
      for id in try paths.databases() {
        check(id)
        checkPermissions(of: id)
      }
      for (path, origin) in try paths.accountFiles() { faults += AccountCheck.faults(at: path, of: origin) }
      for (path, origin) in try paths.relationFiles() { faults += RelationCheck.faults(at: path, of: origin) }
      for origin in try AccountCheck.missing(in: paths) {
        faults.append(
          FileFault("the file is missing, and its accounts have rows", at: paths.accountFile(of: origin)))
      }
    } catch {
      faults.append(FileFault(error))
    }
    faults += marks.faults()
    faults.sort { (Name($0.place), Name($0.message)) < (Name($1.place), Name($1.message)) }
  }

  private mutating func check(_ id: DatabaseID) {
    databases += 1
    do throws(StoreError) {
      let marks = try self.marks.marks(in: paths.relativeFolder(of: id))
      let path = paths.file(of: id)
      let listed = Folder.exists(path) ? check(databaseFileAt: path, of: id) : nil
      let folder = paths.zonesFolder(of: id)
      var found: [Name: Int64] = [:]
      var unfinished: Set<Name> = []
      for fileName in try paths.zoneFiles(of: id) {
        let name = paths.zoneName(of: fileName, among: (listed ?? []) + marks.keys.sorted())
        let finding = check(zoneFileAt: folder + "/" + fileName, of: ZoneKey(database: id, zoneName: name), marks[name])
        found[name] = finding.position
        if finding.isUnfinished { unfinished.insert(name) }
      }
      // A zone is listed before its first commit, which may have been interrupted.
      if let listed { compare(listed.filter { !unfinished.contains($0) }, with: found, at: path) }
      if !found.isEmpty, !Folder.exists(path) {
        faults.append(
          FileFault("the file is missing, and the database has \(found.count.counted("zone"))", at: path))
      }
      checkPositions(found, in: folder)
      for (name, mark) in marks.sorted(by: { $0.key < $1.key }) where found[name] == nil && !mark.isDeleted {
        faults.append(
          FileFault(
            "the file of zone \(name) is missing, whose sequence was \(mark.sequence)",
            at: paths.file(of: ZoneKey(database: id, zoneName: name))))
      }
    } catch {
      faults.append(FileFault(error))
    }
  }

  /// Adds the files and folders of a database that were read and whose owner may not use them.
  private mutating func checkPermissions(of id: DatabaseID) {
    let folder = paths.zonesFolder(of: id)
    let zoneFiles = (try? paths.zoneFiles(of: id)) ?? []
    let places = [paths.folder(of: id), paths.file(of: id), folder] + zoneFiles.map { folder + "/" + $0 }
    let faulty = Set(faults.map(\.place))
    faults += places.filter { !faulty.contains($0) }.compactMap { FileFault(permissionsOf: $0) }
  }

  /// The zones that the database's file lists; nil if it cannot be read.
  private mutating func check(databaseFileAt path: String, of id: DatabaseID) -> [Name]? {
    do {
      let file = try DatabaseFile(path, of: id, access: .observe, durability: .full)
      var check = FileCheck(of: file.connection)
      check.checkIntegrity()
      var listed: [Name]?
      check.attempt { (_) throws(StoreError) in
        _ = try file.state()
        listed = try file.zoneNames()
      }
      faults += check.faults
      return listed
    } catch {
      faults.append(FileFault(error))
      return nil
    }
  }

  /// The zone's position in the database's feed, nil if the file holds no zone; and whether that is so because the
  /// creation of the zone was interrupted.
  private mutating func check(
    zoneFileAt path: String, of key: ZoneKey, _ mark: ZoneMark?
  ) -> (position: Int64?, isUnfinished: Bool) {
    do {
      guard !Folder.isEmpty(path) else {
        if let mark {
          faults.append(FileFault("the file is empty, and the zone's sequence was \(mark.sequence)", at: path))
        }
        return (mark?.databaseSequence, mark == nil)
      }
      let file = try ZoneFile(path, of: key.database, access: .observe, durability: .full, checkpointPages: 0)
      zones += 1
      let found = file.faults(after: mark)
      rows += found.rows
      faults += found.faults
      guard let header = try file.header() else { return (mark?.databaseSequence, mark == nil) }
      guard header.zoneName == key.zoneName else {
        let right = CloudPaths.fileName(of: header.zoneName)
        faults.append(FileFault("the file holds zone \(header.zoneName), whose file is \(right)", at: path))
        return (nil, false)
      }
      return (header.databaseSequence, false)
    } catch {
      faults.append(FileFault(error))
      return (mark?.databaseSequence ?? 0, false)
    }
  }

  private mutating func compare(_ listed: [Name], with found: [Name: Int64], at path: String) {
    for name in listed where found[name] == nil {
      faults.append(FileFault("zone \(name) is listed and has no file", at: path))
    }
    for name in found.keys.sorted() where !listed.contains(name) {
      faults.append(FileFault("zone \(name) has a file and is not listed", at: path))
    }
  }

  /// Two zones at one position of the database's feed would hide each other from a device between two pages.
  private mutating func checkPositions(_ found: [Name: Int64], in folder: String) {
    var names: [Int64: Name] = [:]
    for name in found.keys.sorted() {
      guard let position = found[name], position > 0 else { continue }
      if let other = names[position] {
        faults.append(FileFault("zones \(other) and \(name) have the same position \(position)", at: folder))
      }
      names[position] = name
    }
  }
}
