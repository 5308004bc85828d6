import ZoneKitRecords

/// The error of a command or a file that an app refuses.
package struct AppRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong and what would be right.
  package let description: String
  /// Whether the cause is a server that gave no usable answer, and not the command or the file.
  package let isUnanswered: Bool
  /// What is wrong with a file, in the order of its places; empty if the refusal is not about places of a file.
  package let problems: [FileProblem]

  /// A refusal with that sentence.
  package init(_ description: String, isUnanswered: Bool = false) {
    self.description = description
    self.isUnanswered = isUnanswered
    problems = []
  }

  /// The refusal of a file with those problems.
  package init(_ problems: [FileProblem]) {
    self.problems = problems
    description = problems.map(\.description).joined(separator: "\n")
    isUnanswered = false
  }

  /// The refusal of the file with that path: a line for each problem, with the path before its place.
  package func text(of path: String) -> String {
    guard !problems.isEmpty else { return "\(path): \(description)" }
    return problems.map { $0.place == nil ? "\(path): \($0)" : "\(path):\($0)" }.joined(separator: "\n")
  }
}

/// Something of a file that is wrong: where it is, what it is, and what would be right.
package struct FileProblem: Hashable, Sendable, CustomStringConvertible {
  /// The place in the file; nil if it is the file as a whole.
  package var place: TextPlace?
  /// What was found, and what would be right.
  package var message: String

  /// A problem at that place.
  package init(_ place: TextPlace?, _ message: String) {
    self.place = place
    self.message = message
  }

  /// The place, as compilers write it, and the message.
  package var description: String { place.map { "\($0): \(message)" } ?? message }
}
