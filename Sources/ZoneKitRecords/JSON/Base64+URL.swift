/// Base64 with the alphabet for URLs and file names, without padding (RFC 4648, 5; RFC 7515, 2).
extension Base64 {
  /// Encodes bytes.
  package static func encodeForURL(_ bytes: [UInt8]) -> String {
    let text = encode(bytes).utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: byte
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes a text; nil unless it is exactly what `encodeForURL` returns for the bytes.
  package static func decodeFromURL(_ text: some StringProtocol) -> [UInt8]? {
    var standard = [UInt8](text.utf8)
    for index in standard.indices {
      switch standard[index] {
      case UInt8(ascii: "-"): standard[index] = UInt8(ascii: "+")
      case UInt8(ascii: "_"): standard[index] = UInt8(ascii: "/")
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: break
      }
    }
    while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
    return decode(standard.span)
  }
}
