extension CreateTable {
  /// The statement as SQL writes it.
  var sql: String {
    let parts = columns.map(\.sql) + constraints.map(\.sql)
    return ["CREATE TABLE", ifNotExists ? "IF NOT EXISTS" : "", name.sql, "(\(parts.joined(separator: ", ")))"].sentence
  }
}

extension ColumnDefinition {
  /// The column as SQL writes it.
  package var sql: String { ([name.quotedAsName, type.sql] + constraints.map(\.sql)).sentence }
}

extension ColumnConstraint {
  /// The constraint as SQL writes it.
  package var sql: String {
    let demand =
      switch kind {
      case .null: "NULL"
      case .notNull: "NOT NULL"
      case .defaultValue(let value): "DEFAULT \(value.operand)"
      case .primaryKey: "PRIMARY KEY"
      case .unique(let nullsNotDistinct): nullsNotDistinct ? "UNIQUE NULLS NOT DISTINCT" : "UNIQUE"
      case .check(let condition): "CHECK (\(condition.sql))"
      case .references(let reference): reference.sql
      case .generated(let value): "GENERATED ALWAYS AS (\(value.sql)) STORED"
      case .identity(let isAlways): "GENERATED \(isAlways ? "ALWAYS" : "BY DEFAULT") AS IDENTITY"
      }
    return [name.map { "CONSTRAINT \($0.quotedAsName)" } ?? "", demand].sentence
  }
}

extension TableConstraint {
  /// The constraint as SQL writes it.
  package var sql: String {
    let demand =
      switch kind {
      case .primaryKey(let columns): "PRIMARY KEY (\(columns.list))"
      case .unique(let columns, let nullsNotDistinct):
        "UNIQUE \(nullsNotDistinct ? "NULLS NOT DISTINCT " : "")(\(columns.list))"
      case .check(let condition): "CHECK (\(condition.sql))"
      case .foreignKey(let columns, let reference): "FOREIGN KEY (\(columns.list)) \(reference.sql)"
      case .index(let name, let isPrimaryKey):
        "\(isPrimaryKey ? "PRIMARY KEY" : "UNIQUE") USING INDEX \(name.quotedAsName)"
      }
    return [name.map { "CONSTRAINT \($0.quotedAsName)" } ?? "", demand].sentence
  }
}

extension TableReference {
  /// The reference as SQL writes it.
  package var sql: String {
    [
      "REFERENCES", table.sql, columns.isEmpty ? "" : "(\(columns.list))",
      onDelete == .noAction ? "" : "ON DELETE \(onDelete.rawValue)",
      onUpdate == .noAction ? "" : "ON UPDATE \(onUpdate.rawValue)", isDeferrable ? "DEFERRABLE" : "",
    ].sentence
  }
}

extension AlterTable {
  /// The statement as SQL writes it.
  var sql: String {
    [
      "ALTER TABLE", ifExists ? "IF EXISTS" : "", isOnly ? "ONLY" : "", name.sql,
      actions.map(\.sql).joined(separator: ", "),
    ].sentence
  }
}

extension AlterTable.Action {
  /// The change as SQL writes it.
  package var sql: String {
    switch self {
    case .addColumn(let column, let ifNotExists):
      ["ADD COLUMN", ifNotExists ? "IF NOT EXISTS" : "", column.sql].sentence
    case .dropColumn(let name, let ifExists, let isCascading): drop("COLUMN", name, ifExists, isCascading)
    case .addConstraint(let constraint): "ADD \(constraint.sql)"
    case .dropConstraint(let name, let ifExists, let isCascading): drop("CONSTRAINT", name, ifExists, isCascading)
    case .setDefault(let column, let value): "ALTER COLUMN \(column.quotedAsName) SET DEFAULT \(value.sql)"
    case .dropDefault(let column): "ALTER COLUMN \(column.quotedAsName) DROP DEFAULT"
    case .setNotNull(let column): "ALTER COLUMN \(column.quotedAsName) SET NOT NULL"
    case .dropNotNull(let column): "ALTER COLUMN \(column.quotedAsName) DROP NOT NULL"
    case .setType(let column, let type): "ALTER COLUMN \(column.quotedAsName) TYPE \(type.sql)"
    case .rowSecurity(let security): "\(security.rawValue) ROW LEVEL SECURITY"
    case .replicaIdentity(let isFull): "REPLICA IDENTITY \(isFull ? "FULL" : "DEFAULT")"
    case .securityInvoker(let isOn): isOn ? "SET (security_invoker = true)" : "RESET (security_invoker)"
    case .changeOwner(let role): "OWNER TO \(role.sql)"
    }
  }

  private func drop(_ kind: String, _ name: String, _ ifExists: Bool, _ isCascading: Bool) -> String {
    ["DROP", kind, ifExists ? "IF EXISTS" : "", name.quotedAsName, isCascading ? "CASCADE" : ""].sentence
  }
}
