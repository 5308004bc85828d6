import ZoneKitSchema

/// The full name of a table, type or function.
package struct ObjectName: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The schema.
  package var schema: String
  /// The name within the schema.
  package var name: String

  /// A name in that schema.
  package init(_ schema: String, _ name: String) {
    self.schema = schema
    self.name = name
  }

  /// The schema of names that state none.
  package static let usualSchema = "public"

  /// Whether both are the same, byte by byte.
  package static func == (first: ObjectName, second: ObjectName) -> Bool {
    first.name.utf8.elementsEqual(second.name.utf8) && first.schema.utf8.elementsEqual(second.schema.utf8)
  }

  /// Orders names by schema, then by name, byte by byte.
  package static func < (first: ObjectName, second: ObjectName) -> Bool {
    let own = [first.schema, first.name].map { Array($0.utf8) }
    let other = [second.schema, second.name].map { Array($0.utf8) }
    return own[0] == other[0]
      ? own[1].lexicographicallyPrecedes(other[1]) : own[0].lexicographicallyPrecedes(other[0])
  }

  /// Hashes the bytes of the name.
  package func hash(into hasher: inout Hasher) {
    for byte in name.utf8 { hasher.combine(byte) }
  }

  /// The name as PostgreSQL's messages state it: without the schema that is the usual one.
  package var description: String { schema == Self.usualSchema ? name : "\(schema).\(name)" }

  /// The name as SQL writes it.
  package var sql: SQLName { SQLName(schema: schema, name) }
}
