/// What columns refer to, and what is done with a row when the row that it refers to changes.
package struct TableReference: Equatable, Sendable {
  /// What is done with a row whose referred row goes or gets another key. The raw value is how it is written.
  package enum Action: String, Equatable, Sendable, CaseIterable {
    case noAction = "NO ACTION"
    case restrict = "RESTRICT"
    case cascade = "CASCADE"
    case setNull = "SET NULL"
    case setDefault = "SET DEFAULT"
  }

  /// The table that is referred to.
  package var table: SQLName
  /// Its columns; none stands for its key.
  package var columns: [String]
  /// What is done when the row there is deleted.
  package var onDelete: Action
  /// What is done when the key there changes.
  package var onUpdate: Action
  /// Whether a transaction may let the check wait for its end. It does not unless it says so.
  package var isDeferrable: Bool

  /// A reference to those columns.
  package init(
    _ table: SQLName, _ columns: [String] = [], onDelete: Action = .noAction, onUpdate: Action = .noAction,
    isDeferrable: Bool = false
  ) {
    self.table = table
    self.columns = columns
    self.onDelete = onDelete
    self.onUpdate = onUpdate
    self.isDeferrable = isDeferrable
  }
}
