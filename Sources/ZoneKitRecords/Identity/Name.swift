/// A name of a record, zone, type, field or user. Names are compared byte by byte, like files and SQLite do.
///
/// Swift's `String` treats two Unicode encodings of "é" as equal. A cloud that did so would lose one of two records.
public struct Name: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The text of the name.
  public let text: String

  /// A name with that text.
  public init(_ text: String) { self.text = text }

  /// A name with that text.
  public init(stringLiteral text: String) { self.text = text }

  /// The text of the name.
  public var description: String { text }

  /// Whether both names have the same bytes.
  public static func == (first: Name, second: Name) -> Bool {
    // Strings that are different in Swift also differ in their bytes, and comparing them is fast. An ASCII string is
    // equal in Swift to its own bytes, or to longer ones.
    guard first.text.utf8.count == second.text.utf8.count, first.text == second.text else { return false }
    return first.text.utf8Span.isKnownASCII || first.text.utf8.span.isEqual(to: second.text.utf8.span)
  }

  /// Hashes the text. Names with equal bytes have equal texts.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// Orders names by their bytes.
  public static func < (first: Name, second: Name) -> Bool {
    first.text.utf8.span.comesBefore(second.text.utf8.span)
  }

  /// The longest name of a record, zone or field, in characters (CloudKit Web Services, g).
  public static let lengthLimit = 255
}
