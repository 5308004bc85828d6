import ZoneKitRecords
import ZoneKitCloud

/// The paths of the cloud's files: `ROOT/<container>/<environment>/<user>/<scope>/zones/<zone>.zone` and
/// `database.sqlite`.
struct CloudPaths {
  /// The root folder.
  let root: String

  /// The folder of a database.
  func folder(of id: DatabaseID) -> String {
    Self.folder(id.user, in: folder(of: id.container, id.environment)) + "/" + id.scope.rawValue
  }

  /// The folder of a container's environment.
  func folder(of container: Name, _ environment: Environment) -> String {
    Self.folder(container, in: root) + "/" + environment.rawValue
  }

  /// The longest encoded name of a container's or user's folder, in bytes. SQLite allows paths of 512 bytes.
  private static let folderLimit = 100
  /// The file with the name of a folder that has only a part of it.
  private static let nameFile = "name"

  /// The folder of a name: the encoded name or, if that is too long, its beginning with a hash. Earlier versions cut
  /// names only from 240 bytes on, so a longer folder that exists is used.
  private static func folder(_ name: Name, in place: String) -> String {
    let encoded = FileName.encode(name)
    let isShort = encoded.utf8.count <= folderLimit
    if isShort || encoded.utf8.count <= FileName.lengthLimit && Folder.exists(place + "/" + encoded) {
      return place + "/" + encoded
    }
    return place + "/" + FileName.shortened(name, to: folderLimit)
  }

  /// Makes the folder of a database. A folder that has only a part of its name first gets a file with all of it.
  func makeFolder(of id: DatabaseID) throws(StoreError) {
    let container = Self.folder(id.container, in: root)
    let user = Self.folder(id.user, in: container + "/" + id.environment.rawValue)
    for (name, path) in [(id.container, container), (id.user, user)] {
      guard path.hasSuffix(FileName.shortened(name, to: Self.folderLimit)) else { continue }
      let file = path + "/" + Self.nameFile
      guard !Folder.exists(file) else { continue }
      try Folder.make(path)
      try Folder.write(Array(name.text.utf8), to: file)
    }
    try Folder.make(folder(of: id))
  }

  /// The folder of a database's zone files.
  func zonesFolder(of id: DatabaseID) -> String { folder(of: id) + "/zones" }

  /// The file of a zone.
  func file(of key: ZoneKey) -> String { zonesFolder(of: key.database) + "/" + Self.fileName(of: key.zoneName) }

  /// The file of a database's own state.
  func file(of id: DatabaseID) -> String { folder(of: id) + "/database.sqlite" }

  /// The name of a zone's file within its folder.
  static func fileName(of zone: Name) -> String { FileName.file(zone) + zoneEnding }

  /// The folder of a database within the root folder.
  func relativeFolder(of id: DatabaseID) -> String { String(folder(of: id).dropFirst(root.count + 1)) }

  /// The zone files of a database, in ascending order.
  func zoneFiles(of id: DatabaseID) throws(StoreError) -> [String] {
    try Folder.names(in: zonesFolder(of: id)).filter { $0.hasSuffix(Self.zoneEnding) }
  }

  /// The zone whose file has that name. The name of a long zone is not in that of its file, so it is looked for among
  /// `known` ones.
  func zoneName(of fileName: String, among known: [Name]) -> Name {
    FileName.decode(String(fileName.dropLast(Self.zoneEnding.count)))
      ?? known.first { Self.fileName(of: $0) == fileName } ?? Name(fileName)
  }

  /// The ending of a rebuilt file that is not in its place yet.
  static let draftEnding = ".new"

  /// The ending of a zone file's name.
  static let zoneEnding = ".zone"

  /// The files of accounts and their containers, in ascending order.
  func accountFiles() throws(StoreError) -> [(path: String, origin: FileOrigin)] { try files(AccountFiles.fileName) }

  /// The files of the tables of users' own schemas, with the containers that they are for, in ascending order.
  func relationFiles() throws(StoreError) -> [(path: String, origin: FileOrigin)] { try files(RelationFiles.fileName) }

  private func files(_ fileName: String) throws(StoreError) -> [(path: String, origin: FileOrigin)] {
    var found: [(path: String, origin: FileOrigin)] = []
    for (name, container) in try folders(in: root) {
      for environment in Environment.allCases {
        let path = container + "/" + environment.rawValue + "/" + fileName
        guard Folder.exists(path) || Folder.exists(path + Self.draftEnding) else { continue }
        found.append((path, FileOrigin(container: name, environment: environment)))
      }
    }
    return found
  }

  /// The file of the accounts of a container's environment.
  func accountFile(of origin: FileOrigin) -> String {
    folder(of: origin.container, origin.environment) + "/" + AccountFiles.fileName
  }

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

  /// The folders whose names are encoded names, or shortened ones with a file that has the name. Others do not belong to
  /// the store.
  private func folders(in path: String) throws(StoreError) -> [(Name, String)] {
    var found: [(Name, String)] = []
    for text in try Folder.names(in: path) {
      let folder = path + "/" + text
      guard Folder.isFolder(folder) else { continue }
      if let name = FileName.decode(text) {
        found.append((name, folder))
      } else if let name = try name(in: folder, called: text) {
        found.append((name, folder))
      }
    }
    return found
  }

  private func name(in folder: String, called text: String) throws(StoreError) -> Name? {
    guard FileName.isShortened(text), let bytes = try Folder.read(folder + "/" + Self.nameFile) else { return nil }
    let name = Name(String(decoding: bytes, as: UTF8.self))
    return FileName.shortened(name, to: Self.folderLimit) == text ? name : nil
  }
}
