/// Why an app does not do what it was asked for.
package struct AppRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong and what would be right.
  package let description: String

  /// A refusal with that sentence.
  package init(_ description: String) { self.description = description }
}
