import ZoneKitRecords

/// The opaque texts of cursors and positions: base64url of a format byte, the kind, the content and a check of both.
enum OpaqueText {
  /// The kinds of content.
  enum Kind: UInt8 {
    case changes = 1, snapshot, position, lookup
  }

  private static let format: UInt8 = 0xD1
  private static let checkLength = 4

  /// The text of that content.
  static func text(_ kind: Kind, _ content: [UInt8]) -> String {
    let bytes = [format, kind.rawValue] + content
    return Base64.encodeForURL(bytes + check(bytes))
  }

  /// The content of a text and its kind; nil if the text is none that was made here.
  static func read(_ text: String) -> (kind: Kind, content: [UInt8])? {
    guard let bytes = Base64.decodeFromURL(text), bytes.count >= 2 + checkLength, bytes[0] == format,
      let kind = Kind(rawValue: bytes[1])
    else { return nil }
    let content = Array(bytes.dropLast(checkLength))
    guard check(content) == Array(bytes.suffix(checkLength)) else { return nil }
    return (kind, Array(content.dropFirst(2)))
  }

  /// The lowest bytes of the hash. Each step of the hash maps them one to one, so that a change of any byte changes them;
  /// the last bytes of a text hardly reach the higher ones.
  private static func check(_ bytes: [UInt8]) -> [UInt8] {
    Array(UInt64(truncatingIfNeeded: FNV1a.hash(bytes)).bigEndianBytes.suffix(checkLength))
  }
}

extension UInt64 {
  /// The eight bytes of the number, the highest first.
  var bigEndianBytes: [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt64($0)) }
  }
}

/// Reads numbers of fixed width from bytes.
struct FixedReader {
  private var rest: ArraySlice<UInt8>

  /// A reader of those bytes.
  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// Whether all bytes were read.
  var isAtEnd: Bool { rest.isEmpty }

  /// The next byte; nil at the end.
  mutating func byte() -> UInt8? { rest.popFirst() }

  /// The number in the next eight bytes; nil if there are fewer.
  mutating func number() -> UInt64? {
    guard rest.count >= 8 else { return nil }
    defer { rest = rest.dropFirst(8) }
    return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The signed number in the next eight bytes; nil if there are fewer.
  mutating func signed() -> Int64? { number().map { Int64(bitPattern: $0) } }
}
