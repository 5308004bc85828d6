/// The name of a table, type, function or another object, as it is written: with or without its schema.
package struct SQLName: Equatable, Sendable {
  /// The schema; nil where none is written.
  package var schema: String?
  /// The name within the schema.
  package var name: String
  /// Where the name is written.
  package var offset: SourceOffset

  /// A name in that schema.
  package init(schema: String? = nil, _ name: String, at offset: SourceOffset = SourceOffset(0)) {
    self.schema = schema
    self.name = name
    self.offset = offset
  }
}
