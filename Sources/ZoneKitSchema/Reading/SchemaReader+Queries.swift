/// Queries inside of expressions.
extension SchemaReader {
  /// What an expression with a query computes; nil if it was refused.
  mutating func subquery(_ node: TreeNode) -> SQLExpression.Kind? {
    allow(["subLinkType", "testexpr", "operName", "subselect"], in: node)
    switch node.text("subLinkType") {
    case "EXISTS_SUBLINK": return .exists(query(node.node("subselect")))
    case "EXPR_SUBLINK": return .query(oneColumn(node))
    case "ARRAY_SUBLINK": return .arrayOfQuery(oneColumn(node))
    case "ANY_SUBLINK":
      guard node.has("operName") else {
        let value = expression(node.node("testexpr"))
        return .isInQuery(value, oneColumn(node))
      }
      return quantifiedQuery(node, .any)
    case "ALL_SUBLINK": return quantifiedQuery(node, .all)
    default:
      refuse("a query of this form is not supported: write EXISTS (SELECT …) or IN (SELECT …)")
      return nil
    }
  }

  private mutating func quantifiedQuery(
    _ node: TreeNode, _ quantifier: SQLExpression.Quantifier
  ) -> SQLExpression.Kind? {
    guard let known = quantifiable(node, "operName") else { return nil }
    let value = expression(node.node("testexpr"))
    return .quantifiedQuery(value, known, quantifier, oneColumn(node))
  }

  /// The query of a node, which returns one column.
  private mutating func oneColumn(_ node: TreeNode) -> SQLQuery {
    let place = here
    let problems = found.count
    let query = query(node.node("subselect"))
    if found.count == problems, query.results.count != 1 || query.results == [.allColumns] {
      refuse("a query for a value returns one column: name it", at: place)
    }
    return query
  }

  /// A query.
  mutating func query(_ node: TreeNode) -> SQLQuery {
    guard node.kind == "SelectStmt" else {
      refuse("the parser's tree has no query here")
      return SQLQuery([])
    }
    allow(["targetList", "fromClause", "whereClause", "limitCount", "limitOption", "op"], in: node)
    let results = node.nodes("targetList").map { result($0) }
    let place = SourceOffset(node.nodes("targetList").first?.location ?? here)
    let tables = node.nodes("fromClause").map { source($0) }
    let condition = expressionIfThere(node, "whereClause")
    if node.text("limitOption") == "LIMIT_OPTION_WITH_TIES" {
      refuse("WITH TIES is not supported: write LIMIT")
    }
    let limit = expressionIfThere(node, "limitCount")
    let query = SQLQuery(results, from: tables, where: condition, limit: limit, at: place)
    return query.counting
  }

  private mutating func result(_ node: TreeNode) -> SQLQuery.Result {
    allow(["val", "name"], in: node)
    let value = node.node("val")
    if value.kind == "ColumnRef", value.nodes("fields").map(\.kind) == ["A_Star"] { return .allColumns }
    return .value(expression(value), name: node.textIfThere("name"))
  }

  private mutating func source(_ node: TreeNode) -> SQLQuery.Source {
    guard depth < Self.depthLimit else {
      refuse("a query of more than \(Self.depthLimit) levels is not supported: write a shorter one")
      return .table(SQLName(""), alias: nil)
    }
    depth += 1
    defer { depth -= 1 }
    switch node.kind {
    case "RangeVar": return tableSource(node)
    case "JoinExpr": return join(node)
    case "RangeSubselect": refuse("a query behind FROM is not supported: name the table")
    case "RangeFunction": refuse("a function behind FROM is not supported: name the table")
    default: refuse("\(UnsupportedMember.words(node.kind)) behind FROM is not supported: name the table")
    }
    return .table(SQLName(""), alias: nil)
  }

  /// A table with its alias.
  mutating func tableSource(_ node: TreeNode) -> SQLQuery.Source {
    allow(["schemaname", "relname", "inh", "relpersistence", "alias"], in: node)
    if !node.flag("inh") { refuse("ONLY behind FROM is not supported: leave it out") }
    let alias = node.node("alias", as: "Alias")
    allow(["aliasname"], in: alias)
    let name = SQLName(schema: node.textIfThere("schemaname"), node.text("relname"), at: offset(node))
    return .table(name, alias: alias.textIfThere("aliasname"))
  }

  private mutating func join(_ node: TreeNode) -> SQLQuery.Source {
    allow(["jointype", "larg", "rarg", "quals"], in: node)
    let left = source(node.node("larg"))
    let right = source(node.node("rarg"))
    if node.text("jointype") != "JOIN_INNER" {
      refuse("an outer join is not supported: write JOIN … ON, or EXISTS (SELECT …)")
    } else if !node.has("quals") {
      refuse("a join without a condition is not supported: write JOIN … ON, or a comma")
    }
    return .join(left, right, on: expressionIfThere(node, "quals") ?? SQLExpression(.constant(.null)))
  }
}

extension SQLQuery {
  /// The same, with a query of its own for each count that is only a part of a value, such as that of `count(*) > 0`. A query
  /// with a count finds one row.
  fileprivate var counting: SQLQuery {
    let isPart = results.contains { result in
      if case .value(let value, _) = result { value.parts.contains(where: \.hasCount) } else { false }
    }
    guard isPart else { return self }
    var query = SQLQuery([], at: offset)
    query.results = results.map { result in
      guard case .value(let value, let name) = result else { return result }
      let whole = value.replacingCounts { count in
        SQLExpression(.query(SQLQuery([.value(count, name: nil)], from: tables, where: condition)), at: count.offset)
      }
      return .value(whole, name: name)
    }
    return query
  }
}

extension SQLExpression {
  private var isCount: Bool { if case .call(let name, _) = kind { name.name == "count" } else { false } }

  fileprivate var hasCount: Bool { isCount || parts.contains(where: \.hasCount) }

  /// The same with other parts for counts, where these are sides of operators or converted.
  fileprivate func replacingCounts(_ body: (SQLExpression) -> SQLExpression) -> SQLExpression {
    guard !isCount else { return body(self) }
    var copy = self
    switch kind {
    case .binary(let left, let known, let right):
      copy.kind = .binary(left.replacingCounts(body), known, right.replacingCounts(body))
    case .cast(let value, let type): copy.kind = .cast(value.replacingCounts(body), type)
    case .not(let value): copy.kind = .not(value.replacingCounts(body))
    case .call(let name, let values): copy.kind = .call(name, values.map { $0.replacingCounts(body) })
    case .and(let parts): copy.kind = .and(parts.map { $0.replacingCounts(body) })
    case .or(let parts): copy.kind = .or(parts.map { $0.replacingCounts(body) })
    default: break
    }
    return copy
  }
}
