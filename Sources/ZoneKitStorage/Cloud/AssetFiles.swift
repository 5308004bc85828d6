import Glibc
import ZoneKitCloud
import ZoneKitRecords

/// The bytes of objects and assets, each in a file of its database's folder that their hash names: `assets/<aa>/<sha256>`.
package struct AssetFiles: Sendable {
  private let paths: CloudPaths

  /// The files below that root folder.
  package init(root: String) { paths = CloudPaths(root: root) }

  /// The name of the folder of a database's assets.
  static let folderName = "assets"

  private func folder(of database: DatabaseID) -> String { paths.folder(of: database) + "/" + Self.folderName }

  /// The path of the file of bytes with that hash.
  package func path(_ hash: String, in database: DatabaseID) -> String {
    folder(of: database) + "/\(hash.prefix(2))/\(hash)"
  }

  /// Writes bytes, unless they are there already. They are on the disk when the call returns. Anything else in their
  /// place, such as damaged bytes or a link, is replaced.
  package func write(_ bytes: [UInt8], hash: String, in database: DatabaseID) throws(StoreError) {
    let path = path(hash, in: database)
    guard (try? Folder.read(path, size: bytes.count)) != bytes else { return }
    try paths.makeFolder(of: database)
    try Folder.make(Folder.parent(of: path))
    do throws(StoreError) {
      try Folder.write(bytes, to: path)
    } catch {
      // On a full disk the unfinished file would take the room of others.
      try? Folder.remove(path + CloudPaths.draftEnding)
      throw error
    }
  }

  /// A new file for bytes that arrive in pieces and whose hash is not known yet. `name` is one that no other draft has, of at
  /// least two characters.
  package func draft(named name: String, in database: DatabaseID) throws(StoreError) -> FileDraft {
    try paths.makeFolder(of: database)
    let path = path(name, in: database) + CloudPaths.draftEnding
    try Folder.make(Folder.parent(of: path))
    return try FileDraft(path)
  }

  /// Keeps the bytes of a finished draft as those with that hash. They replace what is there, and count as uploaded now.
  package func keep(_ draft: FileDraft, hash: String, in database: DatabaseID) throws(StoreError) {
    let path = path(hash, in: database)
    try Folder.make(Folder.parent(of: path))
    try Folder.rename(draft.path, to: path)
  }

  /// The bytes in the file of those with that hash; nil if there is none. Throws if their number is not `size`.
  package func read(_ hash: String, size: Int, in database: DatabaseID) throws(StoreError) -> [UInt8]? {
    try Folder.read(path(hash, in: database), size: size)
  }

  /// The number of bytes in the file of those with that hash; nil if there is none.
  package func size(_ hash: String, in database: DatabaseID) throws(StoreError) -> Int64? {
    try Folder.status(of: path(hash, in: database))?.size
  }

  /// The names of the files of a database: the hashes of its bytes, and files that are not finished.
  package func names(in database: DatabaseID) throws(StoreError) -> [String] {
    let folder = folder(of: database)
    var names: [String] = []
    for name in try Folder.names(in: folder) { names += try Folder.names(in: folder + "/" + name) }
    return names
  }

  /// Whether a database has a folder for such files.
  package func hasFiles(in database: DatabaseID) -> Bool { Folder.isFolder(folder(of: database)) }

  /// The finished files of a database with the times of their last uploads.
  package func files(in database: DatabaseID) throws(StoreError) -> [AssetCollection.File] {
    var files: [AssetCollection.File] = []
    for name in try names(in: database) where !Self.isUnfinished(name) {
      guard let status = try Folder.status(of: path(name, in: database)) else { continue }
      files.append(AssetCollection.File(hash: name, size: status.size, uploadedAt: status.modifiedAt))
    }
    return files
  }

  /// Whether a file of that name was not finished, so that no object can have its bytes.
  package static func isUnfinished(_ name: String) -> Bool { name.hasSuffix(CloudPaths.draftEnding) }

  /// Removes the bytes with that hash.
  package func remove(_ hash: String, in database: DatabaseID) throws(StoreError) {
    try Folder.remove(path(hash, in: database))
  }
}
