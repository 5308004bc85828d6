/// Why a scenario cannot be read: where it went wrong, what stood there, and what would be right.
package struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  package var line: Int
  /// The column in characters, from 1.
  package var column: Int
  /// What stood there and what was expected.
  package var message: String

  /// An error at that place.
  package init(line: Int, column: Int, _ message: String) {
    self.line = line
    self.column = column
    self.message = message
  }

  /// The place and the message.
  package var description: String { "line \(line), column \(column): \(message)" }
}
