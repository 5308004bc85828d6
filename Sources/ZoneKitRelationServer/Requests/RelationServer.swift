import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSchema
import ZoneKitTables

/// Carries out requests for the tables of a schema, as PostgREST and PostgreSQL do.
///
/// What a request changes is in the store at once, and kept with the store's next commit. A refused request changes nothing.
package struct RelationServer<Store: RelationStore> {
  /// What a request led to.
  package struct Outcome {
    /// What the answer has, or why it is refused.
    package var result: Result<RelationResult, RowError>
    /// The changes that were made, in their order.
    package var changes: [RelationChange] = []
  }

  /// The tables.
  package let schema: PreparedSchema
  /// The rows.
  package var store: Store

  /// A server of those tables, which the store has to have.
  package init(_ schema: PreparedSchema, on store: Store) {
    (self.schema, self.store) = (schema, store)
  }

  /// A request arrived. The context tells who sends it, and when.
  package mutating func carryOut(_ request: RelationRequest, _ context: EvaluationContext) -> Outcome {
    do throws(RowError) {
      if case .call(let arguments, let isReading) = request.action {
        return try call(request.table, arguments, isReading: isReading, request, context)
      }
      let name = ObjectName(ObjectName.usualSchema, request.table)
      guard let table = schema.tables[name] else {
        let known = schema.tables.keys.filter { $0.schema == name.schema }.map(\.name).sorted()
        throw .unknownTable(request.table, nearest: NearMiss.guess(for: request.table, among: known))
      }
      let run = RelationRun(schema, request, table, context)
      guard request.isWrite else { return Outcome(result: .success(try run.read(store))) }
      return try write(run)
    } catch {
      return Outcome(result: .failure(error))
    }
  }

  private mutating func write(_ run: RelationRun) throws(RowError) -> Outcome {
    var statements = RowStatements(schema, on: store, run.context)
    defer { store = statements.store }
    do throws(StoreError) {
      let result = try statements.undoing { run.written(&$0) }
      if case .failure = result { return Outcome(result: result) }
      return Outcome(result: result, changes: statements.changes)
    } catch {
      throw RowError(RelationFailure.store(error), isSignedIn: run.isSignedIn)
    }
  }
}
