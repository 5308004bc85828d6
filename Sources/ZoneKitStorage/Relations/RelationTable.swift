import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitRelations

/// A table of a schema as a table of SQLite: its names, and how its columns are kept.
struct RelationTable {
  let layout: TableLayout
  /// The name of the table.
  let name: String
  /// The name of the table in SQL.
  let sql: String
  /// The names of the columns in SQL, in their order.
  let columns: [String]
  /// How the columns are kept.
  let forms: [DatumForm]

  /// The name of the column with the row's number.
  static let number = "\"~row\""

  init(_ layout: TableLayout) {
    self.layout = layout
    name = "\(layout.name.schema).\(layout.name.name)"
    sql = name.quotedForSQLite
    // SQLite does not tell small and capital letters of names apart, and PostgreSQL does.
    let groups = Dictionary(grouping: layout.columns, by: { $0.name.lowercased() })
    columns = layout.columns.map { column in
      let isAlone = groups[column.name.lowercased()]?.count == 1 && column.name.lowercased() != "~row"
      return (isAlone ? column.name : Self.distinctName(of: column.name)).quotedForSQLite
    }
    forms = layout.columns.map { DatumForm(type: $0.type) }
  }

  /// The statement that makes the table. Columns have no type, so that what is kept is not converted.
  var creation: String {
    "CREATE TABLE IF NOT EXISTS \(sql)"
      + "(\(([Self.number + " INTEGER PRIMARY KEY AUTOINCREMENT"] + definitions).joined(separator: ", ")))"
  }

  private var definitions: [String] {
    zip(columns, forms).map { name, form in name + (form.collation.map { " COLLATE \($0.quotedForSQLite)" } ?? "") }
  }

  /// The name of a column beside another one that differs in capital letters alone, which may be that of the row's number:
  /// with the places of its capital letters.
  private static func distinctName(of name: String) -> String {
    let capitals = name.enumerated().filter { $1.isUppercase }.map { "\($0.offset)" }
    return capitals.isEmpty && name != "~row" ? name : name + "~" + capitals.joined(separator: "~")
  }

  /// The statements that make a table with columns of those names one with these columns. A column whose name has to be
  /// told apart from that of a new one is renamed.
  func changes(of known: Set<String>) -> [String] {
    let names = Set(known.map(\.quotedForSQLite))
    var renamings: [String] = []
    var additions: [String] = []
    for (column, (name, definition)) in zip(layout.columns, zip(columns, definitions)) where !names.contains(name) {
      let former = [column.name, Self.distinctName(of: column.name)].map(\.quotedForSQLite)
        .first { names.contains($0) && !columns.contains($0) }
      if let former {
        renamings.append("ALTER TABLE \(sql) RENAME COLUMN \(former) TO \(name)")
      } else {
        additions.append("ALTER TABLE \(sql) ADD COLUMN \(definition)")
      }
    }
    return renamings + additions
  }

  /// The statement that adds a row.
  var insertion: String {
    guard !columns.isEmpty else { return "INSERT INTO \(sql) DEFAULT VALUES RETURNING \(Self.number)" }
    let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    return "INSERT INTO \(sql)(\(columns.joined(separator: ", "))) VALUES (\(places)) RETURNING \(Self.number)"
  }

  /// The statement that gives a row other values; the row's number is the last parameter.
  var change: String {
    "UPDATE \(sql) SET \(columns.map { $0 + " = ?" }.joined(separator: ", ")) WHERE \(Self.number) = ?"
  }

  /// The statement that removes a row.
  var deletion: String { "DELETE FROM \(sql) WHERE \(Self.number) = ?" }

  /// What is kept of a row's values.
  func values(_ data: [Datum]) -> [Statement.Value] { zip(forms, data).map { $0.value($1) } }

  /// The row whose number is the first column of a result, and whose values are the others.
  func row(_ row: Row) throws(StoreError) -> StoredRow {
    var values: [Datum] = []
    values.reserveCapacity(forms.count)
    for (index, form) in forms.enumerated() {
      values.append(try form.datum(ColumnValue(row: row, column: Int32(index + 1))))
    }
    return StoredRow(row.integer(0), values)
  }
}

extension String {
  /// The name in quotes, as SQLite reads it.
  var quotedForSQLite: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}
