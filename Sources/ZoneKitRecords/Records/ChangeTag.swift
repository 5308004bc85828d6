/// The version of a record: opaque, changed by every save, compared for equality only (CloudKit Web Services, b.3).
public struct ChangeTag: Hashable, Sendable {
  /// The tag as the cloud wrote it.
  public var text: String

  /// A tag that came from the cloud.
  public init(_ text: String) { self.text = text }

  /// The tag of the record version with that sequence in its zone: the number in base 36. A zone's sequence never starts
  /// over, not even when the zone is deleted and created again, so that a tag never means two versions.
  package init(sequence: Int64) { text = String(sequence, radix: 36) }
}
