import ZoneKitRelations

/// What PostgreSQL says of rows that cannot be written.
extension SQLFailure {
  /// A column must have a value.
  static func nullValue(_ column: String, _ table: String, _ row: String?) -> SQLFailure {
    SQLFailure(
      .notNullViolation, "null value in column \"\(column)\" of relation \"\(table)\" violates not-null constraint",
      detail: row.map { "Failing row contains (\($0))." })
  }

  /// A condition is false.
  static func brokenCheck(_ name: String, _ table: String, _ row: String?) -> SQLFailure {
    SQLFailure(
      .checkViolation, "new row for relation \"\(table)\" violates check constraint \"\(name)\"",
      detail: row.map { "Failing row contains (\($0))." })
  }

  /// A row with the same key is there.
  static func sameKey(_ name: String, _ key: String?) -> SQLFailure {
    SQLFailure(
      .uniqueViolation, "duplicate key value violates unique constraint \"\(name)\"",
      detail: key.map { "Key \($0) already exists." })
  }

  /// A row refers to one that is not there.
  static func missingRow(_ name: String, child: String, parent: String, _ key: String?) -> SQLFailure {
    SQLFailure(
      .foreignKeyViolation, "insert or update on table \"\(child)\" violates foreign key constraint \"\(name)\"",
      detail: "Key \(key.map { "\($0) " } ?? "")is not present in table \"\(parent)\".")
  }

  /// Other rows refer to a row that goes or gets another key.
  static func stillReferenced(_ name: String, child: String, parent: String, _ key: String?) -> SQLFailure {
    SQLFailure(
      .foreignKeyViolation,
      "update or delete on table \"\(parent)\" violates foreign key constraint \"\(name)\" on table \"\(child)\"",
      detail: "Key \(key.map { "\($0) " } ?? "")is still referenced from table \"\(child)\".")
  }

  /// No policy allows the row; `isUsing` if it is one that is there.
  static func forbiddenRow(_ table: String, isUsing: Bool) -> SQLFailure {
    SQLFailure(
      .notAllowed,
      "new row violates row-level security policy \(isUsing ? "(USING expression) " : "")for table \"\(table)\"")
  }

  /// The server alone gives the column numbers.
  static func numberGiven(_ column: String) -> SQLFailure {
    SQLFailure(
      .generatedAlways, "cannot insert a non-DEFAULT value into column \"\(column)\"",
      detail: "Column \"\(column)\" is an identity column defined as GENERATED ALWAYS.",
      hint: "Use OVERRIDING SYSTEM VALUE to override.")
  }

  /// The value of the column is computed.
  static func valueGiven(_ column: String) -> SQLFailure {
    SQLFailure(
      .generatedAlways, "cannot insert a non-DEFAULT value into column \"\(column)\"",
      detail: "Column \"\(column)\" is a generated column.")
  }

  /// The value of the column is computed.
  static func computedChanged(_ column: String) -> SQLFailure {
    SQLFailure(
      .generatedAlways, "column \"\(column)\" can only be updated to DEFAULT",
      detail: "Column \"\(column)\" is a generated column.")
  }

  /// The server alone gives the column numbers.
  static func numberChanged(_ column: String) -> SQLFailure {
    SQLFailure(
      .generatedAlways, "column \"\(column)\" can only be updated to DEFAULT",
      detail: "Column \"\(column)\" is an identity column defined as GENERATED ALWAYS.")
  }

  /// All numbers of a column are used up.
  static func sequenceEnded(_ table: String, _ column: String, _ limit: Int64) -> SQLFailure {
    SQLFailure(
      .sequenceLimit, "nextval: reached maximum value of sequence \"\(table)_\(column)_seq\" (\(limit))")
  }

  /// Two new rows of one statement have the same key.
  static let secondConflict = SQLFailure(
    .cardinalityViolation, "ON CONFLICT DO UPDATE command cannot affect row a second time",
    hint: "Ensure that no rows proposed for insertion within the same command have duplicate constrained values.")

  /// No key has just the columns that a statement names.
  static let noSuchKey = SQLFailure(
    .invalidReference, "there is no unique or exclusion constraint matching the ON CONFLICT specification")
}

extension SQLFailure.Code {
  /// A null where a value is needed.
  package static let notNullViolation = SQLFailure.Code(rawValue: "23502")
  /// A reference to a row that is not there.
  package static let foreignKeyViolation = SQLFailure.Code(rawValue: "23503")
  /// A key that is there already.
  package static let uniqueViolation = SQLFailure.Code(rawValue: "23505")
  /// A condition that is false.
  package static let checkViolation = SQLFailure.Code(rawValue: "23514")
  /// The role may not do it.
  package static let notAllowed = SQLFailure.Code(rawValue: "42501")
  /// A value for a column that the server fills.
  package static let generatedAlways = SQLFailure.Code(rawValue: "428C9")
  /// A sequence has no further number.
  package static let sequenceLimit = SQLFailure.Code(rawValue: "2200H")
  /// A statement would change a row twice.
  package static let cardinalityViolation = SQLFailure.Code(rawValue: "21000")
  /// A name stands for nothing that fits.
  package static let invalidReference = SQLFailure.Code(rawValue: "42P10")
  /// The store cannot be read.
  package static let storeFailed = SQLFailure.Code(rawValue: "58030")
}
