import ZoneKitRecords

/// The rows that were answered last, as clients get them with all columns. A page with them is a copy of bytes; to write a row
/// from the fields of its record takes most of the time of an answer.
package struct KeptRows: Sendable {
  /// A version of a row. An account's server gives no stamp twice.
  private struct Version: Hashable {
    var owner: UUID
    var updatedAt: WallTime
  }

  private struct Entry {
    var table: Name
    var deviceID: String
    /// The canonical text of the record's fields.
    var stored: [UInt8]
    /// The row as clients get it.
    var written: [UInt8]
  }

  /// The most bytes of a generation, of which there are two.
  package static let limit = 8 << 20

  private var cache = BoundedCache<Version, Entry>(limit: limit)

  /// No rows.
  package init() {}

  /// The text of a record's row; nil if it is not kept. The content is compared, because two copies of a server's files may
  /// go on with the same stamps.
  func text(of record: RowRecord, in bytes: Span<UInt8>, of table: Name, owner: UUID) -> [UInt8]? {
    guard let entry = cache[Version(owner: owner, updatedAt: record.updatedAt)], entry.table == table,
      entry.deviceID == record.deviceID, entry.stored.span.isEqual(to: bytes.extracting(record.fields))
    else { return nil }
    return entry.written
  }

  /// Keeps the text of a record's row.
  mutating func keep(_ written: [UInt8], of record: RowRecord, in bytes: [UInt8], of table: Name, owner: UUID) {
    let entry = Entry(
      table: table, deviceID: record.deviceID, stored: Array(bytes[record.fields]), written: written)
    cache.keep(
      entry, for: Version(owner: owner, updatedAt: record.updatedAt),
      size: 200 + entry.stored.count + entry.written.count)
  }
}
