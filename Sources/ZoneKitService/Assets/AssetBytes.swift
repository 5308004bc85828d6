import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage

/// The files of assets. The hash of a file is verified before it is read, and not again while nobody has written the file.
struct AssetBytes: Sendable {
  /// The files.
  let files: AssetFiles
  /// The stamps of the files that were verified.
  private var verified = BoundedCache<String, FileStamp>(limit: 1 << 20)

  /// How many bytes are read and hashed at once.
  static let pieceSize = 256 << 10

  /// The files of the cloud in that folder.
  init(root: String) { files = AssetFiles(root: root) }

  /// Whether a file was verified and has not changed since.
  func isVerified(_ hash: String, in database: DatabaseID) -> Bool {
    let path = files.path(hash, in: database)
    return verified[path].map { $0 == FileStamp(path) } ?? false
  }

  /// A file with that stamp was verified.
  mutating func note(_ stamp: FileStamp, _ hash: String, in database: DatabaseID) {
    let path = files.path(hash, in: database)
    verified.keep(stamp, for: path, size: path.utf8.count + MemoryLayout<FileStamp>.size)
  }

  /// Reads the whole file of an asset and compares it with its name. Returns the stamp that it had before; nil if there is no
  /// file. Throws if the bytes are not those that were uploaded.
  static func verify(_ hash: String, in database: DatabaseID, of files: AssetFiles) throws(StoreError) -> FileStamp? {
    let path = files.path(hash, in: database)
    let stamp = FileStamp(path)
    guard let stamp, let file = try FileReading(path) else { return nil }
    let digest = SHA256.Stream()
    var position = 0
    while case let piece = try file.bytes(from: position, count: pieceSize), !piece.isEmpty {
      digest.add(piece)
      position += piece.count
    }
    guard Hexadecimal.text(digest.end()) == hash else {
      throw StoreError(.corrupt, "the bytes of the asset have another hash than their file's name says", place: path)
    }
    return stamp
  }
}
