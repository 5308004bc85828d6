/// What a request read or wrote.
package struct RelationResult: Equatable, Sendable {
  /// What the answer has of a row.
  package var columns: [RelationColumn]
  /// The rows, in their order; empty if they are written already.
  package var rows: [[RelationCell]]
  /// The rows as an answer has them, if the request allowed that; nil otherwise.
  package var json: WrittenRows?
  /// The approximate number of bytes of the rows in an answer.
  package var size = 0
  /// The number of rows that were written.
  package var written = 0
  /// How many of them are new.
  package var inserted = 0
  /// How many of the rows found were left out before the first one.
  package var offset = 0
  /// The number of all rows that the request finds; nil if they were not counted.
  package var total: Int?
  /// The columns of the key of the one new row, with its values as texts; empty if there is no such row.
  package var key: [Key] = []

  /// A column of a key with its value.
  package struct Key: Hashable, Sendable {
    /// The column's name.
    package var column: String
    /// The value's text.
    package var text: String

    /// That value of that column.
    package init(_ column: String, _ text: String) {
      self.column = column
      self.text = text
    }
  }

  /// The number of rows.
  package var rowCount: Int { json?.count ?? rows.count }

  /// Whether the one row is written instead of a list of rows, as that of a function that returns one.
  package var isOneRow = false
  /// What a function returns, as JSON; nil if it returns nothing or rows.
  package var value: [UInt8]?

  /// Rows of those columns.
  package init(_ columns: [RelationColumn] = [], _ rows: [[RelationCell]] = []) {
    self.columns = columns
    self.rows = rows
  }
}

/// Rows as JSON objects with commas between them.
package struct WrittenRows: Equatable, Sendable {
  /// The text.
  package var bytes: [UInt8]
  /// The number of rows.
  package var count: Int

  /// Rows with that text.
  package init(_ bytes: [UInt8] = [], count: Int = 0) {
    self.bytes = bytes
    self.count = count
  }
}

/// A part of each row of an answer.
package struct RelationColumn: Equatable, Sendable {
  /// What a part is.
  package indirect enum Kind: Equatable, Sendable {
    /// A value of that type.
    case value(DatumType)
    /// The one related row.
    case row([RelationColumn])
    /// The related rows.
    case rows([RelationColumn])
  }

  /// Its name.
  package var name: String
  /// What it is.
  package var kind: Kind

  /// A part of that name.
  package init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

/// A part of a row of an answer.
package indirect enum RelationCell: Equatable, Sendable {
  /// A value.
  case value(Datum)
  /// The one related row; nil if there is none.
  case row([RelationCell]?)
  /// The related rows.
  case rows([[RelationCell]])
}

extension Datum {
  /// The approximate number of bytes of a value in an answer.
  package var size: Int {
    switch self {
    case .text(let text), .json(let text), .label(let text, _): text.utf8.count + 2
    case .bytes(let bytes): 2 * bytes.count + 5
    case .jsonb(let value): value.size
    case .array(let elements): elements.reduce(2) { $0 + 1 + $1.size }
    case .null, .boolean, .integer, .double: 8
    case .numeric, .uuid, .date, .time, .timestamp: 36
    }
  }
}

extension JSONBValue {
  /// The approximate number of bytes of a value in an answer.
  fileprivate var size: Int {
    switch self {
    case .null, .boolean, .number: 8
    case .string(let text): text.utf8.count + 2
    case .array(let elements): elements.reduce(2) { $0 + 2 + $1.size }
    case .object(let members): members.reduce(2) { $0 + $1.key.utf8.count + 6 + $1.value.size }
    }
  }
}
