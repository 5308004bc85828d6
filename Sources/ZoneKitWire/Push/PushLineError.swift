/// Why a line of the push socket, or a payload given by hand, has no meaning: what was found and what would be right.
package struct PushLineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence for people.
  package var message: String

  /// An error with that sentence.
  package init(_ message: String) { self.message = message }

  /// The sentence.
  package var description: String { message }
}
