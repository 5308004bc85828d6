import ZoneKitRecords

/// A committed change of a row of a schema's table, with what is told of it.
package struct RelationEvent: Hashable, Sendable {
  /// A column of the table.
  package struct Column: Hashable, Sendable {
    /// Its name.
    package var name: String
    /// The type of its values.
    package var type: DatumType

    /// A column of that type.
    package init(_ name: String, _ type: DatumType) {
      self.name = name
      self.type = type
    }
  }

  /// The table's name.
  package var table: String
  /// Its columns.
  package var columns: [Column]
  /// The places of the columns of its key.
  package var key: [Int]
  /// Whether the whole row is told as it was before, and not only its key (PostgreSQL: REPLICA IDENTITY FULL).
  package var tellsOld: Bool
  /// The row before; nil if it is new.
  package var old: [Datum]?
  /// The row after; nil if it is deleted.
  package var new: [Datum]?
  /// The time of the change.
  package var at: WallTime

  /// A change of a row of that table.
  package init(
    table: String, _ columns: [Column], key: [Int], tellsOld: Bool, old: [Datum]?, new: [Datum]?, at: WallTime
  ) {
    self.table = table
    self.columns = columns
    self.key = key
    self.tellsOld = tellsOld
    self.old = old
    self.new = new
    self.at = at
  }

  /// The name of the row among those of all tables: `<table>/<key>`.
  package var recordName: Name {
    let row = new ?? old ?? []
    return Name("\(table)/\(key.map { columns[$0].type.text(of: row[$0]) }.joined(separator: ","))")
  }
}

extension DatumType {
  /// The type's name in PostgreSQL's catalogue, as events name it: `int4`, `_text`.
  package var catalogueName: String {
    switch self {
    case .boolean: "bool"
    case .smallint: "int2"
    case .integer: "int4"
    case .bigint: "int8"
    case .real: "float4"
    case .doublePrecision: "float8"
    case .varchar: "varchar"
    case .char: "bpchar"
    case .time: "time"
    case .timestamp: "timestamp"
    case .timestamptz: "timestamptz"
    case .array(let element): "_\(element.catalogueName)"
    case .numeric, .text, .uuid, .date, .json, .jsonb, .bytea, .enumeration: name
    }
  }
}
