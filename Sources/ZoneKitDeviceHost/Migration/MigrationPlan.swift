import ZoneKitRecords
import ZoneKitSync

/// What an app says about the upload of local rows into an account (`Migration`). Local rows are those that were written while
/// nobody was signed in.
package struct MigrationPlan: Sendable {
  /// A call of a function of the server.
  package struct Question: Equatable, Sendable {
    /// The function.
    package var function: String
    /// Its argument.
    package var argument: JSON

    /// A call of that function.
    package init(function: String, argument: JSON) {
      self.function = function
      self.argument = argument
    }
  }

  /// The steps, owners before what they own.
  package var steps: [MigrationStep]
  /// The tables whose rows are counted at the end.
  package var tables: [Name]
  /// The record of the user's own person in an account.
  package var person: @Sendable (UUID) -> RecordID
  /// What the server's functions are asked at the end.
  package var questions: @Sendable (AppView) throws(StoreError) -> [Question]
  /// Compares the device's rows with the server's numbers of rows and with its answers to the questions, nil for an
  /// answer that is an error.
  package var compare: @Sendable (AppView, [Name: Int], [JSON?]) throws(StoreError) -> MigrationCheck

  /// How a migration is taken back. Throws if there is nothing to take back.
  package var rollback: @Sendable (RollbackPlan.Sight) throws(AppRefusal) -> RollbackPlan

  /// A plan with those steps and checks.
  package init(
    steps: [MigrationStep], tables: [Name], person: @escaping @Sendable (UUID) -> RecordID,
    questions: @escaping @Sendable (AppView) throws(StoreError) -> [Question],
    compare: @escaping @Sendable (AppView, [Name: Int], [JSON?]) throws(StoreError) -> MigrationCheck,
    rollback: @escaping @Sendable (RollbackPlan.Sight) throws(AppRefusal) -> RollbackPlan
  ) {
    self.steps = steps
    self.tables = tables
    self.person = person
    self.questions = questions
    self.compare = compare
    self.rollback = rollback
  }
}
