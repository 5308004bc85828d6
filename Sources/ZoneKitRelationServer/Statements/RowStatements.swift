import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations

/// Statements that change rows, with all that the schema demands of them, as PostgreSQL does it.
///
/// A statement that throws has changed some of the rows already: it stands between `begin` and `end` of the store.
package struct RowStatements<Store: RelationStore> {
  /// The tables.
  package let schema: PreparedSchema
  /// The rows.
  package var store: Store
  /// Who asks, and when. Its rows of other tables are those of the store.
  package private(set) var context: EvaluationContext
  /// The changes so far, in their order, with those that references caused.
  package private(set) var changes: [RelationChange] = []
  private(set) var security: RowSecurity
  /// How deeply functions call each other.
  var routineDepth = 0
  /// How many steps functions have done.
  var routineSteps = 0

  /// Statements of the context's role.
  package init(_ schema: PreparedSchema, on store: Store, _ context: EvaluationContext) {
    (self.schema, self.store, self.context) = (schema, store, context)
    security = RowSecurity(schema, role: context.role)
  }

  /// Forgets the changes behind so many, which were undone.
  mutating func forgetChanges(behind count: Int) { changes.removeSubrange(count...) }

  /// Goes on as another role.
  mutating func actAs(_ role: String) {
    guard role != context.role else { return }
    context.role = role
    security = RowSecurity(schema, role: role)
  }

  /// Does writes, which are undone unless they succeed. Throws if the store cannot begin or end them.
  mutating func undoing<Value, Failure>(
    _ body: (inout Self) -> Result<Value, Failure>
  ) throws(StoreError) -> Result<Value, Failure> {
    try store.begin()
    let result = body(&self)
    if case .success = result { try store.end(keeping: true) } else { try store.end(keeping: false) }
    return result
  }

  // MARK: Reading

  /// Whether a condition holds for a row that need not be stored.
  func holds(_ condition: TypedExpression, for row: [Datum]) throws(RelationFailure) -> Bool {
    do throws(SQLFailure) {
      guard condition.hasQuery else { return try condition.isTrue(of: row, context) }
      let constant = try condition.mapped(
        column: { place, depth in place.level == depth ? .constant(row[place.column]) : .column(place) })
      return try holds(constant)
    } catch {
      throw .refused(error)
    }
  }

  private func holds(_ constant: TypedExpression) throws(SQLFailure) -> Bool {
    do throws(RelationFailure) {
      return try store.holds(constant, context)
    } catch {
      throw SQLFailure(error)
    }
  }

  /// The value of an expression without a row.
  func value(_ expression: TypedExpression) throws(RelationFailure) -> Datum {
    do throws(SQLFailure) {
      return try expression.value(context)
    } catch {
      throw .refused(error)
    }
  }

  /// A row whose columns have those values; nil if there is none.
  func row(of table: ObjectName, with columns: [Int], _ values: [Datum]) throws(RelationFailure) -> StoredRow? {
    guard let table = schema.tables[table] else { return nil }
    var search = RowSearch(table.name, where: table.condition(columns, values), context)
    search.limit = 1
    return try store.rows(search).first
  }

  // MARK: Writing

  mutating func insert(_ values: [Datum], into table: PreparedTable) throws(RelationFailure) -> StoredRow {
    do throws(StoreError) {
      let row = StoredRow(try store.insert(values, into: table.name), values)
      changes.append(RelationChange(table: table.name, old: nil, new: row))
      return row
    } catch {
      throw .store(error)
    }
  }

  mutating func replace(_ old: StoredRow, with values: [Datum], in table: PreparedTable) throws(RelationFailure)
    -> StoredRow
  {
    do throws(StoreError) {
      let row = StoredRow(old.number, values)
      try store.update(row, in: table.name)
      changes.append(RelationChange(table: table.name, old: old, new: row))
      return row
    } catch {
      throw .store(error)
    }
  }

  /// Gives a row other values without a change that anybody is told of.
  mutating func set(_ values: [Datum], of row: StoredRow, in table: PreparedTable) throws(RelationFailure) {
    do throws(StoreError) {
      try store.update(StoredRow(row.number, values), in: table.name)
    } catch {
      throw .store(error)
    }
  }

  mutating func remove(_ old: StoredRow, from table: PreparedTable) throws(RelationFailure) {
    do throws(StoreError) {
      try store.delete(old.number, from: table.name)
      changes.append(RelationChange(table: table.name, old: old, new: nil))
    } catch {
      throw .store(error)
    }
  }
}

/// A change of a row.
package struct RelationChange: Equatable, Sendable {
  /// The table.
  package var table: ObjectName
  /// The row before; nil if it is new.
  package var old: StoredRow?
  /// The row after; nil if it is deleted.
  package var new: StoredRow?
}

extension TypedExpression {
  /// Whether a part of it reads a table.
  var hasQuery: Bool { query != nil || parts.contains(where: \.hasQuery) }

  fileprivate func value(_ context: EvaluationContext) throws(SQLFailure) -> Datum { try value(of: [], context) }
}
