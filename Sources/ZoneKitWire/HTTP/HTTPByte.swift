/// The character classes of HTTP's grammar (RFC 9110, 5.5 and 5.6).
enum HTTPByte {
  static let carriageReturn: UInt8 = 0x0D
  static let lineFeed: UInt8 = 0x0A
  static let space: UInt8 = 0x20
  static let tab: UInt8 = 0x09

  /// Whether a byte is allowed in a method or a field name: letters, digits and ! # $ % & ' * + - . ^ _ ` | ~
  static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      return true
    default:
      return false
    }
  }

  /// Whether a byte is allowed in a field value: all but control characters, of which only the tab is allowed.
  static func isFieldContent(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == tab }

  /// Whether a byte is allowed in a request target: visible ASCII without the start of a fragment.
  static func isTarget(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "#") }

  /// Whether a byte is a space or a tab.
  static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

  /// The byte, with a capital letter converted to lowercase.
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}
