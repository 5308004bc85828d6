extension SQLName {
  /// The name as SQL writes it.
  package var sql: String { schema.map { "\($0.quotedAsName).\(name.quotedAsName)" } ?? name.quotedAsName }
}

extension SQLColumn {
  /// The column as SQL writes it.
  package var sql: String {
    [schema, table, name].compactMap { $0?.quotedAsName }.joined(separator: ".")
  }
}

extension SQLRole {
  /// The role as SQL writes it.
  package var sql: String {
    switch self {
    // A role cannot have one of these two names, which SQL reads as words even in quotes.
    case .named(let name): name.quotedAsName
    case .everyone: "public"
    case .currentRole: "CURRENT_ROLE"
    case .currentUser: "CURRENT_USER"
    case .sessionUser: "SESSION_USER"
    }
  }
}

extension SQLType {
  /// The type as SQL writes it.
  package var sql: String { kind.sql + (isArray ? "[]" : "") }
}

extension SQLType.Kind {
  /// The type as SQL writes it.
  var sql: String {
    switch self {
    case .uuid: "uuid"
    case .text: "text"
    case .varchar(let length): "varchar" + brackets(length)
    case .char(let length): "char" + brackets(length)
    case .boolean: "boolean"
    case .smallint: "smallint"
    case .integer: "integer"
    case .bigint: "bigint"
    case .smallserial: "smallserial"
    case .serial: "serial"
    case .bigserial: "bigserial"
    case .numeric(let precision, let scale): "numeric" + brackets(precision, scale)
    case .real: "real"
    case .doublePrecision: "double precision"
    case .date: "date"
    case .time(let precision): "time" + brackets(precision)
    case .timestamp(let precision): "timestamp" + brackets(precision)
    case .timestamptz(let precision): "timestamptz" + brackets(precision)
    case .interval: "interval"
    case .json: "json"
    case .jsonb: "jsonb"
    case .bytea: "bytea"
    case .named(let name): name.sql
    }
  }

  private func brackets(_ numbers: Int?...) -> String {
    let numbers = numbers.compactMap { $0.map { String($0) } }
    return numbers.isEmpty ? "" : "(\(numbers.joined(separator: ", ")))"
  }
}
