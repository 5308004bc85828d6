/// A record's fields as canonical text: JSON with sorted keys and without spaces,
/// `{"count":{"type":"INT64","value":3}}`.
///
/// Zone files and device files store this text. Feed pages copy it to the answer without parsing it. Equal content has
/// equal bytes, so conflict resolution can compare it.
public struct EncodedFields: Hashable, Sendable {
  /// The canonical text in UTF-8.
  public let utf8: [UInt8]

  /// The text without fields.
  public static let empty = EncodedFields(canonical: Array("{}".utf8))

  /// Wraps bytes that `init(_:)` made before, for example from a file. They are not checked.
  package init(canonical utf8: [UInt8]) { self.utf8 = utf8 }
}
