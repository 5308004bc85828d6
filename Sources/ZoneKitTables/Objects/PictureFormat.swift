/// A format of pictures that devices send, recognised by the first bytes of a file.
package enum PictureFormat: String, CaseIterable, Hashable, Sendable {
  case jpeg
  case png
  case heic

  /// The number of bytes that show the format.
  private static let headLength = 12
  /// The brands of files in the High Efficiency Image File Format (ISO/IEC 23008-12, annex B).
  private static let heicBrands: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]

  /// The format of a file with those bytes; nil if it is another one or no picture.
  package init?(of bytes: [UInt8]) {
    let head = Array(bytes.prefix(Self.headLength))
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A]) {
      self = .png
    } else if head.count == Self.headLength, head[4..<8].elementsEqual("ftyp".utf8),
      Self.heicBrands.contains(String(decoding: head[8...], as: UTF8.self))
    {
      self = .heic
    } else {
      return nil
    }
  }

  /// The media type.
  package var mediaType: String { "image/\(rawValue)" }
}
