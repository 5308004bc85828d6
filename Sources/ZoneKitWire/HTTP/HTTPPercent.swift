import ZoneKitRecords

/// Percent-encoding of paths and queries (RFC 3986, 2.1).
package enum HTTPPercent {
  /// What a plus sign stands for.
  package enum PlusSigns: Hashable, Sendable {
    /// Itself. Tokens in base64 have plus signs.
    case plusSigns
    /// A space, as in forms (URL standard, 5.1).
    case spaces
  }

  /// The decoded text; nil if a "%" is not followed by two hexadecimal digits or the bytes are not UTF-8.
  package static func decode(_ encoded: String) -> String? { decode(Substring(encoded).utf8) }

  /// The decoded text; see `decode(_:)`.
  package static func decode(_ encoded: Substring.UTF8View, plusSigns: PlusSigns = .plusSigns) -> String? {
    let hasSpaces = plusSigns == .spaces && encoded.contains(UInt8(ascii: "+"))
    guard hasSpaces || encoded.contains(UInt8(ascii: "%")) else { return String(encoded) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(encoded.count)
    var rest = encoded
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(hasSpaces && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(Hexadecimal.value), let low = rest.popFirst().flatMap(Hexadecimal.value)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The text with every byte encoded except the unreserved ones (RFC 3986, 2.3: letters, digits, - . _ ~), so that it
  /// is valid anywhere in a path or query.
  package static func encode(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isUnreserved(byte) { bytes.append(byte) } else { append(byte, to: &bytes) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends "%" and two uppercase hexadecimal digits.
  static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "%"))
    bytes.append(Hexadecimal.digit(byte >> 4, isUppercase: true))
    bytes.append(Hexadecimal.digit(byte & 0xF, isUppercase: true))
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      return true
    default:
      return false
    }
  }
}
