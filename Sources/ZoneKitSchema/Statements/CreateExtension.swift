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

  /// The extensions that a schema may name: those whose functions are known, and those of which a schema rarely uses any.
  /// A function or type of the latter is refused where it is used.
  package static let known = [
    "btree_gin", "btree_gist", "hypopg", "index_advisor", "moddatetime", "pg_cron", "pg_graphql", "pg_jsonschema",
    "pg_net", "pg_stat_statements", "pg_trgm", "pgaudit", "pgcrypto", "pgjwt", "pgsodium", "plpgsql", "supabase_vault",
    "unaccent", "uuid-ossp", "wrappers",
  ]
}
