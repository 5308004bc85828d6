/// Why a message cannot be taken; the connection it came on has lost its place and must be closed.
package struct HTTPError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The status to answer a request with. A client that read a bad response sends no answer and needs the reason only.
  package let status: Int
  /// What was wrong and what would be right, in one sentence for people.
  package let reason: String

  /// Makes an error.
  package init(status: Int, reason: String) {
    self.status = status
    self.reason = reason
  }

  /// The error of a message that breaks the grammar.
  static func malformed(_ reason: String) -> HTTPError { HTTPError(status: 400, reason: reason) }

  /// The status and the reason.
  package var description: String { "\(status): \(reason)" }
}
