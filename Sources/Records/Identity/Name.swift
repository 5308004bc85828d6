/// A name of a record, zone, type, field or user: text compared byte by byte, as files and SQLite compare it.
///
/// Swift's `String` calls two spellings of "é" equal; a cloud that did so would lose one of two records.
public struct Name: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name as written.
  public let text: String

  /// The name with that text.
  public init(_ text: String) { self.text = text }

  /// The name with that text.
  public init(stringLiteral text: String) { self.text = text }

  /// The name as written.
  public var description: String { text }

  /// Whether both names are the same bytes.
  public static func == (first: Name, second: Name) -> Bool { first.text.utf8.elementsEqual(second.text.utf8) }

  /// Feeds the bytes that `==` compares.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(0xFF as UInt8)
  }

  /// Whether the first name's bytes come first.
  public static func < (first: Name, second: Name) -> Bool {
    first.text.utf8.lexicographicallyPrecedes(second.text.utf8)
  }

  /// The longest name of a record, zone or field, in characters (CloudKit Web Services, g).
  public static let lengthLimit = 255
}
