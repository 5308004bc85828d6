package import ZoneKitRecords

/// Writes rows as JSON objects with the columns of a selection.
package struct RowText {
  private let table: Table
  /// The members to write: the name in the answer, the column, and whether its value is written as a text.
  private let members: [Member]
  private let omitsNulls: Bool

  private struct Member {
    /// The name with quotes and colon, as it is written.
    var key: [UInt8]
    var place: Int
    var type: ColumnType
    var source: Source
    var isText: Bool
  }

  /// Where the value of a record's row is.
  private enum Source {
    /// In a field of the record.
    case field
    /// It is the account.
    case owner
    /// It is the stamp of the record.
    case stamp
    /// It is the author of the record.
    case author

    init(_ column: Name) {
      switch column {
      case .ownerID: self = .owner
      case .updatedAt: self = .stamp
      case .changedBy: self = .author
      default: self = .field
      }
    }
  }

  /// A writer for a selection of that table's columns.
  package init(_ selection: RowSelection, of table: Table, omitsNulls: Bool = false) {
    self.table = table
    self.omitsNulls = omitsNulls
    members = selection.columns(of: table).compactMap { column in
      guard let place = table.place(of: column.name) else { return nil }
      var key: [UInt8] = []
      key.appendJSONString(column.alias ?? column.name.text)
      key.append(UInt8(ascii: ":"))
      return Member(
        key: key, place: place, type: table.columns[place].type, source: Source(column.name), isText: column.isText)
    }
  }

  /// A row as an object.
  package func text(of row: Row) -> String {
    var bytes: [UInt8] = []
    append(row, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the row of a record that belongs to that account. Values are copied from the record's text without decoding
  /// them, except times.
  package func append(
    _ record: RowRecord, in bytes: borrowing [UInt8], owner: UUID, to output: inout [UInt8]
  ) throws(StoreError) {
    var values: [Range<Int>?] = Array(repeating: nil, count: table.columns.count)
    var applied: Range<Int>?
    var columns = ColumnWalk(table)
    var walk = FieldTextWalk(record.fields)
    while let entry = try walk.next(in: bytes) {
      if let place = columns.place(of: bytes[entry.name]) {
        values[place] = entry.value
      } else if bytes[entry.name].elementsEqual(AppliedChanges.field.text.utf8) {
        applied = entry.value
      }
    }
    let start = output.count
    for member in members {
      let value: RowValue =
        switch member.source {
        case .field: .null
        case .owner: .uuid(owner)
        case .stamp: .timestamp(record.updatedAt)
        case .author: try AppliedChanges.changedBy(deviceID: record.deviceID, in: bytes, at: applied)
        }
      let range = values[member.place]
      guard !omitsNulls || range != nil || value != .null else { continue }
      begin(member, of: start, in: &output)
      if let range {
        output.append(stored: bytes, at: range, as: member.type, isText: member.isText)
      } else {
        output.append(value, isText: member.isText)
      }
    }
    end(objectFrom: start, in: &output)
  }

  /// Appends a row as an object.
  package func append(_ row: Row, to output: inout [UInt8]) {
    let start = output.count
    for member in members where !omitsNulls || row.values[member.place] != .null {
      begin(member, of: start, in: &output)
      output.append(row.values[member.place], isText: member.isText)
    }
    end(objectFrom: start, in: &output)
  }

  /// Appends what stands before the value of a member of the object that begins at `start`.
  private func begin(_ member: Member, of start: Int, in output: inout [UInt8]) {
    output.append(output.count == start ? UInt8(ascii: "{") : UInt8(ascii: ","))
    output.append(contentsOf: member.key)
  }

  private func end(objectFrom start: Int, in output: inout [UInt8]) {
    if output.count == start { output.append(UInt8(ascii: "{")) }
    output.append(UInt8(ascii: "}"))
  }
}

extension [UInt8] {
  /// Appends a value of a row as JSON; as a string if that is asked for.
  package mutating func append(_ value: RowValue, isText: Bool = false) {
    let needsQuotes: Bool
    switch value {
    case .null: return append(literal: "null")
    case .text(let text): return appendJSONString(text)
    case .uuid, .timestamp: needsQuotes = true
    case .bool, .float8, .int4: needsQuotes = isText
    }
    if needsQuotes { append(UInt8(ascii: "\"")) }
    switch value {
    case .null, .text: break
    case .uuid(let id): append(id)
    case .timestamp(let time): appendTimestamp(time)
    case .bool(let bool): append(literal: bool ? "true" : "false")
    case .float8(let number): appendShortest(number)
    case .int4(let number): appendDecimal(Int64(number))
    }
    if needsQuotes { append(UInt8(ascii: "\"")) }
  }

  /// Appends the value of a stored field as JSON.
  fileprivate mutating func append(
    stored bytes: borrowing [UInt8], at range: Range<Int>, as type: ColumnType, isText: Bool
  ) {
    let needsQuotes =
      switch type {
      case .text: false
      case .uuid, .timestamp: true
      case .bool, .float8, .int4: isText
      }
    if needsQuotes { append(UInt8(ascii: "\"")) }
    switch type {
    case .text, .int4: append(contentsOf: bytes[range])
    case .uuid: append(contentsOf: bytes[RowValue.identifierRange(in: bytes, at: range)])
    case .bool: append(literal: bytes[range].elementsEqual("0".utf8) ? "false" : "true")
    case .timestamp:
      appendTimestamp(WallTime(milliseconds: Self.integer(in: bytes, at: range)))
    case .float8:
      let isWhole = bytes[range].suffix(2).elementsEqual(".0".utf8)
      append(contentsOf: isWhole ? bytes[range].dropLast(2) : bytes[range])
    }
    if needsQuotes { append(UInt8(ascii: "\"")) }
  }

  /// The integer of canonical text.
  private static func integer(in bytes: borrowing [UInt8], at range: Range<Int>) -> Int64 {
    var value: Int64 = 0
    for index in range {
      let byte = bytes[index]
      guard byte != UInt8(ascii: "-") else { continue }
      value = value &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
    }
    return range.isEmpty || bytes[range.lowerBound] != UInt8(ascii: "-") ? value : -value
  }

  /// Appends the shortest text from which the number is read again: `20`, not `20.0`.
  private mutating func appendShortest(_ number: Double) {
    let text = number.description
    append(literal: text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }
}
