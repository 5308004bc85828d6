import ZoneKitCloud
import ZoneKitRecords

/// The checksum of a record in a zone file. A change of any single word of the record changes it, so that a flipped bit
/// is not served as content. It does not protect against forgery.
struct RecordChecksum {
  private var hash: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The value to store.
  var value: Int64 { Int64(bitPattern: hash) }

  /// Adds a number. Every step is invertible, so two different words never give the same hash.
  mutating func add(_ word: UInt64) {
    hash = (hash ^ word) &* 0xFF51_AFD7_ED55_8CCD
    hash ^= hash >> 32
  }

  /// Adds a number.
  mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }

  /// Adds bytes, eight at a time, and their number.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset + 8 <= bytes.count {
      add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    var last = UInt64(bytes.count - offset) << 56
    for index in offset..<bytes.count { last |= UInt64(bytes[index]) << UInt64((index - offset) * 8) }
    add(last)
    add(UInt64(bytes.count))
  }
}

extension RecordChecksum {
  /// The checksum of a record that is written, with the numbers of its authors.
  init(_ record: StoredRecord, createdBy: Int64, modifiedBy: Int64) {
    add(record.sequence)
    add(record.recordName.text)
    add(record.recordType.text)
    record.fields.utf8.withUnsafeBytes { add($0) }
    add(record.parent?.text ?? "")
    for number in [record.created.at.milliseconds, createdBy, record.modified.at.milliseconds, modifiedBy] {
      add(number)
    }
    add(record.isDeleted ? 1 : 0 as Int64)
    add(version: record.version)
  }

  /// Adds the number of saves. The first is left out, because records that were saved before they were counted have it, and
  /// their checksums do not include it.
  private mutating func add(version: Int64) { if version != 1 { add(version) } }

  /// The checksum of a row with the same columns in the same order, and the version in the eleventh.
  init(_ row: Row) {
    add(row.integer(0))
    for column in 1...4 as ClosedRange<Int32> { add(row.utf8(column)) }
    for column in 5...9 as ClosedRange<Int32> { add(row.integer(column)) }
    add(version: row.integer(11))
  }

  private mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }
}
