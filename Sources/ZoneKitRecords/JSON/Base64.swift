/// Base64 with the standard alphabet and padding (RFC 4648, 4).
package enum Base64 {
  /// Encodes bytes: four characters for every three bytes, rounded up.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    text.append(base64: bytes.span)
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes a text; nil unless it is exactly what `encode` returns for the bytes.
  package static func decode(_ text: String) -> [UInt8]? {
    decode(text.utf8.span)
  }

  /// Decodes a text; nil unless it is exactly what `encode` returns for the bytes.
  package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    guard text.count > 0 else { return [] }
    var padding = 0
    if text[text.count - 1] == UInt8(ascii: "=") { padding = text[text.count - 2] == UInt8(ascii: "=") ? 2 : 1 }
    let values = sextets
    var invalid: UInt8 = 0
    var lowBits: UInt32 = 0
    let bytes = [UInt8](capacity: text.count / 4 * 3 - padding) { output in
      for start in stride(from: 0, to: text.count, by: 4) {
        var group: UInt32 = 0
        let characters = start + 4 == text.count ? 4 - padding : 4
        for index in start..<start + characters {
          let value = values[Int(text[index])]
          invalid |= value
          group = group << 6 | UInt32(value & 0x3F)
        }
        group <<= UInt32(6 * (4 - characters))
        for shift in 0..<characters - 1 { output.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * shift))) }
        lowBits = characters == 4 ? 0 : group & (characters == 3 ? 0xFF : 0xFFFF)
      }
    }
    // Bits that the padding cuts off must be zero; otherwise a value would have several texts.
    return invalid & 0x80 == 0 && lowBits == 0 ? bytes : nil
  }

  fileprivate static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each character; 0x80 for those outside the alphabet.
  private static let sextets: [UInt8] = {
    var values = [UInt8](repeating: 0x80, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()
}

extension [UInt8] {
  /// Appends the padded base64 text of bytes.
  package mutating func append(base64 bytes: Span<UInt8>) {
    guard bytes.count > 0 else { return }
    let alphabet = Base64.alphabet
    append(addingCapacity: (bytes.count + 2) / 3 * 4) { output in
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let count = Swift.min(3, bytes.count - start)
        var group: UInt32 = 0
        for index in 0..<3 { group = group << 8 | (index < count ? UInt32(bytes[start + index]) : 0) }
        for index in 0..<4 {
          let sextet = Int(group >> UInt32(18 - 6 * index) & 0x3F)
          output.append(index <= count ? alphabet[sextet] : UInt8(ascii: "="))
        }
      }
    }
  }
}
