/// The error of a command or a file that an app refuses.
package struct AppRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong and what would be right.
  package let description: String
  /// Whether the cause is a server that gave no usable answer, and not the command or the file.
  package let isUnanswered: Bool

  /// A refusal with that sentence.
  package init(_ description: String, isUnanswered: Bool = false) {
    self.description = description
    self.isUnanswered = isUnanswered
  }
}
