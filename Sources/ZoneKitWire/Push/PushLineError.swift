/// An error in a line of the push socket or in a payload given by hand: what was found and what would be right.
package struct PushLineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error as one sentence.
  package var message: String

  /// An error with that sentence.
  package init(_ message: String) { self.message = message }

  /// The sentence.
  package var description: String { message }
}
