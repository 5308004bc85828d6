import ZoneKitRecords
import ZoneKitStorage

/// The photos that users give to rows.
extension ProcessWorld {
  /// Writes the photo with that number, and returns its path as a word of a command. Photos with different numbers have
  /// different bytes.
  func photo(_ number: Int) throws(ProcessFailure) -> String {
    let path = "\(data.root)/photo-\(number).jpg"
    do throws(StoreError) {
      try Folder.write(Self.bytes(ofPhoto: number), to: path)
    } catch {
      throw .unavailable("\(error)")
    }
    return "\"\(path)\""
  }

  /// Whether the file has the bytes of the photo with that number.
  static func isPhoto(_ number: Int, in path: String) throws(ProcessFailure) -> Bool {
    do throws(StoreError) {
      return try Folder.read(path) == bytes(ofPhoto: number)
    } catch {
      throw .unavailable("\(error)")
    }
  }

  /// Flips a bit of the bytes of the photo with that number, which the server has stored in that database.
  func damagePhoto(_ number: Int, in database: DatabaseID) throws(StoreError) {
    let files = AssetFiles(root: data.cloud)
    var bytes = Self.bytes(ofPhoto: number)
    for name in try files.names(in: database) {
      let path = files.path(name, in: database)
      guard try Folder.read(path) == bytes else { continue }
      bytes[0] ^= 1
      return try Folder.write(bytes, to: path)
    }
    throw StoreError(.failed, "the cloud does not have photo \(number)", place: data.cloud)
  }

  /// The beginning of a JPEG file (JFIF, APP0), by which devices know pictures, and the number.
  private static func bytes(ofPhoto number: Int) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xE0] + Array("photo \(number)".utf8)
  }
}
