import ZoneKitExpressions
import ZoneKitRelations

extension EvaluationContext {
  /// The context with the rows of those tables in a store, for what is evaluated outside of it.
  func reading(
    _ tables: Set<RelationShape>, in store: some RelationStore
  ) throws(RelationFailure) -> EvaluationContext {
    var known: [RelationShape: [[Datum]]] = [:]
    for table in tables { known[table] = try store.rows(RowSearch(table.objectName, self)).map(\.values) }
    var own = self
    own.rows = { [known] shape throws(SQLFailure) in known[shape] ?? [] }
    return own
  }
}
