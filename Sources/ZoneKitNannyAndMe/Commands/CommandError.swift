/// A command that cannot be understood or done: what was wrong and what would be right.
package struct CommandError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The sentence for the user.
  package var message: String

  /// An error with that sentence.
  package init(_ message: String) { self.message = message }

  /// The sentence for the user.
  package var description: String { message }
}
