/// The reason why a record's fields are not a valid profile or action.
package struct RefusedRecord: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence with what is wrong and what would be right.
  package var reason: String

  /// A refusal for that reason.
  package init(_ reason: String) { self.reason = reason }

  /// The reason.
  package var description: String { reason }
}
