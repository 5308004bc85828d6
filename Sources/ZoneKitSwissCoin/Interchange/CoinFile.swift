import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitTables

/// A parsed file of rows, and remarks on rows that could not be read.
struct CoinFile {
  /// A row and its place in the file.
  struct Entry {
    /// The place as a JSON pointer (RFC 6901).
    var place: String
    /// The table.
    var table: Table
    /// The values of the row's columns; null for those that the file does not name.
    var row: Row
  }

  /// The version of the format.
  static let version: Int64 = 1
  /// The app that a file names.
  static let app = "SwissCoin"

  /// The rows that can be read, in the order of the tables and of the file.
  private(set) var entries: [Entry] = []
  /// The rows that cannot be read.
  private(set) var refused: [RowNote] = []
  /// The values of columns that no table has.
  private(set) var keptOut: [RowNote] = []

  /// Parses a file. If its outer structure cannot be read, the whole file is refused.
  init(parsing bytes: [UInt8]) throws(AppRefusal) {
    let json = try AppFile.json(parsing: bytes, app: Self.app, version: Self.version)
    guard let tables = json["tables"]?.object else { throw AppRefusal("/tables: expected an object of tables") }
    var lists: [(table: Table, rows: [JSON])] = []
    for member in tables {
      guard let table = SwissCoin.schema.table(Name(member.key)) else {
        throw AppRefusal(
          "/tables/\(member.key): there is no such table; expected \(SwissCoin.schema.tables.map(\.name.text).joined(separator: ", "))"
        )
      }
      guard let rows = member.value.array else {
        throw AppRefusal("/tables/\(member.key): expected a list of rows, found \(member.value.kind)")
      }
      if let place = rows.firstIndex(where: { $0.object == nil }) {
        throw AppRefusal("/tables/\(member.key)/\(place): expected a row, found \(rows[place].kind)")
      }
      lists.append((table, rows))
    }
    // Owners come before what they own.
    for table in SwissCoin.schema.tables {
      for list in lists where list.table.name == table.name {
        for (index, row) in list.rows.enumerated() { read(row, of: table, at: "/tables/\(table.name)/\(index)") }
      }
    }
  }

  /// A file of those rows, which come in the order of their tables.
  static func document(of rows: [CoinRow], at time: WallTime) -> [UInt8] {
    let byTable = Dictionary(grouping: rows, by: \.table.name)
    let tables = SwissCoin.schema.tables.map { table in
      JSON.Member(table.name.text, .array((byTable[table.name] ?? []).map(\.json)))
    }
    let document: JSON = [
      "version": .integer(version), "app": .string(app), "exportedAt": .string(time.iso8601),
      "tables": .object(tables),
    ]
    return document.bytes() + [UInt8(ascii: "\n")]
  }

  /// The form of a column's values in a file, for errors.
  private static func form(of column: Column) -> String {
    switch column.type {
    case .timestamp: "a time such as 2026-11-21T06:06:01Z"
    case .uuid: "a UUID such as 4ba7b810-9dad-41d1-80b4-00c04fd430c8"
    case .int4: "a whole number from \(Int32.min) to \(Int32.max)"
    case .text, .bool, .float8: CommandRun.form(of: column)
    }
  }

  /// A value as the file has it, at most the first 40 characters.
  private static func written(_ value: JSON) -> String {
    let text = value.string ?? value.text()
    return text.count <= 40 ? text : "\(text.prefix(40))…"
  }

  /// Reads one row. A row that cannot be read is refused alone.
  private mutating func read(_ json: JSON, of table: Table, at place: String) {
    var row = Row(table.columns.map { _ in RowValue.null })
    for (index, column) in table.columns.enumerated() {
      // Who owns a row, and when a server took it, is not a matter of a file.
      guard ![.ownerID, .updatedAt, .changedBy].contains(column.name), let value = json[column.name.text] else {
        if json[column.name.text] == nil { row.values[index] = column.defaultValue }
        continue
      }
      do throws(RowError) {
        row.values[index] = try RowValue(value, as: column.type)
      } catch {
        return refused.append(
          RowNote("\(place)/\(column.name)", "expected \(Self.form(of: column)), found \(value.excerpt)"))
      }
      if column.name == "amount", let amount = row.values[index].number, !MoneyWord.isWritable(amount) {
        return refused.append(
          RowNote("\(place)/\(column.name)", MoneyWord.range(Self.written(value), isZeroAllowed: true)))
      }
    }
    for member in json.object ?? [] where table.column(Name(member.key)) == nil {
      keptOut.append(RowNote("\(place)/\(member.key)", "\(table.name) has no such column"))
    }
    entries.append(Entry(place: place, table: table, row: row))
  }
}
