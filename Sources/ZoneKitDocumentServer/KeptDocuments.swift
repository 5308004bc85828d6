import ZoneKitDocuments
import ZoneKitRecords

/// The documents that were read last, as clients get them. A page with them is a copy of bytes; to check a document and write
/// it from its fields takes most of the time of reading it.
struct KeptDocuments: Sendable {
  /// A document that was read.
  struct Entry: Hashable, Sendable {
    /// The version.
    let tag: DocumentTag
    /// The collection.
    let collection: Name
    /// The canonical text of the record's fields.
    let stored: EncodedFields
    /// The part of it that clients get.
    let shown: EncodedFields
    /// That part as clients get it.
    let written: WrittenDocument

    /// The approximate number of bytes.
    var size: Int { 200 + 2 * stored.utf8.count + written.members.count }
  }

  /// The most bytes of a generation, of which there are two.
  static let limit = 8 << 20

  private var cache = BoundedCache<DocumentTag, Entry>(limit: limit)

  /// The document of that version with that content; nil if it is not kept. The content is compared, because two copies of a
  /// server's files may go on with the same tags.
  func entry(_ tag: DocumentTag, in collection: Name, storedAs text: Span<UInt8>) -> Entry? {
    guard let entry = cache[tag], entry.collection == collection,
      entry.stored.utf8.span.isEqual(to: text)
    else { return nil }
    return entry
  }

  /// Keeps documents.
  mutating func keep(_ entries: [Entry]) {
    for entry in entries { cache.keep(entry, for: entry.tag, size: entry.size) }
  }
}
