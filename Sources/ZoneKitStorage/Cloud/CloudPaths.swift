import ZoneKitRecords
import ZoneKitCloud

/// Where the cloud's files are: `ROOT/<container>/<environment>/<user>/<scope>/zones/<zone>.zone` and `database.sqlite`.
struct CloudPaths {
  /// The cloud's folder.
  let root: String

  /// The folder of a database.
  func folder(of id: DatabaseID) throws(StoreError) -> String {
    var path = root
    for name in [id.container, id.environment, id.user] { path += "/" + (try FileName.folder(name, in: root)) }
    return path + "/" + id.scope.rawValue
  }

  /// The folder of a database's zone files.
  func zonesFolder(of id: DatabaseID) throws(StoreError) -> String { try folder(of: id) + "/zones" }

  /// The file of a zone.
  func file(of key: ZoneKey) throws(StoreError) -> String {
    try zonesFolder(of: key.database) + "/" + Self.fileName(of: key.zoneName)
  }

  /// The file of a database's own state.
  func file(of id: DatabaseID) throws(StoreError) -> String { try folder(of: id) + "/database.sqlite" }

  /// The name of a zone's file within its folder.
  static func fileName(of zone: Name) -> String { FileName.file(zone) + ".zone" }

  /// The zone files of a database, ascending. An empty file is a zone whose making was cut short: none.
  func zoneFiles(of id: DatabaseID) throws(StoreError) -> [String] {
    let folder = try zonesFolder(of: id)
    return try Folder.names(in: folder).filter { $0.hasSuffix(".zone") && Folder.size(of: folder + "/" + $0) > 0 }
  }

  /// Every database that has a folder, ascending.
  func databases() throws(StoreError) -> [DatabaseID] {
    var found: [DatabaseID] = []
    for (container, path) in try folders(in: root) {
      for (environment, path) in try folders(in: path) {
        for (user, path) in try folders(in: path) {
          for scope in DatabaseScope.allCases where Folder.exists(path + "/" + scope.rawValue) {
            found.append(DatabaseID(container: container, environment: environment, user: user, scope: scope))
          }
        }
      }
    }
    return found.sorted()
  }

  /// The folders that stand for names; anything else that lies there is not ours.
  private func folders(in path: String) throws(StoreError) -> [(Name, String)] {
    try Folder.names(in: path).compactMap { text in
      guard Folder.isFolder(path + "/" + text), let name = FileName.decode(text) else { return nil }
      return (name, path + "/" + text)
    }
  }
}
