import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSchema

/// Makes the tables of a schema in a store, or changes those of another version of it.
///
/// Tables, columns, policies, checks and keys can be added; rows that are there get the defaults of new columns, and have to
/// fulfil what is new. A table without rows may change in any way.
package struct SchemaAdoption {
  private let schema: PreparedSchema
  private let old: Catalogue?
  private var context: EvaluationContext

  /// The change to a schema from an older version of it; nil for an empty store. The context is that of the server itself.
  package init(_ schema: PreparedSchema, from old: Catalogue?, _ context: EvaluationContext) {
    (self.schema, self.old, self.context) = (schema, old, context)
    self.context.role = RowSecurity.unlimitedRole
  }

  /// Changes the store, without a commit. Throws why it cannot; then the store has to be discarded.
  package func carryOut<Store: RelationStore>(on store: inout Store) throws(SchemaRefusal) {
    do throws(StoreError) {
      try define(in: &store)
    } catch {
      throw .store(error)
    }
    var statements = RowStatements(schema, on: store, context)
    defer { store = statements.store }
    try fillColumns(&statements)
    if old != nil { try check(statements) }
    try checkRewrites(statements)
    try plantSeeds(&statements)
  }

  // MARK: Tables

  private func define<Store: RelationStore>(in store: inout Store) throws(StoreError) {
    if let old {
      for table in old.tables.values where table.isKept && differs(table) {
        try store.drop(table.name)
      }
    }
    try store.define(schema.layouts)
  }

  /// Whether a table cannot stay as it is. It has no rows, as `problems` has made sure.
  private func differs(_ old: CatalogueTable) -> Bool {
    guard let new = schema.catalogue.tables[old.name], new.isKept else { return true }
    return !Self.changes(from: old, to: new).isEmpty
  }

  /// Why the schema cannot be changed, a sentence each. `hasRows` tells whether a table has rows.
  package static func problems(
    from old: Catalogue, to new: Catalogue, hasRows: (ObjectName) throws(StoreError) -> Bool
  ) throws(StoreError) -> [String] {
    var problems: [String] = []
    for table in old.tables.values.sorted(by: { $0.name < $1.name }) where table.isKept {
      let changes = new.tables[table.name].flatMap { $0.isKept ? $0 : nil }.map { Self.changes(from: table, to: $0) }
      let found = changes ?? ["the table is gone"]
      guard !found.isEmpty, try hasRows(table.name) else { continue }
      problems += found.map { "table \(table.name): \($0), and it has rows" }
    }
    return problems
  }

  /// What is other than adding to a table.
  private static func changes(from old: CatalogueTable, to new: CatalogueTable) -> [String] {
    old.columns.compactMap { column in
      guard let later = new.column(column.name) else { return "the column \(column.name) is gone" }
      guard !isSame(column.type, later.type) else { return nil }
      return "the column \(column.name) was \(column.type.fullName) and is \(later.type.fullName)"
    }
  }

  /// Whether what is kept of values of a type are values of the other one too. An enum may get more values at its end.
  private static func isSame(_ old: DatumType, _ new: DatumType) -> Bool {
    switch (old, new) {
    case (.enumeration(let own), .enumeration(let other)): other.labels.starts(with: own.labels)
    case (.array(let own), .array(let other)): isSame(own, other)
    case (.varchar(let own), .varchar(let other)): other.map { $0 >= own ?? .max } ?? true
    case (.varchar, .text), (.smallint, .integer), (.smallint, .bigint), (.integer, .bigint): true
    case (.numeric, .numeric(nil)): true
    default: old == new
    }
  }

  // MARK: Rows

  /// Gives rows the defaults of columns that they did not have.
  private func fillColumns<Store: RelationStore>(_ statements: inout RowStatements<Store>) throws(SchemaRefusal) {
    for table in tables {
      guard let known = old?.tables[table.name] else { continue }
      let added = table.columns.indices.filter { known.column(table.columns[$0].name) == nil }
      guard !added.isEmpty else { continue }
      do throws(RelationFailure) {
        for row in try statements.store.rows(RowSearch(table.name, context)) {
          var values = row.values
          for place in added { values[place] = try statements.defaultValue(place, of: table) }
          try statements.set(statements.computed(values, of: table), of: row, in: table)
        }
      } catch {
        throw SchemaRefusal(error, of: table.name)
      }
    }
  }

  /// Checks that the rows fulfil what the schema demands of them.
  private func check<Store: RelationStore>(_ statements: RowStatements<Store>) throws(SchemaRefusal) {
    for table in tables {
      do throws(RelationFailure) {
        for row in try statements.store.rows(RowSearch(table.name, context)) {
          try statements.checkConstraints(row.values, of: table, old: row)
          try statements.checkReferences(of: row.values, in: table)
        }
      } catch {
        throw SchemaRefusal(error, of: table.name)
      }
    }
  }

  /// Refuses a change of rows that the older schema did not have, if there are rows.
  private func checkRewrites<Store: RelationStore>(_ statements: RowStatements<Store>) throws(SchemaRefusal) {
    guard let old else { return }
    for statement in schema.catalogue.rewrites where !old.rewrites.contains(statement) {
      let name = Catalogue.full(statement.table)
      do throws(RelationFailure) {
        guard try statements.store.count(RowSearch(name, context)) > 0 else { continue }
        let message = "rows are there that an UPDATE or DELETE of the schema would change: change them through a client"
        throw .refused(SQLFailure(.notSupported, message))
      } catch {
        throw SchemaRefusal(error, of: name)
      }
    }
  }

  /// Adds the rows of the schema that an older version of it did not have.
  private func plantSeeds<Store: RelationStore>(_ statements: inout RowStatements<Store>) throws(SchemaRefusal) {
    for seed in schema.catalogue.seeds where old?.seeds.contains(seed) != true {
      guard let table = schema.tables[seed.table] else { continue }
      do throws(RelationFailure) {
        _ = try statements.insert(seed.rows, into: table)
      } catch {
        throw SchemaRefusal(error, of: table.name)
      }
    }
  }

  private var tables: [PreparedTable] {
    schema.tables.values.filter { $0.view == nil }.sorted { $0.name < $1.name }
  }
}

extension CatalogueTable {
  /// Whether the schema makes it, and it has rows of its own.
  fileprivate var isKept: Bool { view == nil && BuiltInTables.all[name] == nil }
}

/// Why a schema cannot be taken over.
package enum SchemaRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// Rows do not fulfil it.
  case rows(ObjectName, SQLFailure)
  /// The store failed.
  case store(StoreError)

  fileprivate init(_ failure: RelationFailure, of table: ObjectName) {
    switch failure {
    case .refused(let failure): self = .rows(table, failure)
    case .store(let error): self = .store(error)
    }
  }

  /// What is wrong.
  package var description: String {
    switch self {
    case .rows(let table, let failure): "the rows of \(table) do not fit the schema: \(failure)"
    case .store(let error): "\(error)"
    }
  }
}
