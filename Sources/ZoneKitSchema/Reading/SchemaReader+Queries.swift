/// Queries.
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
    if found.count == problems, query.results.count != 1 || query.isForAllColumnsOfTables {
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
    guard depth < Self.depthLimit else {
      refuse("a query of more than \(Self.depthLimit) levels is not supported: write a shorter one")
      return SQLQuery([])
    }
    depth += 1
    defer { depth -= 1 }
    let named = namedQueries(node.node("withClause", as: "WithClause"))
    var query = node.text("op") == "SETOP_NONE" ? plainQuery(node) : combination(node)
    query.named = named
    query.order = order(node.nodes("sortClause"))
    if node.text("limitOption") == "LIMIT_OPTION_WITH_TIES" {
      refuse("WITH TIES is not supported: write LIMIT")
    }
    query.limit = expressionIfThere(node, "limitCount")
    query.skipped = expressionIfThere(node, "limitOffset")
    return query
  }

  /// The parts of a query that each of two combined ones may have too.
  private static let ends = ["sortClause", "limitCount", "limitOffset", "limitOption", "withClause", "op"]

  private mutating func plainQuery(_ node: TreeNode) -> SQLQuery {
    // Rows are not locked: one statement runs at a time.
    let own = [
      "targetList", "fromClause", "whereClause", "groupClause", "havingClause", "distinctClause", "valuesLists",
      "lockingClause",
    ]
    allow(own + Self.ends, in: node)
    let lists = node.nodes("valuesLists")
    let place = SourceOffset(node.nodes("targetList").first?.location ?? here)
    guard lists.isEmpty else {
      let rows = lists.map { row in row.nodes("items").map { expression($0) } }
      return SQLQuery([.allColumns], from: [.values(rows)], at: place)
    }
    let results = node.nodes("targetList").map { result($0) }
    let tables = node.nodes("fromClause").map { source($0) }
    var query = SQLQuery(results, from: tables, where: expressionIfThere(node, "whereClause"), at: place)
    for group in node.nodes("groupClause") {
      guard group.kind != "GroupingSet" else {
        refuse("GROUPING SETS, CUBE and ROLLUP are not supported: write GROUP BY")
        continue
      }
      query.groups.append(expression(group))
    }
    query.groupCondition = expressionIfThere(node, "havingClause")
    if node.has("distinctClause") {
      let values = node.nodes("distinctClause").filter { !$0.kind.isEmpty }
      query.distinct = values.isEmpty ? .rows : .values(values.map { expression($0) })
    }
    return query
  }

  private mutating func combination(_ node: TreeNode) -> SQLQuery {
    allow(["larg", "rarg", "all"] + Self.ends, in: node)
    let kind: SQLQuery.Combination =
      switch node.text("op") {
      case "SETOP_INTERSECT": .intersection
      case "SETOP_EXCEPT": .difference
      default: .union
      }
    let left = query(node.node("larg", as: "SelectStmt"))
    let right = query(node.node("rarg", as: "SelectStmt"))
    return SQLQuery([.allColumns], from: [.combination(left, kind, isAll: node.flag("all"), right)], at: left.offset)
  }

  private mutating func namedQueries(_ node: TreeNode) -> [SQLQuery.Named] {
    // Whether the rows of a query are kept changes nothing of them.
    allow(["ctes", "recursive"], in: node)
    if node.flag("recursive") { refuse("WITH RECURSIVE is not supported: write a function with a loop") }
    return node.nodes("ctes").map { named in
      allow(["ctename", "aliascolnames", "ctequery", "ctematerialized"], in: named)
      let query = named.node("ctequery")
      if query.kind != "SelectStmt" {
        refuse("a statement that writes rows behind WITH is not supported: write it in front of the query")
        return SQLQuery.Named(named.text("ctename"), SQLQuery([]))
      }
      let columns = named.has("aliascolnames") ? texts(named, "aliascolnames") : []
      return SQLQuery.Named(named.text("ctename"), columns: columns, self.query(query))
    }
  }

  /// The parts of an order.
  mutating func order(_ nodes: [TreeNode]) -> [SQLQuery.Order] {
    nodes.map { part in
      allow(["node", "sortby_dir", "sortby_nulls"], in: part)
      if part.text("sortby_dir") == "SORTBY_USING" {
        refuse("USING behind ORDER BY is not supported: write ASC or DESC")
      }
      let nullsFirst: Bool? =
        switch part.text("sortby_nulls") {
        case "SORTBY_NULLS_FIRST": true
        case "SORTBY_NULLS_LAST": false
        default: nil
        }
      return SQLQuery.Order(
        expression(part.node("node")), isDescending: part.text("sortby_dir") == "SORTBY_DESC", nullsFirst: nullsFirst)
    }
  }

  /// A result of a query, or what a statement returns of a row.
  mutating func result(_ node: TreeNode) -> SQLQuery.Result {
    allow(["val", "name"], in: node)
    let value = node.node("val")
    let fields = value.kind == "ColumnRef" ? value.nodes("fields") : []
    if fields.map(\.kind) == ["A_Star"] { return .allColumns }
    if fields.count == 2, fields[1].kind == "A_Star" { return .columns(of: fields[0].text("sval")) }
    return .value(expression(value), name: node.textIfThere("name"))
  }

  // MARK: Sources

  /// What a query reads.
  mutating func source(_ node: TreeNode) -> SQLQuery.Source {
    guard depth < Self.depthLimit else {
      refuse("a query of more than \(Self.depthLimit) levels is not supported: write a shorter one")
      return .table(SQLName(""), alias: nil)
    }
    depth += 1
    defer { depth -= 1 }
    switch node.kind {
    case "RangeVar": return tableSource(node)
    case "JoinExpr": return join(node)
    case "RangeSubselect":
      allow(["lateral", "subquery", "alias"], in: node)
      let (alias, columns) = self.alias(of: node)
      return .query(query(node.node("subquery")), alias: alias, columns: columns, isLateral: node.flag("lateral"))
    case "RangeFunction": return function(node)
    default: refuse("\(UnsupportedMember.words(node.kind)) behind FROM is not supported: name the table")
    }
    return .table(SQLName(""), alias: nil)
  }

  /// The alias of a source, with names of its columns.
  private mutating func alias(of node: TreeNode) -> (String?, columns: [String]) {
    let alias = node.node("alias", as: "Alias")
    allow(["aliasname", "colnames"], in: alias)
    return (alias.textIfThere("aliasname"), alias.has("colnames") ? texts(alias, "colnames") : [])
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

  private mutating func function(_ node: TreeNode) -> SQLQuery.Source {
    allow(["lateral", "functions", "alias"], in: node)
    let (alias, columns) = self.alias(of: node)
    let calls = node.nodes("functions")
    let call = calls.first?.nodes("items").first ?? TreeNode(.null)
    guard calls.count == 1, call.kind == "FuncCall" else {
      refuse("this function behind FROM is not supported: write FROM function(values)")
      return .table(SQLName(""), alias: nil)
    }
    guard case .call(let name, let values) = expression(call).kind else { return .table(SQLName(""), alias: nil) }
    return .function(name, values, alias: alias, columns: columns)
  }

  private mutating func join(_ node: TreeNode) -> SQLQuery.Source {
    allow(["jointype", "larg", "rarg", "quals", "usingClause"], in: node)
    let kind: SQLQuery.Join =
      switch node.text("jointype") {
      case "JOIN_LEFT": .left
      case "JOIN_RIGHT": .right
      case "JOIN_FULL": .full
      default: .inner
      }
    let left = source(node.node("larg"))
    let right = source(node.node("rarg"))
    if node.has("usingClause") {
      if kind == .right || kind == .full { refuse("USING is not supported here: write ON with the two columns") }
      return .join(left, kind, right, .columns(texts(node, "usingClause")))
    }
    return .join(left, kind, right, expressionIfThere(node, "quals").map { .expression($0) } ?? .none)
  }
}

extension SQLQuery {
  /// Whether it returns columns whose number its own text does not tell.
  fileprivate var isForAllColumnsOfTables: Bool {
    switch results.first {
    case .columns: return true
    case .allColumns:
      if case .combination? = tables.first { return false }
      if case .values? = tables.first { return false }
      return true
    case .value, nil: return false
    }
  }
}
