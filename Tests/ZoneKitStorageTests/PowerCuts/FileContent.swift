@testable import ZoneKitStorage

/// Every row of a SQLite file, as text, in the order of its tables, without the origin, which comes with the tables.
struct FileContent: Equatable {
  let rows: [String]

  /// The content of a file without tables or rows.
  init() { rows = [] }

  /// Reads the file of a connection.
  init(of connection: Connection) throws {
    let tables = Statement(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'origin' ORDER BY name", on: connection)
    var rows: [String] = []
    for table in try tables.all(read: { $0.text(0) }) {
      let columns = try Statement("SELECT name FROM pragma_table_info('\(table)')", on: connection).all { $0.text(0) }
      let text = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
      rows += try Statement("SELECT \(text) AS row FROM \(table) ORDER BY row", on: connection).all {
        "\(table): \($0.text(0))"
      }
    }
    self.rows = rows
  }
}
