/// Why a story cannot be told as a scenario: what has no sentence.
package struct RetellingError: Error, Hashable, CustomStringConvertible {
  /// What it is, and why it cannot be said.
  package let description: String

  init(_ description: String) { self.description = description }
}
