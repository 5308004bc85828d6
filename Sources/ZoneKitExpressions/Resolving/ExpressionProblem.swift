import ZoneKitRelations
import ZoneKitSchema

/// Why an expression cannot be served, and where in its text.
package struct ExpressionProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, in PostgreSQL's words where it has any.
  package var failure: SQLFailure
  /// Where it is written.
  package var offset: SourceOffset

  /// A problem at that place.
  package init(_ failure: SQLFailure, at offset: SourceOffset) {
    self.failure = failure
    self.offset = offset
  }

  /// A problem with that code and message.
  init(_ code: SQLFailure.Code, _ message: String, at offset: SourceOffset, hint: String? = nil) {
    self.init(SQLFailure(code, message, hint: hint), at: offset)
  }

  /// The message.
  package var description: String { failure.description }
}

extension SQLFailure.Code {
  /// A column does not exist.
  package static let unknownColumn = SQLFailure.Code(rawValue: "42703")
  /// A column could be that of several tables.
  package static let ambiguousColumn = SQLFailure.Code(rawValue: "42702")
  /// A function or operator does not exist for the types of its values.
  package static let unknownFunction = SQLFailure.Code(rawValue: "42883")
  /// A function or operator exists for several types that the values could have.
  package static let ambiguousFunction = SQLFailure.Code(rawValue: "42725")
  /// A table does not exist.
  package static let unknownTable = SQLFailure.Code(rawValue: "42P01")
  /// Two tables of a query have the same name.
  package static let duplicateAlias = SQLFailure.Code(rawValue: "42712")
  /// A value has a type that cannot be used there.
  package static let typeMismatch = SQLFailure.Code(rawValue: "42804")
  /// A type cannot be converted to another one.
  package static let cannotCoerce = SQLFailure.Code(rawValue: "42846")
  /// A type does not exist, or another object.
  package static let unknownObject = SQLFailure.Code(rawValue: "42704")
  /// An operator cannot be used with `any` or `all`.
  package static let wrongObject = SQLFailure.Code(rawValue: "42809")
  /// The type of a value cannot be told.
  package static let unknownType = SQLFailure.Code(rawValue: "42P18")
  /// PostgreSQL does it, but it is not done here.
  package static let notSupported = SQLFailure.Code(rawValue: "0A000")
  /// A span of time is too long.
  package static let intervalOutOfRange = SQLFailure.Code(rawValue: "22015")
  /// A query for one value has found several.
  package static let severalRows = SQLFailure.Code(rawValue: "21000")
  /// A pattern ends with a backslash.
  package static let invalidEscape = SQLFailure.Code(rawValue: "22025")
  /// A text is no regular expression.
  package static let invalidPattern = SQLFailure.Code(rawValue: "2201B")
  /// The limit of a query is below zero.
  package static let invalidLimit = SQLFailure.Code(rawValue: "2201W")
  /// A length is below zero.
  package static let invalidSubstring = SQLFailure.Code(rawValue: "22011")
  /// An array has a form that a function does not take.
  package static let invalidArray = SQLFailure.Code(rawValue: "2202E")
  /// A null where a value is needed.
  package static let nullNotAllowed = SQLFailure.Code(rawValue: "22004")
  /// Something is more than the server does at once.
  package static let programLimit = SQLFailure.Code(rawValue: "54000")
}
