/// The error of a command or a file that an app refuses.
package struct AppRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong and what would be right.
  package let description: String

  /// A refusal with that sentence.
  package init(_ description: String) { self.description = description }
}
