import ZoneKitRecords
import ZoneKitCloud

/// A file that belongs to another part of the cloud than the place where it is, for example because the files of two
/// users were swapped.
struct MisplacedFile {
  /// The path of the file.
  let place: String
  /// The path at which it belongs; nil if it does not hold the name of its zone any more.
  let home: String?
  /// What it belongs to, for messages.
  let owner: String

  /// The misplaced files of a cloud, in the order of their databases. A file that does not hold what it belongs to is
  /// taken for the one of its place.
  static func all(in paths: CloudPaths) throws(StoreError) -> [MisplacedFile] {
    var found: [MisplacedFile] = []
    for (path, origin) in try paths.accountFiles() {
      let stored = storedOrigin(of: path) { path throws(StoreError) in
        try AccountFile(path, of: nil, access: .observe, isDamaged: true).connection
      }
      guard let stored, stored != origin else { continue }
      found.append(MisplacedFile(place: path, home: paths.accountFile(of: stored), owner: "\(stored)"))
    }
    for id in try paths.databases() {
      let path = paths.file(of: id)
      let stored = storedOrigin(of: path) { path throws(StoreError) in
        try DatabaseFile(path, of: nil, access: .observe, durability: .full, isDamaged: true).connection
      }
      if let stored, stored != FileOrigin(id) {
        let home = stored.databaseID.map { paths.file(of: $0) }
        found.append(MisplacedFile(place: path, home: home, owner: "\(stored)"))
      }
      for fileName in try paths.zoneFiles(of: id) {
        if let file = zone(paths.zonesFolder(of: id) + "/" + fileName, of: id, in: paths) { found.append(file) }
      }
    }
    return found
  }

  /// The origin that a file holds; nil if it cannot be read.
  private static func storedOrigin(of path: String, _ open: (String) throws(StoreError) -> Connection) -> FileOrigin? {
    guard Folder.size(of: path) > 0, let connection = try? open(path), connection.hasOrigin else { return nil }
    return (try? connection.storedOrigin()) ?? nil
  }

  /// The zone file at that path in the folder of a database; nil if it belongs there.
  private static func zone(_ path: String, of id: DatabaseID, in paths: CloudPaths) -> MisplacedFile? {
    guard Folder.size(of: path) > 0,
      let file = try? ZoneFile(
        path, of: nil, access: .observe, durability: .full, checkpointPages: 0, isDamaged: true)
    else { return nil }
    let stored = file.connection.hasOrigin ? (try? file.connection.storedOrigin()) ?? nil : nil
    let database = stored?.databaseID ?? id
    let name = ((try? file.header()) ?? nil)?.zoneName
    let home = name.map { paths.file(of: ZoneKey(database: database, zoneName: $0)) }
    guard database != id || home ?? path != path else { return nil }
    let zone = name.map { "zone \($0) of " } ?? ""
    return MisplacedFile(place: path, home: home, owner: "\(zone)\(FileOrigin(database))")
  }
}
