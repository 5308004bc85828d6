import ZoneKitRecords

/// The content of a document as clients get it: every member of the schema (null if it is absent), sums, and the members that
/// the schema does not name. It follows from the content of the record alone.
package struct WrittenDocument: Hashable, Sendable {
  /// The time of the last edit; nil for an entry of the conflict journal.
  package let editedAt: WallTime?
  /// Whether the user deleted the document.
  package let isDeleted: Bool
  /// The members behind those that say what the server knows of the version, with a comma before each.
  package let members: [UInt8]
}
