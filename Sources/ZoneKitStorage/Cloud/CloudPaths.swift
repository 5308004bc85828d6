import ZoneKitRecords
import ZoneKitCloud

/// The paths of the cloud's files: `ROOT/<container>/<environment>/<user>/<scope>/zones/<zone>.zone` and
/// `database.sqlite`.
struct CloudPaths {
  /// The root folder.
  let root: String

  /// The folder of a database.
  func folder(of id: DatabaseID) throws(StoreError) -> String {
    var path = root
    for name in [id.container, Name(id.environment.rawValue), id.user] {
      path += "/" + (try FileName.folder(name, in: root))
    }
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
  static func fileName(of zone: Name) -> String { FileName.file(zone) + zoneEnding }

  /// The folder of a database within the root folder.
  func relativeFolder(of id: DatabaseID) throws(StoreError) -> String {
    String(try folder(of: id).dropFirst(root.count + 1))
  }

  /// The zone files of a database, in ascending order.
  func zoneFiles(of id: DatabaseID) throws(StoreError) -> [String] {
    try Folder.names(in: try zonesFolder(of: id)).filter { $0.hasSuffix(Self.zoneEnding) }
  }

  /// The zone whose file has that name. The name of a long zone is not in that of its file, so it is looked for among
  /// `known` ones.
  func zoneName(of fileName: String, among known: [Name]) -> Name {
    FileName.decode(String(fileName.dropLast(Self.zoneEnding.count)))
      ?? known.first { Self.fileName(of: $0) == fileName } ?? Name(fileName)
  }

  private static let zoneEnding = ".zone"

  /// All databases that have a folder, in ascending order.
  func databases() throws(StoreError) -> [DatabaseID] {
    var found: [DatabaseID] = []
    for (container, path) in try folders(in: root) {
      for (name, path) in try folders(in: path) {
        guard let environment = Environment(rawValue: name.text) else { continue }
        for (user, path) in try folders(in: path) {
          for scope in DatabaseScope.allCases where Folder.exists(path + "/" + scope.rawValue) {
            found.append(DatabaseID(container: container, environment: environment, user: user, scope: scope))
          }
        }
      }
    }
    return found.sorted()
  }

  /// The folders whose names are encoded names. Others do not belong to the store.
  private func folders(in path: String) throws(StoreError) -> [(Name, String)] {
    try Folder.names(in: path).compactMap { text in
      guard Folder.isFolder(path + "/" + text), let name = FileName.decode(text) else { return nil }
      return (name, path + "/" + text)
    }
  }
}
