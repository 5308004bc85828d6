import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// A trigger with the types of its condition and steps.
struct PreparedTrigger: Sendable {
  /// What the schema says of it.
  let trigger: CatalogueTrigger
  /// The columns whose updates it waits for; none for every update.
  let columns: Set<Int>
  /// The condition about `new` and `old`; nil for all rows.
  let condition: TypedExpression?
  /// What it does; nil if a fixed answer stands for its function.
  let routine: TypedRoutine?

  /// Prepares a trigger of a table.
  init(_ trigger: CatalogueTrigger, of table: CatalogueTable, in catalogue: Catalogue) throws(ExpressionProblem) {
    self.trigger = trigger
    columns = Set(trigger.columns.compactMap { table.index(of: $0) })
    do throws(ExpressionProblem) {
      condition = try catalogue.condition(of: trigger, of: table)
      routine = try catalogue.routine(of: trigger, of: table)
    } catch {
      throw error.inside("the trigger \(trigger.name) of \(table.name)")
    }
  }

  /// Whether it waits for a write. `changed` are the columns that an update names.
  func waits(for event: CreateTrigger.Event, isBefore: Bool, changed: Set<Int>?) -> Bool {
    guard trigger.isBefore == isBefore, trigger.events.contains(event) else { return false }
    guard event == .update, !columns.isEmpty, let changed else { return true }
    return !columns.isDisjoint(with: changed)
  }
}

extension ExpressionProblem {
  /// The problem as one of a part of the schema, which was right until another statement changed what it uses.
  func inside(_ part: String) -> ExpressionProblem {
    var problem = self
    problem.failure.message = "\(part): \(failure.message)"
    return problem
  }
}
