import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTables

/// The bytes of a device's photos, each in a file of its folder that its name names: `photos/<name>.jpg`.
struct PhotoFiles {
  private let folder: String

  /// The files in the folder of a device.
  init(device folder: String) { self.folder = "\(folder)/photos" }

  /// The path of a photo's file, which need not exist.
  func path(_ photo: PhotoName) -> String { "\(folder)/\(photo.text)\(PhotoName.ending)" }

  /// Writes a photo, unless it is there already. It is on the disk when the call returns. Anything else in its place,
  /// such as damaged bytes or a link, is replaced.
  func write(_ bytes: [UInt8], as photo: PhotoName) throws(StoreError) {
    let path = path(photo)
    guard (try? Folder.read(path, size: bytes.count)) != bytes else { return }
    try Folder.make(folder)
    do throws(StoreError) {
      try Folder.write(bytes, to: path)
    } catch {
      // On a full disk the unfinished file would take the room of others.
      try? Folder.remove(path + Self.draftEnding)
      throw error
    }
  }

  /// The bytes of a photo; nil if they are not there, or if others are in their file.
  func read(_ photo: PhotoName) throws(StoreError) -> [UInt8]? {
    guard let bytes = try Folder.read(path(photo)), PhotoName(hash: Hexadecimal.text(SHA256.hash(bytes))) == photo
    else { return nil }
    return bytes
  }

  /// The names of all photos that are there.
  func names() throws(StoreError) -> Set<PhotoName> { Set(try Folder.names(in: folder).compactMap(Self.name)) }

  /// Removes all files but those of these photos.
  func removeAll(but needed: Set<PhotoName>) throws(StoreError) {
    for file in try Folder.names(in: folder) {
      if let name = Self.name(of: file), needed.contains(name) { continue }
      try Folder.remove("\(folder)/\(file)")
    }
  }

  private static let draftEnding = ".new"

  private static func name(of file: String) -> PhotoName? {
    guard file.hasSuffix(PhotoName.ending), let name = PhotoName(hash: file), name.text + PhotoName.ending == file
    else { return nil }
    return name
  }
}
