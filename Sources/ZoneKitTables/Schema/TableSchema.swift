import ZoneKitRecords

/// The tables of an app, in the order in which devices send and fetch them: a row's references point to earlier tables or
/// to its own.
package struct TableSchema: Hashable, Sendable {
  /// The tables, parents before children.
  package let tables: [Table]
  /// The place of each table in `tables`.
  private let places: [Name: Int]

  /// The schema of those tables.
  package init(_ tables: [Table]) {
    self.tables = tables
    places = Dictionary(tables.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The table of that name; nil if there is none.
  package func table(_ name: Name) -> Table? { places[name].map { tables[$0] } }

  /// The tables whose rows a row of the given table owns, with the columns that refer to it.
  package func owned(by table: Name) -> [(table: Table, column: Name)] {
    referring(to: table).filter { $0.column.foreignKey?.isOwner == true }.map { ($0.table, $0.column.name) }
  }

  /// The tables with a column that refers to the given table, with that column.
  package func referring(to table: Name) -> [(table: Table, column: Column)] {
    tables.flatMap { referrer in
      referrer.columns.filter { $0.foreignKey?.table == table }.map { (referrer, $0) }
    }
  }
}

extension TableSchema {
  /// The table and the key of a record's row, which is named `<table>/<key>`; nil if the name is not that of a row.
  package func row(ofRecord name: Name) -> (table: Table, key: RowKey)? {
    guard let slash = name.text.utf8.firstIndex(of: UInt8(ascii: "/")),
      let table = table(Name(String(name.text[..<slash]))),
      let key = RowKey(text: name.text[name.text.index(after: slash)...]), key.parts.count == table.key.count
    else { return nil }
    return (table, key)
  }
}
