/// The version of a record. It is opaque, changes with every save, and is compared for equality only (CloudKit Web
/// Services, b.3), unless the cloud itself decides conflicts.
public struct ChangeTag: Hashable, Sendable {
  /// The text of the tag.
  public var text: String

  /// A tag with that text.
  public init(_ text: String) { self.text = text }

  /// The tag of the record version with that sequence in its zone: the number in base 36. A zone's sequence is never
  /// reset, not even when the zone is deleted and created again, so a tag never stands for two versions.
  package init(sequence: Int64) { text = String(sequence, radix: 36) }

  /// The sequence of the tag; nil for a text that is not the tag of a record version.
  package var sequence: Int64? { Int64(text, radix: 36).flatMap { $0 > 0 ? $0 : nil } }

  /// Whether the tag belongs to a later version than `other`, where tags become longer or greater with each version.
  package func isLater(than other: ChangeTag) -> Bool {
    let lengths = (text.utf8.count, other.text.utf8.count)
    return lengths.0 == lengths.1 ? other.text.utf8.lexicographicallyPrecedes(text.utf8) : lengths.0 > lengths.1
  }
}
