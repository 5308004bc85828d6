/// An extension whose functions are known. It has no effect here.
package struct CreateExtension: Equatable, Sendable {
  /// The extension.
  package var name: String
  /// The schema that it is to be in; nil where none is written.
  package var schema: String?
  /// Whether it may exist already.
  package var ifNotExists: Bool

  /// An extension of that name.
  package init(_ name: String, schema: String? = nil, ifNotExists: Bool = false) {
    self.name = name
    self.schema = schema
    self.ifNotExists = ifNotExists
  }

  /// The extensions that a schema may name.
  package static let known = ["moddatetime", "pgcrypto", "plpgsql", "uuid-ossp"]
}
