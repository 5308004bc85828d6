import ZoneKitRecords

/// Why a request for rows is refused. The codes are those of PostgREST and PostgreSQL, on which clients rely.
package struct RowError: Error, Hashable, Sendable {
  /// The kind of an error.
  package enum Kind: Hashable, Sendable, CaseIterable {
    /// A filter, an order or a selection cannot be read.
    case unreadableQuery
    /// The body is no JSON, or has not the form of rows.
    case unreadableBody
    /// The offset is beyond the last row.
    case offsetBeyondEnd
    /// Another profile than `public` is named.
    case unknownProfile
    /// None of the media types is known.
    case unknownMediaType
    /// The request method is not supported.
    case unsupportedMethod
    /// One row is asked for, and there is another number of them.
    case notOneRow
    /// A preference is unknown and the request asks for strict handling.
    case invalidPreference
    /// More rows than the stated most would be changed.
    case tooManyRows
    /// There is no such function.
    case unknownFunction
    /// The body names a column that the table does not have.
    case unknownColumnOfBody
    /// There is no such table.
    case unknownTable
    /// A filter, an order or a selection names a column that the table does not have.
    case unknownColumn
    /// A value is not of its column's type.
    case invalidValue
    /// A text is not a time.
    case invalidTime
    /// A number is out of the range of its column.
    case outOfRange
    /// A text has the character U+0000.
    case nullCharacter
    /// A truth test of a column that is not Boolean.
    case notBoolean
    /// An operator that values of the column's type do not have.
    case undefinedOperator
    /// A required column has no value.
    case missingValue
    /// A row refers to one that does not exist, or is referred to.
    case brokenReference
    /// The key is taken.
    case duplicateKey
    /// The columns of a conflict are no key.
    case noSuchKey
    /// The caller may not see or write the row.
    case notAllowed
    /// Nobody is signed in.
    case notSignedIn
    /// A change without any filter.
    case missingFilter
    /// A merge names a row twice.
    case rowTwice
    /// A key column would change.
    case keyChanged
    /// A row is too large.
    case rowTooLarge
    /// The request would change or read too much.
    case tooMuchWork
    /// The token expired.
    case expiredToken
    /// The token is not valid.
    case invalidToken
    /// The store cannot be read or written.
    case storeFailed
    /// A defect of the server, or a part that is not served.
    case notServed

    /// The code in the answer.
    package var code: String { Self.table[self]?.code ?? "XX000" }
    /// The status of the answer.
    package var status: Int { Self.table[self]?.status ?? 500 }

    private static let table: [Kind: (code: String, status: Int)] = [
      .unreadableQuery: ("PGRST100", 400), .unreadableBody: ("PGRST102", 400), .offsetBeyondEnd: ("PGRST103", 416),
      .unknownProfile: ("PGRST106", 406), .unknownMediaType: ("PGRST107", 406), .notOneRow: ("PGRST116", 406),
      .unsupportedMethod: ("PGRST117", 405), .invalidPreference: ("PGRST122", 400), .tooManyRows: ("PGRST124", 400),
      .unknownFunction: ("PGRST202", 404), .unknownColumnOfBody: ("PGRST204", 400), .unknownTable: ("PGRST205", 404),
      .unknownColumn: ("42703", 400), .invalidValue: ("22P02", 400), .invalidTime: ("22007", 400),
      .outOfRange: ("22003", 400), .nullCharacter: ("22P05", 400), .notBoolean: ("42804", 400),
      .undefinedOperator: ("42883", 404), .missingValue: ("23502", 400), .brokenReference: ("23503", 409),
      .duplicateKey: ("23505", 409), .noSuchKey: ("42P10", 400), .notAllowed: ("42501", 403),
      .notSignedIn: ("42501", 401), .missingFilter: ("21000", 400), .rowTwice: ("21000", 500),
      .keyChanged: ("0A000", 400), .rowTooLarge: ("54000", 400), .tooMuchWork: ("54000", 400),
      .expiredToken: ("PGRST303", 401),
      .invalidToken: ("PGRST301", 401), .storeFailed: ("53100", 503), .notServed: ("XX000", 501),
    ]
  }

  /// The kind, which determines code and status.
  package var kind: Kind
  /// A sentence for people.
  package var message: String
  /// More about the case; nil for nothing.
  package var details: String?
  /// What to do; nil for nothing.
  package var hint: String?
  /// The number of all rows, for an offset beyond the last one.
  package var rowCount: Int?
  /// The state of the feed of the caller's rows; nil if it is unknown or if the caller has none.
  package var feed: RowFeed?
  /// The answer that a fault gives, whose status and code may be others than those of any kind; nil for a real error.
  package var refusal: ServiceRefusal?

  /// An error with those texts.
  package init(_ kind: Kind, _ message: String, details: String? = nil, hint: String? = nil) {
    self.kind = kind
    self.message = message
    self.details = details
    self.hint = hint
  }

  /// The error that a fault causes.
  package init(_ refusal: ServiceRefusal) {
    let kind = Kind.allCases.first { $0.code == refusal.code && $0.status == refusal.status }
    self.init(kind ?? .notServed, refusal.message)
    self.refusal = refusal
  }

  /// An error with another code of PostgREST than those of kinds.
  package init(_ status: Int, _ code: String, _ message: String, details: String? = nil, hint: String? = nil) {
    self.init(ServiceRefusal(status, code: code, message))
    (self.details, self.hint) = (details, hint)
  }

  /// The time after which a client may repeat a request that the store could not carry out, in seconds.
  private static let storePause = 2

  /// The code in the answer.
  package var code: String { refusal?.code ?? kind.code }
  /// The status of the answer.
  package var status: Int { refusal?.status ?? kind.status }
  /// The time in seconds after which the client may ask again; nil for none. With 503 there always is one.
  package var retryAfter: Int? { refusal?.retryAfter ?? (status == 503 ? Self.storePause : nil) }
}

