extension SchemaStatement {
  /// The statement as SQL writes it, without the semicolon behind it. Reading it returns an equal statement.
  package var sql: String {
    switch self {
    case .transaction(let step): step.rawValue
    case .setting(let setting): setting.sql
    case .createSchema(let name, let ifNotExists):
      ["CREATE SCHEMA", ifNotExists ? "IF NOT EXISTS" : "", name.quotedAsName].sentence
    case .createExtension(let statement): statement.sql
    case .createEnum(let statement):
      "CREATE TYPE \(statement.name.sql) AS ENUM (\(statement.values.map(\.quotedAsText).joined(separator: ", ")))"
    case .addEnumValue(let statement): statement.sql
    case .createTable(let table): table.sql
    case .createView(let view): view.sql
    case .alterTable(let change): change.sql
    case .rename(let rename): rename.sql
    case .createIndex(let index): index.sql
    case .createPolicy(let policy): policy.sql
    case .alterPolicy(let change): change.sql
    case .createPublication(.allTables): "CREATE PUBLICATION \(PublicationScope.name) FOR ALL TABLES"
    case .createPublication(.tables(let tables)):
      ["CREATE PUBLICATION", PublicationScope.name, tables.isEmpty ? "" : "FOR TABLE \(tables.list)"].sentence
    case .alterPublication(let change, let tables):
      "ALTER PUBLICATION \(PublicationScope.name) \(change.rawValue) TABLE \(tables.list)"
    case .insert(let rows): rows.sql
    case .createFunction(let function): function.sql
    case .createTrigger(let trigger): trigger.sql
    case .comment(let comment): comment.sql
    case .grant(let grant): grant.sql
    case .defaultPrivileges(let grant): grant.defaultSQL
    case .createSequence(let name, let ifNotExists):
      ["CREATE SEQUENCE", ifNotExists ? "IF NOT EXISTS" : "", name.sql].sentence
    case .attempt(let block): block.sql
    case .rewrite(let statement): statement.sql
    case .withoutEffect(let statement): statement.sql
    case .drop(let drop): drop.sql
    }
  }
}

extension CreateView {
  fileprivate var sql: String {
    [
      "CREATE", replaces ? "OR REPLACE" : "", "VIEW", name.sql, columns.isEmpty ? "" : "(\(columns.list))",
      isInvoker ? "WITH (security_invoker = true)" : "", "AS", query.sql,
    ].sentence
  }
}

extension SettingStatement {
  fileprivate var sql: String {
    if isCall {
      return "SELECT pg_catalog.set_config(\(name.quotedAsText), \((values.first ?? "").quotedAsText), false)"
    }
    return "SET \(name.quotedAsName) = "
      + (values.isEmpty ? "DEFAULT" : values.map(\.quotedAsText).joined(separator: ", "))
  }
}

extension RenameStatement {
  fileprivate var sql: String {
    let (object, part): (String, String) =
      switch subject {
      case .table(let table): ("TABLE \(end(table))", "")
      case .column(let column, let table): ("TABLE \(end(table))", "COLUMN \(column.quotedAsName)")
      case .constraint(let constraint, let table): ("TABLE \(end(table))", "CONSTRAINT \(constraint.quotedAsName)")
      case .index(let index): ("INDEX \(end(index))", "")
      case .type(let type): ("TYPE \(type.sql)", "")
      case .enumValue(let value, let type): ("TYPE \(type.sql)", "VALUE \(value.quotedAsText)")
      case .policy(let policy, let table): ("POLICY \(policy.quotedAsName) ON \(table.sql)", "")
      case .trigger(let trigger, let table): ("TRIGGER \(trigger.quotedAsName) ON \(table.sql)", "")
      case .function(let function): ("FUNCTION \(function.sql)()", "")
      }
    var name = self.name.quotedAsName
    if case .enumValue = subject { name = self.name.quotedAsText }
    return ["ALTER", object, "RENAME", part, "TO", name].sentence
  }

