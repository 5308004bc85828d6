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

  /// The beginning of a JPEG file (JFIF, APP0), by which devices know pictures, and the number.
  private static func bytes(ofPhoto number: Int) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xE0] + Array("photo \(number)".utf8)
  }
}
