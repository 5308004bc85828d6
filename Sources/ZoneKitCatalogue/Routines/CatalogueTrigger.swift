import ZoneKitRelations
import ZoneKitSchema

/// A trigger of a table.
package struct CatalogueTrigger: Equatable, Sendable {
  /// The trigger's name. Triggers fire in the order of their names.
  package var name: String
  /// Whether it fires before the row is written; otherwise at the end of the statement.
  package var isBefore: Bool
  /// What it waits for.
  package var events: [CreateTrigger.Event]
  /// The columns whose updates it waits for; none for every update.
  package var columns: [String]
  /// The condition for rows; nil for all.
  package var condition: SQLExpression?
  /// The function that it calls.
  package var function: ObjectName
  /// What the function is given.
  package var arguments: [String]

  /// The function of the extension `moddatetime`, which sets the column that it is given to the time.
  static let moddatetime = "moddatetime"
}
