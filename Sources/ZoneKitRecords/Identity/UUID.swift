/// A universally unique identifier (RFC 9562). Equal values have equal bytes, so that the case of a text never matters.
public struct UUID: Hashable, Sendable {
  /// The first 8 bytes, big-endian.
  public let high: UInt64
  /// The last 8 bytes, big-endian.
  public let low: UInt64

  /// The identifier with those bytes.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The identifier of that version whose other bits are those of `high` and `low` (RFC 9562, 5.4 and 5.8).
  public init(high: UInt64, low: UInt64, version: UInt8) {
    self.init(
      high: high & 0xFFFF_FFFF_FFFF_0FFF | UInt64(version & 0xF) << 12,
      low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// A random identifier of version 4 (RFC 9562, 5.4).
  public init(using generator: inout some RandomNumberGenerator) {
    self.init(high: generator.next(), low: generator.next(), version: 4)
  }

  /// Reads 32 hexadecimal digits of either case, with or without a hyphen after each group of four, in braces or not
  /// (PostgreSQL, 8.12). Nil for any other text.
  public init?(_ text: some StringProtocol) { self.init(String(text)) }

  /// Reads 32 hexadecimal digits of either case, with or without a hyphen after each group of four, in braces or not
  /// (PostgreSQL, 8.12). Nil for any other text. Code for any kind of text is several times slower.
  public init?(_ text: String) {
    let all = text.utf8.span
    var bytes = all
    if let first = all.indices.first, all[first] == UInt8(ascii: "{") {
      guard all.count >= 2, all[all.count - 1] == UInt8(ascii: "}") else { return nil }
      bytes = all.extracting(1..<all.count - 1)
    }
    var (high, low): (UInt64, UInt64) = (0, 0)
    var count = 0
    var mayBeHyphen = false
    for index in bytes.indices {
      if mayBeHyphen, bytes[index] == UInt8(ascii: "-") {
        mayBeHyphen = false
        continue
      }
      guard count < 32, let digit = Hexadecimal.value(of: bytes[index]) else { return nil }
      if count < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
      count += 1
      mayBeHyphen = count % 4 == 0 && count < 32
    }
    guard count == 32 else { return nil }
    self.init(high: high, low: low)
  }

  /// The canonical text, in lower case.
  public var text: String { text(isUppercase: false) }

  /// The text of 36 characters with those letters.
  func text(isUppercase: Bool) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(36)
    text.append(self, isUppercase: isUppercase)
    return String(decoding: text, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends the text of an identifier; the canonical one unless it is to be in upper case.
  package mutating func append(_ id: UUID, isUppercase: Bool = false) {
    append(addingCapacity: 36) { $0.append(id, isUppercase: isUppercase) }
  }
}

extension UUID: Comparable {
  /// The order of the bytes, which is the order of the canonical texts.
  public static func < (left: UUID, right: UUID) -> Bool { (left.high, left.low) < (right.high, right.low) }
}
