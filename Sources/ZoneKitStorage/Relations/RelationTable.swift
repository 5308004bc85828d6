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
    var taken: Set<String> = ["~row"]
    columns = layout.columns.enumerated().map { index, column in
      let name = taken.insert(column.name.lowercased()).inserted ? column.name : "\(column.name)~\(index)"
      return name.quotedForSQLite
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

  /// The statements that add the columns that are not among those names.
  func additions(to known: Set<String>) -> [String] {
    zip(columns, definitions).filter { name, _ in !known.contains(where: { $0.quotedForSQLite == name }) }
      .map { "ALTER TABLE \(sql) ADD COLUMN \($1)" }
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
