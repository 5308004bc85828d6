import ZoneKitCSQLite
import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitRelations
import ZoneKitSchema
import ZoneKitTables

/// The rows of tables in one SQLite file.
package final class RelationFiles: RelationStore {
  private let connection: Connection
  private let calls = ExpressionCalls()
  private var tables: [ObjectName: RelationTable] = [:]
  private var statements: [String: Statement] = [:]
  /// The last numbers of columns that count, as far as they were asked for.
  private var numbers: [String: Int64] = [:]
  /// The columns whose numbers are not written yet.
  private var counted: Set<String> = []
  private var statistics = RelationStatistics()
  private var isInTransaction = false
  private var depth = 0

  /// The file at that path, which is made if it is missing. It belongs to `origin`; to any container if that is nil.
  package init(_ path: String, of origin: FileOrigin? = nil) throws(StoreError) {
    connection = try Connection(path, as: .relations, access: .create, origin: origin)
    try check(calls.add(to: connection.handle), "zonekit_value")
  }

  /// The rows of an app's tables below the cloud's folder, which are only read, beside a server that may be running.
  package init(observing root: String, app: TableApp) throws(StoreError) {
    let origin = FileOrigin(container: app.container, environment: app.environment)
    connection = try Connection(Self.path(root: root, app: app), as: .relations, access: .observe, origin: origin)
    try check(calls.add(to: connection.handle), "zonekit_value")
  }

  /// The rows of an app's tables below the cloud's folder.
  package convenience init(root: String, app: TableApp) throws(StoreError) {
    let path = Self.path(root: root, app: app)
    try Folder.make(Folder.parent(of: path))
    try self.init(path, of: FileOrigin(container: app.container, environment: app.environment))
  }

  /// The path of the file of an app, below the cloud's folder.
  package static func path(root: String, app: TableApp) -> String {
    CloudPaths(root: root).folder(of: app.container, app.environment) + "/" + fileName
  }

  /// The file's name in the folder of a container's environment.
  package static let fileName = "tables.sqlite"

  /// The path of the file.
  package var path: String { connection.path }

  private func check(_ code: Int32, _ name: String) throws(StoreError) {
    guard code == SQLITE_OK else { throw connection.error(code, sql: name) }
  }

  /// See `RelationStore`.
  package func define(_ layouts: [TableLayout]) throws(StoreError) {
    try write()
    for layout in layouts {
      try know(layout)
      let table = RelationTable(layout)
      try connection.execute(table.creation)
      let known = try statement("SELECT name FROM pragma_table_info(?)").all(.text(table.name)) { $0.text(0) }
      for change in table.changes(of: Set(known)) { try connection.execute(change) }
    }
    try defineIndexes()
  }

  /// Reads a table that the file has.
  package func know(_ layout: TableLayout) throws(StoreError) {
    for column in layout.columns where DatumCollation.needs(column.type) {
      try check(DatumCollation.add(column.type, to: connection.handle), DatumCollation.name(of: column.type))
    }
    tables[layout.name] = RelationTable(layout)
  }

  /// Makes the indexes of all tables, and removes those that no table has any more.
  private func defineIndexes() throws(StoreError) {
    let known = try statement("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").all {
      ($0.text(0), $0.text(1))
    }
    let wanted = Set(
      tables.values.flatMap { table in table.layout.indexes.compactMap { SearchText.index($0, of: table) } })
    for (name, text) in known where !wanted.contains(text) {
      try connection.execute("DROP INDEX \(name.quotedForSQLite)")
    }
    for text in wanted.subtracting(known.map(\.1)).sorted() { try connection.execute(text) }
  }

  /// See `RelationStore`.
  package func drop(_ name: ObjectName) throws(StoreError) {
    try write()
    tables[name] = nil
    let layout = TableLayout(name, [])
    try connection.execute("DROP TABLE IF EXISTS \(RelationTable(layout).sql)")
  }

  /// Whether the file has rows of a table.
  package func hasRows(_ name: ObjectName) throws(StoreError) -> Bool {
    let table = RelationTable(TableLayout(name, []))
    let isThere = try statement("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").first(
      .text(table.name)
    ) {
      _ in true
    }
    guard isThere == true else { return false }
    return try Statement("SELECT 1 FROM \(table.sql) LIMIT 1", on: connection).first { _ in true } ?? false
  }

  // MARK: The schema

  /// The texts of the schema whose tables the file has; nil if it has none yet.
  package func texts() throws(StoreError) -> [SchemaText]? {
    let texts = try statement("SELECT name, text FROM \"~texts\" ORDER BY place").all {
      SchemaText(name: $0.text(0), $0.text(1))
    }
    return texts.isEmpty ? nil : texts
  }

  /// Keeps the texts of the schema whose tables the file has.
  package func set(_ texts: [SchemaText]) throws(StoreError) {
    try write()
    try connection.execute("DELETE FROM \"~texts\"")
    for (place, text) in texts.enumerated() {
      try statement("INSERT INTO \"~texts\" VALUES (?, ?, ?)").run(
        .integer(Int64(place)), .text(text.name), .text(text.text))
    }
  }

  // MARK: Reading

  /// See `RelationStore`.
  package func rows(_ search: RowSearch) throws(RelationFailure) -> [StoredRow] {
    guard let table = tables[search.table] else { return [] }
    let text = SearchText.rows(search, in: table, tables)
    return try read(text, search.context) { statement throws(StoreError) in
      var rows: [StoredRow] = []
      try statement.visit(all: text.values) { row throws(StoreError) in
        rows.append(try table.row(row))
        return true
      }
      return rows
    }
  }

  /// See `RelationStore`.
  package func json(_ search: RowSearch, _ members: [WrittenMember]) throws(RelationFailure) -> WrittenRows {
    guard let table = tables[search.table] else { return WrittenRows() }
    let text = SearchText.rows(search, in: table, tables)
    return try read(text, search.context) { statement throws(StoreError) in
      var written = WrittenRows()
      try statement.visit(all: text.values) { row throws(StoreError) in
        try written.append(members) { member, bytes throws(StoreError) in
          let kept = ColumnValue(row: row, column: Int32(member.column + 1))
          try table.forms[member.column].append(kept, toJSON: &bytes)
        }
        return true
      }
      return written
    }
  }

  /// See `RelationStore`.
  package func count(_ search: RowSearch) throws(RelationFailure) -> Int {
    guard let table = tables[search.table] else { return 0 }
    let text = SearchText.count(search, in: table, tables)
    return try read(text, search.context) { statement throws(StoreError) in
      try statement.first(all: text.values) { Int($0.integer(0)) } ?? 0
    }
  }

  /// See `RelationStore`.
  package func holds(_ condition: TypedExpression, _ context: EvaluationContext) throws(RelationFailure) -> Bool {
    let text = SearchText.condition(condition, tables)
    return try read(text, context) { statement throws(StoreError) in
      try statement.first(all: text.values) { _ in true } ?? false
    }
  }

  private func read<Result>(
    _ text: SearchText, _ original: EvaluationContext, _ body: (Statement) throws(StoreError) -> Result
  ) throws(RelationFailure) -> Result {
    var context = original
    context.rows = { shape throws(SQLFailure) in try self.allRows(shape, original) }
    calls.begin(text.calls, context)
    do throws(StoreError) {
      return try body(statement(text.sql))
    } catch {
      throw calls.failure.map { .refused($0) } ?? .store(error)
    }
  }

  /// The rows of a table for a part that is evaluated outside of SQLite.
  private func allRows(_ shape: RelationShape, _ context: EvaluationContext) throws(SQLFailure) -> [[Datum]] {
    let name = shape.objectName
    guard let table = tables[name] else { return [] }
    let text = SearchText.rows(RowSearch(name, context), in: table, tables)
    do throws(StoreError) {
      return try Statement(text.sql, on: connection).all { row throws(StoreError) in try table.row(row).values }
    } catch {
      throw SQLFailure(SQLFailure.Code(rawValue: "58030"), error.message)
    }
  }

  /// A prepared statement. The last ones are kept.
  private func statement(_ sql: String) -> Statement {
    if let known = statements[sql] { return known }
    if statements.count >= Self.statementLimit { statements = [:] }
    let new = Statement(sql, on: connection)
    statements[sql] = new
    return new
  }

  /// The most statements that are kept.
  private static let statementLimit = 500

  // MARK: Writing

  /// See `RelationStore`.
  package func nextNumber(of column: String, in table: ObjectName) throws(StoreError) -> Int64 {
    let name = "\(table).\(column)"
    let next = try lastNumber(name) + 1
    try write()
    numbers[name] = next
    counted.insert(name)
    return next
  }

  private func lastNumber(_ name: String) throws(StoreError) -> Int64 {
    if let known = numbers[name] { return known }
    return try statement("SELECT number FROM \"~numbers\" WHERE name = ?").first(.text(name)) { $0.integer(0) } ?? 0
  }

  private func writeNumbers() throws(StoreError) {
    for name in counted {
      try statement("INSERT OR REPLACE INTO \"~numbers\" VALUES (?, ?)").run(
        .text(name), .integer(numbers[name] ?? 0))
    }
    counted = []
  }

  /// See `RelationStore`.
  package func insert(_ values: [Datum], into name: ObjectName) throws(StoreError) -> Int64 {
    let table = try table(name)
    try write()
    statistics.inserted(into: name)
    return try statement(table.insertion).first(all: table.values(values)) { $0.integer(0) } ?? 0
  }

  /// See `RelationStore`.
  package func update(_ row: StoredRow, in name: ObjectName) throws(StoreError) {
    let table = try table(name)
    guard !table.columns.isEmpty else { return }
    try write()
    try statement(table.change).run(all: table.values(row.values) + [.integer(row.number)])
  }

  /// See `RelationStore`.
  package func delete(_ number: Int64, from name: ObjectName) throws(StoreError) {
    let table = try table(name)
    try write()
    try statement(table.deletion).run(.integer(number))
  }

  private func table(_ name: ObjectName) throws(StoreError) -> RelationTable {
    if let table = tables[name] { return table }
    throw StoreError(.failed, "the table \(name) is not defined", place: connection.path)
  }

  /// Begins the transaction of the turn unless it has begun.
  private func write() throws(StoreError) {
    guard !isInTransaction else { return }
    try connection.execute("BEGIN IMMEDIATE")
    connection.began()
    isInTransaction = true
  }

  /// See `RelationStore`.
  package func begin() throws(StoreError) {
    try write()
    depth += 1
    try connection.execute("SAVEPOINT s\(depth)")
  }

  /// See `RelationStore`.
  package func end(keeping isKept: Bool) throws(StoreError) {
    guard depth > 0 else { return }
    let name = "s\(depth)"
    depth -= 1
    if !isKept { try connection.execute("ROLLBACK TO \(name)") }
    try connection.execute("RELEASE \(name)")
  }

  /// See `RelationStore`.
  package func commit() -> StoreError? {
    guard isInTransaction else { return nil }
    (isInTransaction, depth) = (false, 0)
    do throws(StoreError) {
      try writeNumbers()
      for name in statistics.takeDue() { try connection.execute("ANALYZE \(try table(name).sql)") }
      try connection.commit { () throws(StoreError) in try connection.execute("COMMIT") }
      return nil
    } catch {
      connection.rollBack()
      return error
    }
  }

  /// See `RelationStore`.
  package func discard() {
    guard isInTransaction else { return }
    (isInTransaction, depth) = (false, 0)
    connection.rollBack()
  }

  /// See `RelationStore`.
  package func close() {
    discard()
    statements = [:]
  }
}
