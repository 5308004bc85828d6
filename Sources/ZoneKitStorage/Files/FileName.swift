import ZoneKitRecords

/// Encodes arbitrary names as names of files and folders, and decodes them.
///
/// Letters, digits, `_`, `-` and dots (except a leading one) are kept. Every other byte becomes `%` and two hexadecimal
/// digits. So no name can leave its folder, be hidden, or end in one of the suffixes that SQLite uses.
package enum FileName {
  /// The longest encoded name, in bytes: 255 (`NAME_MAX`) less `.zone` and `-journal`, rounded down.
  package static let lengthLimit = 240

  /// The encoded name, of any length.
  package static func encode(_ name: Name) -> String {
    var bytes: [UInt8] = []
    for byte in name.text.utf8 {
      if isPlain(byte) || byte == UInt8(ascii: ".") && !bytes.isEmpty {
        bytes.append(byte)
      } else {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(Hexadecimal.digit(byte >> 4, isUppercase: true))
        bytes.append(Hexadecimal.digit(byte & 15, isUppercase: true))
      }
    }
    // The empty name needs a file name too. No encoded byte looks like this.
    return bytes.isEmpty ? "%" : String(decoding: bytes, as: UTF8.self)
  }

  /// The name of a folder for `name`. Throws if the encoded name is too long.
  package static func folder(_ name: Name, in place: String) throws(StoreError) -> String {
    let encoded = encode(name)
    guard encoded.utf8.count <= lengthLimit else {
      let length = "is \(encoded.utf8.count) bytes long as a folder name"
      throw StoreError(.failed, "\(name) \(length); at most \(lengthLimit) are possible", place: place)
    }
    return encoded
  }

  /// The name of a file for `name`: the encoded name or, if that is too long, its beginning, `%~` and a hash of all of
  /// it. The whole name is stored in such a file.
  package static func file(_ name: Name) -> String {
    let encoded = encode(name)
    return encoded.utf8.count > lengthLimit ? shortened(name, to: lengthLimit) : encoded
  }

  /// The beginning of the encoded name, `%~` and a hash of all of it, in at most `limit` bytes.
  static func shortened(_ name: Name, to limit: Int) -> String {
    var beginning = Array(encode(name).utf8.prefix(limit - 34))
    if let cut = beginning.suffix(2).firstIndex(of: UInt8(ascii: "%")) { beginning.removeSubrange(cut...) }
    return String(decoding: beginning, as: UTF8.self) + "%~" + Hexadecimal.text(FNV1a.hash(name.text))
  }

  /// Whether a text has the form of a shortened name.
  static func isShortened(_ text: String) -> Bool {
    let ending = text.utf8.suffix(34)
    return ending.count == 34 && ending.starts(with: "%~".utf8)
  }

  /// The name that a folder stands for; nil if `encode` never returns that text.
  package static func decode(_ text: String) -> Name? {
    guard text != "%" else { return Name("") }
    let encoded = Array(text.utf8)
    var bytes: [UInt8] = []
    var position = 0
    while position < encoded.count {
      guard encoded[position] == UInt8(ascii: "%") else {
        bytes.append(encoded[position])
        position += 1
        continue
      }
      guard position + 2 < encoded.count, let high = Hexadecimal.value(of: encoded[position + 1]),
        let low = Hexadecimal.value(of: encoded[position + 2])
      else { return nil }
      bytes.append(high << 4 | low)
      position += 3
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else { return nil }
    return encode(Name(decoded)) == text ? Name(decoded) : nil
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }

}
