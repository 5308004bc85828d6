import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer
import ZoneKitTables

/// The bytes of objects. Their number and hash are verified whenever they are read.
struct ObjectBytes {
  private let files: AssetFiles

  /// The bytes in the cloud of that folder.
  init(root: String) { files = AssetFiles(root: root) }

  /// The path of the file with the bytes.
  func path(of content: ObjectContent, in database: DatabaseID) -> String { files.path(content.hash, in: database) }

  /// The bytes of an object in that database. Throws if they are missing or not those that were uploaded.
  func read(_ object: StoredObject, in database: DatabaseID) throws(StoreError) -> [UInt8] {
    let (content, name) = (object.content, object.title)
    let place = path(of: content, in: database)
    let found: [UInt8]?
    do throws(StoreError) {
      found = try files.read(content.hash, size: content.size, in: database)
    } catch {
      throw StoreError(error.kind, "\(name): \(error.message)", place: error.place)
    }
    guard let found else { throw StoreError(.corrupt, "the file of \(name) is missing", place: place) }
    guard Hexadecimal.text(SHA256.hash(found)) == content.hash else {
      throw StoreError(.corrupt, "the bytes of \(name) have another hash than their file's name says", place: place)
    }
    return found
  }

  /// Writes the bytes of an upload. They are on the disk when the call returns.
  func write(_ bytes: [UInt8], hash: String, in database: DatabaseID) throws(StoreError) {
    try files.write(bytes, hash: hash, in: database)
  }

  /// The names of the files of a database: the hashes of its bytes, and files that were not finished. A folder that cannot
  /// be read has none.
  func names(in database: DatabaseID) -> [String] { (try? files.names(in: database)) ?? [] }

  /// Removes bytes that no object has any more. A file that cannot be removed only takes room.
  func removeUnused(_ place: ObjectTurn.Place) { try? files.remove(place.hash, in: place.database) }
}

extension StoredObject {
  /// The object in messages to people: its bucket and path.
  fileprivate var title: String { "object \(bucket)/\(path)" }
}
