/// A record's fields as one canonical text: JSON with sorted keys and no blanks, `{"count":{"type":"INT64","value":3}}`.
///
/// The text is what zone files and device files store, what a feed page copies to the wire without looking inside, and
/// what conflict resolution compares last. Equal content has equal bytes.
public struct EncodedFields: Hashable, Sendable {
  /// The canonical text in UTF-8.
  public let utf8: [UInt8]

  /// The text of a record without fields.
  public static let empty = EncodedFields(canonical: Array("{}".utf8))

  /// Takes bytes that `init(_:)` made before, for example from a file; nothing checks them here.
  package init(canonical utf8: [UInt8]) { self.utf8 = utf8 }
}
