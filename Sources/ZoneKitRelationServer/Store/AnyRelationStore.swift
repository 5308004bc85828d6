import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations

/// A store of any kind.
package struct AnyRelationStore: RelationStore {
  private var base: any RelationStore

  /// That store.
  package init(_ base: any RelationStore) { self.base = base }

  /// See `RelationStore`.
  package mutating func define(_ tables: [TableLayout]) throws(StoreError) { try base.define(tables) }

  /// See `RelationStore`.
  package mutating func drop(_ table: ObjectName) throws(StoreError) { try base.drop(table) }

  /// See `RelationStore`.
  package func rows(_ search: RowSearch) throws(RelationFailure) -> [StoredRow] { try base.rows(search) }

  /// See `RelationStore`.
  package func json(_ search: RowSearch, _ members: [WrittenMember]) throws(RelationFailure) -> WrittenRows {
    try base.json(search, members)
  }

  /// See `RelationStore`.
  package func count(_ search: RowSearch) throws(RelationFailure) -> Int { try base.count(search) }

  /// See `RelationStore`.
  package func holds(_ condition: TypedExpression, _ context: EvaluationContext) throws(RelationFailure) -> Bool {
    try base.holds(condition, context)
  }

  /// See `RelationStore`.
  package mutating func nextNumber(of column: String, in table: ObjectName) throws(StoreError) -> Int64 {
    try base.nextNumber(of: column, in: table)
  }

  /// See `RelationStore`.
  package mutating func insert(_ values: [Datum], into table: ObjectName) throws(StoreError) -> Int64 {
    try base.insert(values, into: table)
  }

  /// See `RelationStore`.
  package mutating func update(_ row: StoredRow, in table: ObjectName) throws(StoreError) {
    try base.update(row, in: table)
  }

  /// See `RelationStore`.
  package mutating func delete(_ number: Int64, from table: ObjectName) throws(StoreError) {
    try base.delete(number, from: table)
  }

  /// See `RelationStore`.
  package mutating func begin() throws(StoreError) { try base.begin() }

  /// See `RelationStore`.
  package mutating func end(keeping isKept: Bool) throws(StoreError) { try base.end(keeping: isKept) }

  /// See `RelationStore`.
  package mutating func commit() -> StoreError? { base.commit() }

  /// See `RelationStore`.
  package mutating func discard() { base.discard() }

  /// See `RelationStore`.
  package mutating func close() { base.close() }
}
