import ZoneKitRecords

/// Something of a schema that cannot be served: where it is, what it is, and what would be right.
package struct SchemaProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  package var file: String
  /// The place in the file; nil if it is the file as a whole.
  package var place: TextPlace?
  /// What was found, and what would be right.
  package var message: String

  /// A problem at that place.
  package init(file: String, at place: TextPlace?, _ message: String) {
    self.file = file
    self.place = place
    self.message = message
  }

  /// The place, as compilers write it, and the message.
  package var description: String { place.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)" }
}

/// What a file says: the statements that can be served, and the problems of the others, both in their order.
package struct SchemaReading: Equatable, Sendable {
  /// The statements without a problem.
  package var statements: [LocatedStatement]
  /// All problems. A schema is served only if there is none.
  package var problems: [SchemaProblem]
  /// The tables whose statements have problems. That they are missing is no problem of its own.
  package var refusedTables: [SQLName] = []
}
