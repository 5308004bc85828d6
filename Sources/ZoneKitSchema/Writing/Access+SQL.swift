extension CreateIndex {
  /// The statement as SQL writes it.
  var sql: String {
    [
      "CREATE", isUnique ? "UNIQUE" : "", "INDEX", ifNotExists ? "IF NOT EXISTS" : "", name?.quotedAsName ?? "", "ON",
      table.sql, "USING", method.rawValue, "(\(parts.map(\.sql).joined(separator: ", ")))",
      condition.map { "WHERE \($0.sql)" } ?? "",
    ].sentence
  }
}

extension CreateIndex.Part {
  /// The part as SQL writes it.
  package var sql: String {
    let text: String
    if case .column(let column) = value.kind, column.table == nil {
      text = column.sql
    } else {
      text = "(\(value.sql))"
    }
    let order = isDescending.map { $0 ? "DESC" : "ASC" } ?? ""
    return [text, order, nullsFirst.map { $0 ? "NULLS FIRST" : "NULLS LAST" } ?? ""].sentence
  }
}

extension CreatePolicy {
  /// The statement as SQL writes it.
  var sql: String {
    [
      "CREATE POLICY", name.quotedAsName, "ON", table.sql, isPermissive ? "" : "AS RESTRICTIVE",
      command == .all ? "" : "FOR \(command.rawValue)", roles == [.everyone] ? "" : "TO \(roles.list)",
      using.map { "USING (\($0.sql))" } ?? "", withCheck.map { "WITH CHECK (\($0.sql))" } ?? "",
    ].sentence
  }
}

extension AlterPolicy {
  /// The statement as SQL writes it.
  var sql: String {
    [
      "ALTER POLICY", name.quotedAsName, "ON", table.sql, roles.map { "TO \($0.list)" } ?? "",
      using.map { "USING (\($0.sql))" } ?? "", withCheck.map { "WITH CHECK (\($0.sql))" } ?? "",
    ].sentence
  }
}

extension GrantStatement {
  /// The statement as SQL writes it.
  var sql: String { sql(on: subject.sql) }

  /// The statement as SQL writes it for the privileges that tables have when they are made.
  var defaultSQL: String {
    let schemas: [String] = if case .allTables(let schemas) = subject { schemas } else { [] }
    return [
      "ALTER DEFAULT PRIVILEGES", schemas.isEmpty ? "" : "IN SCHEMA \(schemas.list)", sql(on: "TABLES"),
    ].sentence
  }

  private func sql(on object: String) -> String {
    [
      isGrant ? "GRANT" : "REVOKE",
      privileges.isEmpty ? "ALL" : privileges.map(\.sql).joined(separator: ", "), "ON", object,
      isGrant ? "TO" : "FROM", roles.list,
    ].sentence
  }
}

extension GrantStatement.Privilege {
  fileprivate var sql: String {
    [name.map { $0.uppercased() } ?? "ALL", columns.isEmpty ? "" : "(\(columns.list))"].sentence
  }
}

extension GrantStatement.Subject {
  fileprivate var sql: String {
    switch self {
    case .tables(let names): "TABLE \(names.list)"
    case .allTables(let schemas): "ALL TABLES IN SCHEMA \(schemas.list)"
    }
  }
}

extension [SQLRole] {
  fileprivate var list: String { map(\.sql).joined(separator: ", ") }
}
