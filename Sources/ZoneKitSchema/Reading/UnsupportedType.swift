/// Types of PostgreSQL and its usual extensions that no column can have here.
enum UnsupportedType {
  /// What to use instead of a type; nil if it is not one of PostgreSQL, so that the schema must make it.
  static func replacement(for type: SQLName) -> String? {
    guard let schema = type.schema else { return replacements[type.name] }
    switch schema {
    case "pg_catalog", "extensions": return replacements[type.name] ?? "text"
    default: return nil
    }
  }

  private static let replacements = [
    "citext": "text", "name": "text", "char": "text", "bpchar": "text", "xml": "text", "money": "numeric",
    "timetz": "timestamptz", "oid": "bigint", "xid": "bigint", "xid8": "bigint", "tid": "bigint",
    "bit": "text, or an integer type", "varbit": "text, or an integer type", "inet": "text", "cidr": "text",
    "macaddr": "text", "macaddr8": "text", "point": "two columns of double precision", "line": "jsonb",
    "lseg": "jsonb", "box": "jsonb", "path": "jsonb", "polygon": "jsonb", "circle": "jsonb", "geometry": "jsonb",
    "geography": "two columns of double precision", "tsvector": "text", "tsquery": "text", "jsonpath": "text",
    "hstore": "jsonb", "ltree": "text", "vector": "double precision[]", "int4range": "two columns of integer",
    "int8range": "two columns of bigint", "numrange": "two columns of numeric", "tsrange": "two columns of timestamp",
    "tstzrange": "two columns of timestamptz", "daterange": "two columns of date", "pg_lsn": "text",
    "regclass": "text, and serial or an identity for a column that counts", "regtype": "text", "regproc": "text",
    "regrole": "text", "regnamespace": "text", "record": "jsonb", "void": "text", "trigger": "text", "cube": "jsonb",
  ]
}
