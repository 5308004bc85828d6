/// A syntax error of a scenario: its place, the text found there and the text expected there.
package struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line number, from 1.
  package var line: Int
  /// The column in characters, from 1.
  package var column: Int
  /// The text found and the text expected.
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
