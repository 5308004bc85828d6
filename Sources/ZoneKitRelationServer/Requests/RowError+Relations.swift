import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

extension RowError {
  /// The error of a client whose statement PostgreSQL refuses. The status is that of PostgREST for its code.
  package init(_ failure: SQLFailure, isSignedIn: Bool = true) {
    let status = failure.code == .notAllowed && !isSignedIn ? 401 : Self.status(of: failure)
    self.init(ServiceRefusal(status, code: failure.code.rawValue, failure.message))
    (details, hint) = (failure.detail, failure.hint)
  }

  /// PostgREST's status for an error of PostgreSQL (PostgREST: HTTP status codes).
  private static func status(of failure: SQLFailure) -> Int {
    let code = failure.code.rawValue
    switch code {
    case "23503", "23505": return 409
    case "42501": return 403
    case "42883", "42P01": return 404
    case "42P17": return 500
    case "25006": return 405
    case "53400": return 500
    case "21000": return failure.message.hasSuffix("WHERE clause") ? 400 : 500
    default: break
    }
    switch code.prefix(2) {
    case "08", "53": return 503
    case "54": return 413
    case "09", "25", "2D", "38", "39", "3B", "40", "55", "57", "58", "F0", "HV", "XX": return 500
    case "0L", "0P", "28": return 403
    default: return 400
    }
  }

  /// The error of a read that failed.
  init(_ failure: RelationFailure, isSignedIn: Bool) {
    switch failure {
    case .refused(let failure) where failure.code == .storeFailed: self.init(.storeFailed, failure.message)
    case .refused(let failure): self.init(failure, isSignedIn: isSignedIn)
    case .store(let error): self.init(.storeFailed, "the rows cannot be read or written: \(error)")
    }
  }

  /// The error of an expression.
  init(_ problem: ExpressionProblem) { self.init(problem.failure) }

  // MARK: Names

  /// There is no such table.
  static func unknownTable(_ name: String, nearest: String?) -> RowError {
    RowError(
      404, "PGRST205", "Could not find the table 'public.\(name)' in the schema cache",
      hint: nearest.map { "Perhaps you meant the table 'public.\($0)'" })
  }

  /// A body or a list of columns names a column that the table does not have.
  static func unknownColumn(ofBody column: String, _ table: String) -> RowError {
    RowError(400, "PGRST204", "Could not find the '\(column)' column of '\(table)' in the schema cache")
  }

  /// No reference joins two tables.
  static func noRelationship(_ origin: String, _ target: String, hint: String?, nearest: String?) -> RowError {
    let using = hint.map { " using the hint '\($0)'" } ?? ""
    return RowError(
      400, "PGRST200", "Could not find a relationship between '\(origin)' and '\(target)' in the schema cache",
      details: "Searched for a foreign key relationship between '\(origin)' and '\(target)'\(using) in the schema "
        + "'public', but no matches were found.",
      hint: nearest.map { "Perhaps you meant '\($0)' instead of '\(target)'." })
  }

  /// Several references join two tables. Each form names one of them.
  static func severalRelationships(
    _ origin: String, _ target: String, details: [String], forms: [String]
  ) -> RowError {
    let list = forms.map { "'\($0)'" }.joined(separator: ", ")
    return RowError(
      300, "PGRST201", "Could not embed because more than one relationship was found for '\(origin)' and '\(target)'",
      details: details.joined(separator: "; "),
      hint:
        "Try changing '\(target)' to one of the following: \(list). Find the desired relationship in the 'details' key."
    )
  }

  /// Related rows are several, where one is needed.
  static func notToOne(_ origin: String, _ name: String, code: String, _ message: String) -> RowError {
    RowError(
      400, code, message,
      details: "'\(origin)' and '\(name)' do not form a many-to-one or one-to-one relationship")
  }

  /// The role may not do that with a table.
  static func noPrivilege(_ table: String, isSignedIn: Bool) -> RowError {
    RowError(SQLFailure(.notAllowed, "permission denied for table \(table)"), isSignedIn: isSignedIn)
  }

  // MARK: Amounts

  /// A write with strict handling would change more rows than it states.
  static func tooManyRows(_ count: Int) -> RowError {
    RowError(
      400, "PGRST124", "Query result exceeds max-affected preference constraint",
      details: "The query affects \(count) rows")
  }
}
