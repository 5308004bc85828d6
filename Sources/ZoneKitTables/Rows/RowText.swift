import ZoneKitRecords

/// Writes rows as JSON objects with the columns of a selection.
package struct RowText {
  private let table: Table
  /// The members to write.
  private let members: [Member]
  /// The names of all members in the answer, with quotes and colons.
  private let keys: [UInt8]
  private let omitsNulls: Bool
  /// Whether rows are written with all columns, so that their texts are kept.
  private let isWhole: Bool

  private struct Member {
    /// The range of the name in `keys`.
    var key: Range<Int>
    /// The place of the column in the table.
    var place: Int
    var type: ColumnType
    var source: Source
    /// Whether the value is written as a text.
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

    /// Whether a member is null whose value is not in a field.
    func isNull(_ author: AuthorText) -> Bool {
      switch self {
      case .field: true
      case .owner, .stamp: false
      case .author: author == .none
      }
    }
  }

  /// A writer for a selection of that table's columns.
  package init(_ selection: RowSelection, of table: Table, omitsNulls: Bool = false) {
    self.table = table
    self.omitsNulls = omitsNulls
    isWhole = selection == .all && !omitsNulls
    var members: [Member] = []
    var keys: [UInt8] = []
    for column in selection.columns(of: table) {
      guard let place = table.place(of: column.name) else { continue }
      let start = keys.count
      keys.appendJSONString(column.alias ?? column.name.text)
      keys.append(UInt8(ascii: ":"))
      members.append(
        Member(
          key: start..<keys.count, place: place, type: table.columns[place].type, source: Source(column.name),
          isText: column.isText))
    }
    self.members = members
    self.keys = keys
  }

  /// A row as an object.
  package func text(of row: Row) -> String {
    var bytes: [UInt8] = []
    append(row, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the row of a record that belongs to that account. If `kept` has its text, that is copied; otherwise it is kept
  /// there.
  package func append(
    _ record: RowRecord, in bytes: [UInt8], owner: UUID, to output: inout [UInt8], keeping kept: inout KeptRows
  ) throws(StoreError) {
    guard isWhole else { return try append(record, in: bytes, owner: owner, to: &output) }
    if let text = kept.text(of: record, in: bytes.span, of: table.name, owner: owner) {
      output.append(contentsOf: text)
      return
    }
    let start = output.count
    try append(record, in: bytes, owner: owner, to: &output)
    kept.keep(Array(output[start...]), of: record, in: bytes, of: table.name, owner: owner)
  }

  /// Appends the row of a record that belongs to that account. Values are copied from the record's text without decoding
  /// them, except times.
  package func append(
    _ record: RowRecord, in bytes: [UInt8], owner: UUID, to output: inout [UInt8]
  ) throws(StoreError) {
    var values: [Range<Int>?] = Array(repeating: nil, count: table.columns.count + 1)
    var walk = ObjectWalk(record.fields, table.layout)
    while let entry = try walk.next(in: bytes.span) { values[entry.place] = entry.value }
    var author = AuthorText.none
    var length = keys.count + members.count * Self.plainLength + 2
    for member in members {
      length += values[member.place]?.count ?? 0
      guard case .author = member.source else { continue }
      author = try AuthorText(of: record, in: bytes, applied: values[table.columns.count])
      length += author.length
    }
    let (places, found) = (values, author)
    output.append(addingCapacity: length) { output in
      append(record, places, found, in: bytes.span, owner: owner, to: &output)
    }
  }

  /// The most bytes that a member has beside its name and a text: a comma, and a time in quotes or an identifier.
  private static let plainLength = 40

  private func append(
    _ record: RowRecord, _ values: [Range<Int>?], _ author: AuthorText, in bytes: Span<UInt8>, owner: UUID,
    to output: inout OutputSpan<UInt8>
  ) {
    var mark = UInt8(ascii: "{")
    for member in members {
      let range = values[member.place]
      if omitsNulls, range == nil, member.source.isNull(author) { continue }
      output.append(mark)
      mark = UInt8(ascii: ",")
      output.append(copying: keys.span.extracting(member.key))
      if let range {
        output.append(stored: bytes.extracting(range), as: member.type, isText: member.isText)
      } else {
        switch member.source {
        case .field: output.append(literal: "null")
        case .owner: output.appendQuoted { $0.append(owner) }
        case .stamp: output.appendQuoted { $0.appendTimestamp(record.updatedAt) }
        case .author: author.append(to: &output, in: bytes)
        }
      }
    }
    if mark == UInt8(ascii: "{") { output.append(mark) }
    output.append(UInt8(ascii: "}"))
  }

  /// Appends a row as an object.
  package func append(_ row: Row, to output: inout [UInt8]) {
    var mark = UInt8(ascii: "{")
    for member in members where !omitsNulls || row.values[member.place] != .null {
      output.append(mark)
      mark = UInt8(ascii: ",")
      output.append(copying: keys.span.extracting(member.key))
      output.append(row.values[member.place], isText: member.isText)
    }
    if mark == UInt8(ascii: "{") { output.append(mark) }
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

  /// Appends the shortest text from which the number is read again: `20`, not `20.0`.
  private mutating func appendShortest(_ number: Double) {
    let text = number.description
    append(literal: text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }
}

extension OutputSpan<UInt8> {
  /// Appends a text between quotes.
  fileprivate mutating func appendQuoted(_ write: (inout OutputSpan<UInt8>) -> Void) {
    append(UInt8(ascii: "\""))
    write(&self)
    append(UInt8(ascii: "\""))
  }

  /// Appends the value of a stored field as JSON.
  fileprivate mutating func append(stored value: Span<UInt8>, as type: ColumnType, isText: Bool) {
    let needsQuotes =
      switch type {
      case .text: false
      case .uuid, .timestamp: true
      case .bool, .float8, .int4: isText
      }
    if needsQuotes { append(UInt8(ascii: "\"")) }
    switch type {
    case .text, .int4: append(copying: value)
    case .uuid: append(copying: value.extracting(RowValue.identifierRange(in: value)))
    case .bool: append(literal: value.count == 1 && value[0] == UInt8(ascii: "0") ? "false" : "true")
    case .timestamp: appendTimestamp(WallTime(milliseconds: Self.integer(value)))
    case .float8:
      let end = value.count - 2
      let isWhole = end >= 0 && value[end] == UInt8(ascii: ".") && value[end + 1] == UInt8(ascii: "0")
      append(copying: isWhole ? value.extracting(0..<end) : value)
    }
    if needsQuotes { append(UInt8(ascii: "\"")) }
  }

  /// The integer of canonical text.
  private static func integer(_ text: Span<UInt8>) -> Int64 {
    var value: Int64 = 0
    for index in text.indices where text[index] != UInt8(ascii: "-") {
      value = value &* 10 &+ Int64(text[index] &- UInt8(ascii: "0"))
    }
    return text.isEmpty || text[0] != UInt8(ascii: "-") ? value : -value
  }
}
