extension SQLQuery {
  /// The query as SQL writes it, without brackets around it.
  package var sql: String {
    let with = named.map { query in
      query.name.quotedAsName + (query.columns.isEmpty ? "" : " (\(query.columns.list))") + " AS (\(query.query.sql))"
    }
    return [
      with.isEmpty ? "" : "WITH " + with.joined(separator: ", "), body,
      order.isEmpty ? "" : "ORDER BY " + order.list, limit.map { "LIMIT \($0.sql)" } ?? "",
      skipped.map { "OFFSET \($0.sql)" } ?? "",
    ].sentence
  }

  private var body: String {
    if results == [.allColumns], tables.count == 1, condition == nil {
      switch tables[0] {
      case .combination(let left, let kind, let isAll, let right):
        return "(\(left.sql)) \(kind.rawValue)\(isAll ? " ALL" : "") (\(right.sql))"
      case .values(let rows): return "VALUES " + rows.map { "(\($0.sqlList))" }.joined(separator: ", ")
      default: break
      }
    }
    let distinct =
      switch self.distinct {
      case .none: ""
      case .rows: "DISTINCT"
      case .values(let values): "DISTINCT ON (\(values.sqlList))"
      }
    return [
      "SELECT", distinct, results.map(\.sql).joined(separator: ", "),
      tables.isEmpty ? "" : "FROM " + tables.map(\.sql).joined(separator: ", "),
      condition.map { "WHERE \($0.sql)" } ?? "",
      groups.isEmpty ? "" : "GROUP BY " + groups.sqlList,
      groupCondition.map { "HAVING \($0.sql)" } ?? "",
    ].sentence
  }
}

extension SQLQuery.Result {
  fileprivate var sql: String {
    switch self {
    case .allColumns: "*"
    case .columns(let table): "\(table.quotedAsName).*"
    case .value(let value, let name): value.sql + (name.map { " AS \($0.quotedAsName)" } ?? "")
    }
  }
}

extension [SQLQuery.Order] {
  /// The parts of an order as SQL writes them.
  var list: String {
    map { part in
      let nulls = part.nullsFirst.map { $0 ? "NULLS FIRST" : "NULLS LAST" } ?? ""
      return [part.value.sql, part.isDescending ? "DESC" : "", nulls].sentence
    }.joined(separator: ", ")
  }
}

extension SQLQuery.Source {
  fileprivate var sql: String {
    switch self {
    case .table(let name, let alias): return name.sql + (alias.map { " AS \($0.quotedAsName)" } ?? "")
    case .query(let query, let alias, let columns, let isLateral):
      return [isLateral ? "LATERAL" : "", "(\(query.sql))", Self.alias(alias, columns)].sentence
    case .function(let name, let values, let alias, let columns):
      let call = SQLExpression(.call(name, values)).sql
      return [call, Self.alias(alias, columns)].sentence
    case .values(let rows): return "(VALUES " + rows.map { "(\($0.sqlList))" }.joined(separator: ", ") + ")"
    case .combination(let left, let kind, let isAll, let right):
      return "((\(left.sql)) \(kind.rawValue)\(isAll ? " ALL" : "") (\(right.sql)))"
    case .join(let left, let kind, let right, let condition):
      switch condition {
      case .none: return "\(left.sql) CROSS JOIN \(right.sqlBehindJoin)"
      case .expression(let value): return "\(left.sql) \(kind.rawValue) \(right.sqlBehindJoin) ON \(value.sql)"
      case .columns(let columns): return "\(left.sql) \(kind.rawValue) \(right.sqlBehindJoin) USING (\(columns.list))"
      }
    }
  }

  private static func alias(_ alias: String?, _ columns: [String]) -> String {
    guard let alias else { return "" }
    return "AS \(alias.quotedAsName)" + (columns.isEmpty ? "" : " (\(columns.list))")
  }

  private var sqlBehindJoin: String {
    switch self {
    case .join: "(\(sql))"
    case .table, .query, .function, .values, .combination: sql
    }
  }
}

extension SQLAggregate {
  /// The call as SQL writes it.
  var sql: String {
    let values = self.values.isEmpty ? "*" : self.values.sqlList
    let list = [isDistinct ? "DISTINCT" : "", values, order.isEmpty ? "" : "ORDER BY " + order.list].sentence
    return "\(name.sql)(\(list))" + (filter.map { " FILTER (WHERE \($0.sql))" } ?? "")
  }
}
