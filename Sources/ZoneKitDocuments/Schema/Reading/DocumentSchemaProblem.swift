import ZoneKitRecords

/// Something of a file with documents that cannot be served: where it is, what it is, and what would be right.
package struct DocumentSchemaProblem: Hashable, Sendable, CustomStringConvertible {
  /// The file.
  package var file: String
  /// The place in the file; nil if it is the file as a whole.
  package var place: TextPlace?
  /// What was found, and what would be right.
  package var message: String

  /// The place, as compilers write it, and the message.
  package var description: String { place.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)" }
}

/// Why a file with documents cannot be served.
package struct DocumentSchemaProblems: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problems, in the order of the file.
  package var list: [DocumentSchemaProblem]

  /// A line for each problem.
  package var description: String { list.map(\.description).joined(separator: "\n") }
}
