@testable import ZoneKitStorage

/// Every row of a device's file, as text, in the order of its tables.
struct DeviceContent: Equatable {
  let rows: [String]

  /// The content of a file without tables or rows.
  init() { rows = [] }

  /// Reads the file.
  init(of file: DeviceFile) throws {
    let connection = file.connection
    let tables = Statement("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", on: connection)
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
