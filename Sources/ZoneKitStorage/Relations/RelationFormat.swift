extension FileFormat {
  /// The file with the rows of a schema's tables. The tables are made with the schema.
  static let relations = FileFormat(
    name: "file of tables", applicationID: 0x5A_4B_54_62,  // "ZKTb"
    migrations: [
      FileOrigin.table,
      // The last numbers of columns that count.
      "CREATE TABLE \"~numbers\"(name TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID",
      // The files of the schema, in their order.
      "CREATE TABLE \"~texts\"(place INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL) STRICT",
    ], originSince: 1)
}
