/// The reason why a message is refused. The rest of its connection cannot be read any more, so it must be closed.
package struct HTTPError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The status of the answer to a bad request. For a bad response it has no meaning.
  package let status: Int
  /// What is wrong and what would be right, as one sentence.
  package let reason: String

  /// An error with that status and reason.
  package init(status: Int, reason: String) {
    self.status = status
    self.reason = reason
  }

  /// The error for a message that violates the grammar.
  static func malformed(_ reason: String) -> HTTPError { HTTPError(status: 400, reason: reason) }

  /// The status and the reason.
  package var description: String { "\(status): \(reason)" }
}
