import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitRelations
import ZoneKitSchema
import ZoneKitSchemaFixtures

/// Statements on the tables of a schema, in memory.
struct Trial {
  private var store = MemoryRelationStore()
  private let schema: PreparedSchema
  var role = "service_role"
  var user: String?
  private(set) var changes: [RelationChange] = []

  /// The tables that a text makes.
  init(_ text: String) throws {
    let catalogue = try Catalogue(text: text)
    schema = try PreparedSchema(catalogue)
    store.define(schema.layouts)
    for seed in catalogue.seeds { _ = insert(seed.rows) }
  }

  /// What a statement returns: its rows, a line each, or why it is refused. A refused statement changes nothing.
  private mutating func run(
    _ table: String,
    _ body: (inout RowStatements<MemoryRelationStore>, PreparedTable) throws(RelationFailure) -> [StoredRow]
  ) -> String {
    guard let table = schema.tables[ObjectName("public", table)] else { return "no table" }
    let claims = user.map { JSONBValue.object([JSONBValue.Member("sub", .string($0))]) }
    let context = EvaluationContext(
      now: 1_700_000_000_000_000, role: role, claims: claims, randomUUID: { UUID(high: 0, low: 1) })
    var statements = RowStatements(schema, on: store, context)
    statements.store.begin()
    do throws(RelationFailure) {
      let rows = try body(&statements, table)
      statements.store.end(keeping: true)
      (store, changes) = (statements.store, statements.changes)
      return rows.map { Self.line($0, table) }.joined(separator: "\n")
    } catch {
      statements.store.end(keeping: false)
      store = statements.store
      guard case .refused(let failure) = error else { return "\(error)" }
      return ["\(failure.code.rawValue) \(failure.message)", failure.detail].compactMap(\.self).joined(separator: " | ")
    }
  }

  private static func line(_ row: StoredRow, _ table: PreparedTable) -> String {
    zip(table.columns, row.values).map { $1 == .null ? "null" : $0.type.text(of: $1) }.joined(separator: " ")
  }

  private mutating func insert(_ rows: InsertRows) -> String {
    run(rows.table.name) { statements, table throws(RelationFailure) in try statements.insert(rows, into: table) }
  }

  /// Runs an insert that is written in SQL.
  mutating func insert(_ text: String) throws -> String {
    guard case .insert(let rows)? = try Samples.statement(text) else { return "no insert" }
    return insert(rows)
  }

  /// Adds a row or changes the one with the same values in some columns.
  mutating func upsert(_ table: String, by columns: [String], _ values: [String: String?]...) -> String {
    run(table) { statements, table throws(RelationFailure) in
      var rows: [[Int: Datum]] = []
      for row in values { rows.append(try Self.data(row, table)) }
      return try statements.insert(rows, into: table, conflict: .merges(columns))
    }
  }

  /// Changes the rows that have a text in a column.
  mutating func update(
    _ table: String, where column: String, is text: String, _ values: [String: String?]
  ) -> String {
    run(table) { statements, table throws(RelationFailure) in
      let rows = try Self.rows(column, text, table, statements.store)
      return try statements.update(rows, Self.data(values, table), in: table)
    }
  }

  /// Removes the rows that have a text in a column.
  mutating func delete(_ table: String, where column: String, is text: String) -> String {
    run(table) { statements, table throws(RelationFailure) in
      let rows = try Self.rows(column, text, table, statements.store)
      try statements.delete(rows, from: table)
      return rows
    }
  }

  /// All rows of a table, a line each.
  mutating func rows(_ table: String) -> String {
    run(table) { statements, table throws(RelationFailure) in
      try statements.store.rows(RowSearch(table.name, statements.context))
    }
  }

  private static func rows(
    _ column: String, _ text: String, _ table: PreparedTable, _ store: MemoryRelationStore
  ) throws(RelationFailure) -> [StoredRow] {
    let all = try store.rows(
      RowSearch(table.name, EvaluationContext(now: 0, randomUUID: { UUID(high: 0, low: 0) })))
    guard let place = table.index(of: column) else { return [] }
    return all.filter { table.columns[place].type.text(of: $0.values[place]) == text }
  }

  private static func data(
    _ values: [String: String?], _ table: PreparedTable
  ) throws(RelationFailure) -> [Int: Datum] {
    var data: [Int: Datum] = [:]
    for (name, text) in values {
      guard let place = table.index(of: name) else { continue }
      do throws(SQLFailure) {
        data[place] =
          try text.map { (text) throws(SQLFailure) in
            try table.columns[place].type.datum(text, now: 0)
          } ?? .null
      } catch {
        throw .refused(error)
      }
    }
    return data
  }
}
