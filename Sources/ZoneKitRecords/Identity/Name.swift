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
  public static func == (first: Name, second: Name) -> Bool {
    // Strings that Swift tells apart differ in their bytes too, and it does so quickly.
    first.text == second.text && first.text.utf8.span.isEqual(to: second.text.utf8.span)
  }

  /// Feeds the text: names of the same bytes are the same text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// Whether the first name's bytes come first.
  public static func < (first: Name, second: Name) -> Bool {
    first.text.utf8.span.comesBefore(second.text.utf8.span)
  }

  /// The longest name of a record, zone or field, in characters (CloudKit Web Services, g).
  public static let lengthLimit = 255
}

extension Span<UInt8> {
  fileprivate func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }

  fileprivate func comesBefore(_ other: Span<UInt8>) -> Bool {
    for index in 0..<Swift.min(count, other.count) where self[index] != other[index] {
      return self[index] < other[index]
    }
    return count < other.count
  }
}
