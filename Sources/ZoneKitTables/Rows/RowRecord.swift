import ZoneKitRecords

/// The record of a row, as parts of a larger block of bytes such as a page of a feed.
package struct RowRecord {
  /// The range of the canonical text of its fields.
  package var fields: Range<Int>
  /// The stamp that the server gave to the version.
  package var updatedAt: WallTime
  /// The device of the version's author.
  package var deviceID: String

  /// A record in a block.
  package init(fields: Range<Int>, updatedAt: WallTime, deviceID: String) {
    self.fields = fields
    self.updatedAt = updatedAt
    self.deviceID = deviceID
  }

  /// The record of an entry of a page.
  package init(_ row: RecordPage.Row, of page: RecordPage) {
    self.init(
      fields: row.fields, updatedAt: row.modifiedAt, deviceID: page.authors[row.modifiedBy].deviceID)
  }
}

extension Row {
  /// The row of a record that belongs to that account, and its accepted changes.
  package static func read(
    fields: EncodedFields, updatedAt: WallTime, deviceID: String, of table: Table, owner: UUID
  ) throws(StoreError) -> (row: Row, applied: AppliedChanges) {
    let record = RowRecord(fields: 0..<fields.utf8.count, updatedAt: updatedAt, deviceID: deviceID)
    return try read(record, in: fields.utf8, of: table, owner: owner)
  }

  /// The row of a record that belongs to that account, and its accepted changes.
  package static func read(
    _ record: RowRecord, in bytes: borrowing [UInt8], of table: Table, owner: UUID
  ) throws(StoreError) -> (row: Row, applied: AppliedChanges) {
    var values = Array(repeating: RowValue.null, count: table.columns.count)
    var applied = AppliedChanges()
    var walk = ObjectWalk(record.fields, table.layout)
    while let entry = try walk.next(in: bytes.span) {
      if entry.place == values.count {
        applied = AppliedChanges(try RowValue.text(in: bytes, at: entry.value) ?? "")
      } else {
        values[entry.place] = try RowValue(stored: bytes, at: entry.value, as: table.columns[entry.place].type)
      }
    }
    var row = Row(values)
    row[.ownerID, table] = .uuid(owner)
    row[.updatedAt, table] = .timestamp(record.updatedAt)
    row[.changedBy, table] = applied.changedBy(deviceID: record.deviceID).map { .text($0) } ?? .null
    return (row, applied)
  }

  /// The fields of the row's record: all columns but the owner, the server's stamp and the author.
  package func fields(of table: Table) -> Fields {
    var fields = Fields()
    for (place, column) in table.columns.enumerated() {
      guard column.isField else { continue }
      fields[column.name] = values[place].fieldValue(of: column)
    }
    return fields
  }

  /// The same as text, with the accepted changes.
  package func fields(of table: Table, applied: AppliedChanges) -> EncodedFields {
    let layout = table.layout
    var text: [UInt8] = []
    text.reserveCapacity(layout.text.count + 256)
    for field in layout.members {
      let isMemory = field.place == values.count
      let value: FieldValue? =
        if isMemory {
          applied.isEmpty ? nil : .string(applied.text)
        } else {
          values[field.place].fieldValue(of: table.columns[field.place])
        }
      guard let value else { continue }
      text.append(text.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
      text.append(copying: layout.text.span.extracting(field.beginning))
      text.append(value)
      text.append(UInt8(ascii: "}"))
    }
    if text.isEmpty { text.append(UInt8(ascii: "{")) }
    text.append(UInt8(ascii: "}"))
    return EncodedFields(canonical: text)
  }
}

extension RowValue {
  /// Reads the stored value of a field. A value that has not the column's type is null.
  fileprivate init(
    stored bytes: borrowing [UInt8], at range: Range<Int>, as type: ColumnType
  ) throws(StoreError) {
    let value: RowValue? =
      switch type {
      case .uuid: UUID(Self.identifier(in: bytes, at: range)).map { .uuid($0) }
      case .text: try Self.text(in: bytes, at: range).map { .text($0) }
      case .timestamp: Int64(Self.plain(bytes, range)).map { .timestamp(WallTime(milliseconds: $0)) }
      case .bool: Int64(Self.plain(bytes, range)).map { .bool($0 != 0) }
      case .float8: Double(Self.plain(bytes, range)).map { .float8($0) }
      case .int4: Int32(Self.plain(bytes, range)).map { .int4($0) }
      }
    self = value ?? .null
  }

  private static func plain(_ bytes: borrowing [UInt8], _ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// The identifier in the JSON text of a string or of a reference to `<table>/<identifier>`.
  private static func identifier(in bytes: borrowing [UInt8], at range: Range<Int>) -> String {
    let found = identifierRange(in: bytes.span.extracting(range))
    return plain(bytes, range.lowerBound + found.lowerBound..<range.lowerBound + found.upperBound)
  }

  /// The range of the identifier in the JSON text of a string, or of a reference to `<table>/<identifier>`.
  static func identifierRange(in text: Span<UInt8>) -> Range<Int> {
    guard text.count >= 2 else { return 0..<0 }
    guard text[0] == UInt8(ascii: "{") else { return 1..<text.count - 1 }
    var start = 0
    while start < text.count, text[start] != UInt8(ascii: "/") { start += 1 }
    guard start < text.count else { return 0..<0 }
    var end = start + 1
    while end < text.count, text[end] != UInt8(ascii: "\"") { end += 1 }
    return start + 1..<end
  }

  /// The text in the JSON text of a string; nil if it is none.
  static func text(in bytes: borrowing [UInt8], at range: Range<Int>) throws(StoreError) -> String? {
    guard range.count >= 2, bytes[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
    if !bytes[range].contains(UInt8(ascii: "\\")) {
      return String(decoding: bytes[range.dropFirst().dropLast()], as: UTF8.self)
    }
    do {
      return try JSON(parsing: bytes[range]).string
    } catch {
      throw StoreError(.corrupt, "has an unreadable string: \(error)", place: "field text")
    }
  }
}
