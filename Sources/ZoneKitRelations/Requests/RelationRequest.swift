import ZoneKitRecords

/// A request for rows of the tables of a schema, as a client states it: its names are not looked up, and its values are texts
/// (PostgREST: tables and views).
package struct RelationRequest: Equatable, Sendable {
  /// What is done.
  package enum Action: Equatable, Sendable {
    /// Rows are read.
    case read
    /// Rows are added.
    case insert(RelationBody, RelationResolution?)
    /// The rows that are found get other values.
    case update(RelationBody)
    /// The rows that are found are removed.
    case delete
    /// A function is called with those arguments; whether it may only read.
    case call([JSON.Member], isReading: Bool)
  }

  /// What is done.
  package var action: Action
  /// The name of the table, or of the function.
  package var table: String
  /// Which rows are found, and what the answer has of them.
  package var reading: RelationReading
  /// The columns by which new rows are compared with those that are there; nil for the primary key.
  package var conflictColumns: [String]?
  /// Whether the answer has the rows that were written.
  package var isReturning = false
  /// Whether the answer states the number of all rows.
  package var countsRows = false
  /// Whether exactly one row is asked for. A write that finds another number of rows changes nothing.
  package var isSingle = false
  /// Whether the rows of an answer may be written as JSON by those who read them.
  package var takesJSON = false
  /// The most rows that a write may change; nil for any number.
  package var rowLimit: Int?

  /// A request to that table.
  package init(_ action: Action, _ table: String, _ reading: RelationReading = RelationReading()) {
    self.action = action
    self.table = table
    self.reading = reading
  }

  /// Whether rows may change.
  package var isWrite: Bool {
    switch action {
    case .read, .call(_, isReading: true): false
    case .insert, .update, .delete, .call: true
    }
  }
}

/// What is done with a new row that is there already.
package enum RelationResolution: Hashable, Sendable {
  /// It is left out.
  case ignores
  /// The row that is there gets its values.
  case merges
}

/// The rows of a write.
package struct RelationBody: Equatable, Sendable {
  /// The rows, each an object.
  package var rows: [[JSON.Member]]
  /// The columns that the rows have.
  package var columns: [String]
  /// Whether a column that a row lacks gets its default, and not null.
  package var fillsDefaults: Bool

  /// Rows with those columns.
  package init(_ rows: [[JSON.Member]], columns: [String], fillsDefaults: Bool = false) {
    self.rows = rows
    self.columns = columns
    self.fillsDefaults = fillsDefaults
  }
}
