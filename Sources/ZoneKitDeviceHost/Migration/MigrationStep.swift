import ZoneKitRecords

/// A step of a migration: the upload of rows of one table.
package struct MigrationStep: Hashable, Sendable {
  /// The rows of a step.
  package enum Rows: Hashable, Sendable {
    /// All of the table.
    case all
    /// The user's own person.
    case me
    /// All but the user's own person.
    case others
  }

  /// The table.
  package let table: Name
  /// Which of its rows.
  package let rows: Rows
  /// What the user reads while the step goes on.
  package let text: String
  /// The key of the number of its rows.
  package let countKey: String

  /// A step for rows of a table.
  package init(_ table: Name, _ text: String, _ countKey: String, rows: Rows = .all) {
    self.table = table
    self.rows = rows
    self.text = text
    self.countKey = countKey
  }
}