extension RowError {
  /// The error for a value that is not of that type.
  package static func invalid(_ text: String, as type: ColumnType) -> RowError {
    switch type {
    case .timestamp: RowError(.invalidTime, "invalid input syntax for type timestamp with time zone: \"\(text)\"")
    case .uuid: RowError(.invalidValue, "invalid input syntax for type uuid: \"\(text)\"")
    case .bool: RowError(.invalidValue, "invalid input syntax for type boolean: \"\(text)\"")
    case .float8: RowError(.invalidValue, "invalid input syntax for type double precision: \"\(text)\"")
    case .int4: RowError(.invalidValue, "invalid input syntax for type integer: \"\(text)\"")
    case .text:
      RowError(.nullCharacter, "unsupported Unicode escape sequence", details: "\\u0000 is no character of a text.")
    }
  }

  /// The error for a required column without a value.
  package static func missing(_ column: Name, of table: Name) -> RowError {
    RowError(
      .missingValue, "null value in column \"\(column)\" of relation \"\(table)\" violates not-null constraint")
  }

  /// The error for a column in a filter, an order or a selection.
  package static func unknownColumn(_ column: Name, of table: Name) -> RowError {
    RowError(.unknownColumn, "column \(table).\(column) does not exist")
  }

  /// The error for a row that belongs to another account.
  package static func foreignRow(of table: Name, isHidden: Bool = false) -> RowError {
    let rule = isHidden ? "violates row-level security policy (USING expression)" : "violates row-level security policy"
    return RowError(.notAllowed, "new row \(rule) for table \"\(table)\"")
  }

  /// The error for a key that is taken. `key` has the columns and values as in `(id)=(…)`.
  package static func duplicate(_ key: String, in table: Name) -> RowError {
    RowError(
      .duplicateKey, "duplicate key value violates unique constraint \"\(table)_pkey\"",
      details: "Key \(key) already exists.")
  }

  /// The error for a reference to a row that does not exist.
  package static func noTarget(_ column: Name, _ key: String, of table: Name, in target: Name) -> RowError {
    RowError(
      .brokenReference,
      "insert or update on table \"\(table)\" violates foreign key constraint \"\(table)_\(column)_fkey\"",
      details: "Key (\(column))=(\(key)) is not present in table \"\(target)\".")
  }

  /// The error for the removal of a row to which another one refers.
  package static func stillReferred(_ key: String, of table: Name, by referrer: Name, _ column: Name) -> RowError {
    RowError(
      .brokenReference,
      "update or delete on table \"\(table)\" violates foreign key constraint \"\(referrer)_\(column)_fkey\" "
        + "on table \"\(referrer)\"",
      details: "Key (id)=(\(key)) is still referenced from table \"\(referrer)\".")
  }

  /// The error for an offset behind the last one of that many rows.
  package static func beyondEnd(offset: Int, count: Int) -> RowError {
    var error = RowError(
      .offsetBeyondEnd, "Requested range not satisfiable",
      details: "An offset of \(offset) was requested, but there are only \(count) rows.")
    error.rowCount = count
    return error
  }

  /// The error for a request that would change more rows than a request may.
  package static func tooManyChanges(of table: Name, limit: Int) -> RowError {
    RowError(
      .tooMuchWork, "the request would change more than \(limit) rows",
      details: "It changes rows of table \"\(table)\", and those that are deleted or restored with them.",
      hint: "Change fewer rows in one request, for example with a narrower filter.")
  }

  /// The error for a table that does not exist.
  package static func unknownTable(_ table: Name) -> RowError {
    RowError(.unknownTable, "Could not find the table 'public.\(table)' in the schema cache")
  }

  /// The error for a function that does not exist.
  package static func unknownFunction(_ name: String) -> RowError {
    RowError(.unknownFunction, "Could not find the function public.\(name) in the schema cache")
  }

  /// The error for a condition or an order that is about related rows that the selection does not have.
  package static func notEmbedded(_ name: String) -> RowError {
    RowError(
      400, "PGRST108", "'\(name)' is not an embedded resource in this request",
      hint: "Verify that '\(name)' is included in the 'select' query parameter.")
  }

  /// The error for a request for one row that finds another number of them. Clients read exactly these words.
  package static func notOne(_ count: Int) -> RowError {
    RowError(
      .notOneRow, "Cannot coerce the result to a single JSON object", details: "The result contains \(count) rows")
  }
}