  private func end(_ name: SQLName) -> String { (ifExists ? "IF EXISTS " : "") + name.sql }
}

extension CreateExtension {
  fileprivate var sql: String {
    [
      "CREATE EXTENSION", ifNotExists ? "IF NOT EXISTS" : "", name.quotedAsName,
      schema.map { "SCHEMA \($0.quotedAsName)" } ?? "",
    ].sentence
  }
}

extension AddEnumValue {
  fileprivate var sql: String {
    let place =
      switch position {
      case .last: ""
      case .before(let other): "BEFORE \(other.quotedAsText)"
      case .after(let other): "AFTER \(other.quotedAsText)"
      }
    return ["ALTER TYPE", name.sql, "ADD VALUE", ifNotExists ? "IF NOT EXISTS" : "", value.quotedAsText, place].sentence
  }
}

extension InsertRows {
  fileprivate var sql: String {
    let lists = rows.map { row in "(" + row.map(\.sql).joined(separator: ", ") + ")" }.joined(separator: ", ")
    let end =
      switch conflict {
      case .fails: ""
      case .doesNothing(let columns):
        ["ON CONFLICT", columns.isEmpty ? "" : "(\(columns.list))", "DO NOTHING"].sentence
      case .updates(let assignments, let key, let condition):
        "ON CONFLICT (\(key.list)) DO UPDATE SET "
          + assignments.map { "\($0.column.quotedAsName) = \($0.value?.sql ?? "DEFAULT")" }.joined(separator: ", ")
          + (condition.map { " WHERE \($0.sql)" } ?? "")
      }
    let source = query?.sql ?? "VALUES \(lists)"
    return ["INSERT INTO", table.sql, columns.isEmpty ? "" : "(\(columns.list))", source, end].sentence
  }
}

extension InsertRows.Value {
  fileprivate var sql: String {
    switch self {
    case .defaultValue: "DEFAULT"
    case .expression(let value): value.sql
    }
  }
}

extension CreateTrigger {
  fileprivate var sql: String {
    let update = columns.isEmpty ? "UPDATE" : "UPDATE OF \(columns.list)"
    let waits = events.map { $0 == .update ? update : $0.rawValue }.joined(separator: " OR ")
    return [
      "CREATE", replaces ? "OR REPLACE" : "", "TRIGGER", name.quotedAsName, isBefore ? "BEFORE" : "AFTER", waits, "ON",
      table.sql, "FOR EACH ROW", condition.map { "WHEN (\($0.sql))" } ?? "",
      "EXECUTE FUNCTION \(function.sql)(\(arguments.map(\.quotedAsText).joined(separator: ", ")))",
    ].sentence
  }
}

extension CommentStatement {
  fileprivate var sql: String {
    let object =
      switch subject {
      case .table(let name): "TABLE \(name.sql)"
      case .column(let table, let column): "COLUMN \(table.sql).\(column.quotedAsName)"
      }
    return "COMMENT ON \(object) IS \(text?.quotedAsText ?? "NULL")"
  }
}

extension DropStatement {
  fileprivate var sql: String {
    let parts: (kind: String, names: String) =
      switch subject {
      case .tables(let names): ("TABLE", names.list)
      case .views(let names): ("VIEW", names.list)
      case .types(let names): ("TYPE", names.list)
      case .functions(let names): ("FUNCTION", names.map { "\($0.sql)()" }.joined(separator: ", "))
      case .indexes(let names): ("INDEX", names.list)
      case .schemas(let names): ("SCHEMA", names.list)
      case .extensions(let names): ("EXTENSION", names.list)
      case .publication: ("PUBLICATION", PublicationScope.name)
      case .trigger(let name, let table): ("TRIGGER", "\(name.quotedAsName) ON \(table.sql)")
      case .policy(let name, let table): ("POLICY", "\(name.quotedAsName) ON \(table.sql)")
      }
    return ["DROP", parts.kind, ifExists ? "IF EXISTS" : "", parts.names, isCascading ? "CASCADE" : ""].sentence
  }
}
