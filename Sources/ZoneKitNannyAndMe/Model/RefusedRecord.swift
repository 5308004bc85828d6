/// Why a record's fields do not make a profile or an action.
package struct RefusedRecord: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong and what would be right, in a sentence.
  package var reason: String

  /// A refusal for that reason.
  package init(_ reason: String) { self.reason = reason }

  /// The reason.
  package var description: String { reason }
}
