/// Expressions.
extension SchemaReader {
  /// The expression of a member; nil where there is none.
  mutating func expressionIfThere(_ node: TreeNode, _ key: String) -> SQLExpression? {
    node.has(key) ? expression(node.node(key)) : nil
  }

  /// An expression. Where it is not supported, a problem is noted and null stands for it.
  mutating func expression(_ node: TreeNode) -> SQLExpression {
    move(to: node)
    let place = SourceOffset(here)
    guard depth < Self.depthLimit else {
      refuse("an expression of more than \(Self.depthLimit) levels is not supported: write a shorter one")
      return SQLExpression(.constant(.null), at: place)
    }
    depth += 1
    defer { depth -= 1 }
    return SQLExpression(kind(node) ?? .constant(.null), at: place)
  }

  private mutating func expressions(_ node: TreeNode, _ key: String) -> [SQLExpression] {
    node.nodes(key).map { expression($0) }
  }

  /// What an expression computes; nil if it was refused.
  private mutating func kind(_ node: TreeNode) -> SQLExpression.Kind? {
    switch node.kind {
    case "A_Const": return .constant(constant(node))
    case "ColumnRef": return column(node).map { .column($0) }
    case "TypeCast": return cast(node)
    case "A_Expr": return operation(node)
    case "BoolExpr": return combination(node)
    case "NullTest": return nullTest(node)
    case "BooleanTest": return booleanTest(node)
    case "FuncCall": return call(node)
    case "CoalesceExpr": return .call(SQLName("coalesce", at: offset(node)), arguments(node, allowing: []))
    case "MinMaxExpr":
      let name = node.text("op") == "IS_LEAST" ? "least" : "greatest"
      return .call(SQLName(name, at: offset(node)), arguments(node, allowing: ["op"]))
    case "SQLValueFunction": return keyword(node)
    case "A_Indirection": return element(node)
    case "A_ArrayExpr":
      allow(["elements"], in: node)
      return .array(expressions(node, "elements"))
    case "CaseExpr": return choice(node)
    case "SubLink": return subquery(node)
    case "ParamRef": return parameter(node)
    default:
      refuse(Self.reason(for: node.kind))
      return nil
    }
  }

  private static func reason(for kind: String) -> String {
    switch kind {
    case "RowExpr": "a row of values is not supported: compare the columns one by one"
    case "CollateClause": "COLLATE is not supported: leave it out"
    case "NamedArgExpr": "an argument with a name is not supported: write only the value"
    case "SetToDefault": "DEFAULT is not supported here: write the value"
    case "A_Star": "* is not supported here: name the column"
    case "": "the parser's tree has no expression here"
    default: "\(UnsupportedMember.words(kind)) is not supported in an expression"
    }
  }

  /// A value that a function is given, by its number.
  private mutating func parameter(_ node: TreeNode) -> SQLExpression.Kind? {
    allow(["number"], in: node)
    let number = Int(node.number("number"))
    guard parameterNames.indices.contains(number - 1) else {
      refuse("there is no parameter $\(number)")
      return nil
    }
    return .column(SQLColumn(parameterNames[number - 1]))
  }

  private mutating func column(_ node: TreeNode) -> SQLColumn? {
    allow(["fields"], in: node)
    guard let fields = node.texts("fields") else {
      refuse("* is not supported here: name the column")
      return nil
    }
    switch fields.count {
    case 1: return SQLColumn(fields[0])
    case 2: return SQLColumn(table: fields[0], fields[1])
    case 3: return SQLColumn(schema: fields[0], table: fields[1], fields[2])
    default:
      refuse("a column's name has at most three parts: schema.table.column")
      return nil
    }
  }

  private mutating func cast(_ node: TreeNode) -> SQLExpression.Kind {
    allow(["arg", "typeName"], in: node)
    let value = expression(node.node("arg"))
    // The name of a sequence, as pg_dump writes it behind nextval.
    if node.node("typeName", as: "TypeName").texts("names")?.last == "regclass", case .constant = value.kind {
      return value.kind
    }
    let type = castType(node.node("typeName", as: "TypeName"))
    return .cast(value, type)
  }

  /// `CASE WHEN …`, or `CASE value WHEN …`, which compares.
  private mutating func choice(_ node: TreeNode) -> SQLExpression.Kind {
    allow(["arg", "args", "defresult"], in: node)
    let compared = expressionIfThere(node, "arg")
    let choices = node.nodes("args").map { branch in
      allow(["expr", "result"], in: branch)
      let condition = expression(branch.node("expr"))
      let whole = compared.map { SQLExpression(.binary($0, .equal, condition), at: condition.offset) } ?? condition
      return SQLExpression.Choice(whole, expression(branch.node("result")))
    }
    let otherwise = expressionIfThere(node, "defresult") ?? SQLExpression(.constant(.null), at: SourceOffset(here))
    return .choice(choices, otherwise: otherwise)
  }

  private mutating func combination(_ node: TreeNode) -> SQLExpression.Kind? {
    allow(["boolop", "args"], in: node)
    let parts = expressions(node, "args")
    switch node.text("boolop") {
    case "AND_EXPR" where parts.count > 1: return .and(parts)
    case "OR_EXPR" where parts.count > 1: return .or(parts)
    case "NOT_EXPR" where parts.count == 1: return .not(parts[0])
    default:
      refuse("the parser's tree has no condition here")
      return nil
    }
  }

  private mutating func nullTest(_ node: TreeNode) -> SQLExpression.Kind {
    allow(["arg", "nulltesttype"], in: node)
    let test = node.text("nulltesttype") == "IS_NOT_NULL" ? SQLTest.isNotNull : .isNull
    return .test(expression(node.node("arg")), test)
  }

  private mutating func booleanTest(_ node: TreeNode) -> SQLExpression.Kind? {
    allow(["arg", "booltesttype"], in: node)
    let words = String(node.text("booltesttype").map { $0 == "_" ? " " : $0 })
    guard let test = SQLTest(rawValue: words) else {
      refuse("the parser's tree has no test here")
      return nil
    }
    return .test(expression(node.node("arg")), test)
  }

  private mutating func call(_ node: TreeNode) -> SQLExpression.Kind {
    let name = name(node.texts("funcname"), at: offset(node))
    let more = ["agg_distinct", "agg_order", "agg_filter"]
    // The one function of all rows that is served.
    let counts = name.name == "count" ? ["agg_star"] : []
    let values = arguments(node, allowing: ["funcname", "funcformat"] + counts + more)
    guard more.contains(where: { node.has($0) }) else { return .call(name, values) }
    return .aggregate(
      SQLAggregate(
        name, values, isDistinct: node.flag("agg_distinct"), order: order(node.nodes("agg_order")),
        filter: expressionIfThere(node, "agg_filter")))
  }

  private mutating func arguments(_ node: TreeNode, allowing members: [String]) -> [SQLExpression] {
    allow(["args"] + members, in: node)
    return expressions(node, "args")
  }

  private mutating func keyword(_ node: TreeNode) -> SQLExpression.Kind? {
    allow(["op", "typmod"], in: node)
    let name = node.text("op")
    let words = name.hasPrefix("SVFOP_") ? String(name.dropFirst(6)) : name
    if let keyword = SQLKeyword(rawValue: words) { return .keyword(keyword) }
    if words.hasSuffix("_N") {
      refuse("\(words.dropLast(2)) with a precision is not supported: leave out the brackets")
    } else {
      refuse("\(words) is not supported")
    }
    return nil
  }

  private mutating func element(_ node: TreeNode) -> SQLExpression.Kind? {
    allow(["arg", "indirection"], in: node)
    var value = expression(node.node("arg"))
    for index in node.nodes("indirection") {
      guard index.kind == "A_Indices", !index.flag("is_slice") else {
        refuse(
          index.kind == "A_Indices"
            ? "a slice of an array is not supported: name one element"
            : "a part of a row is not supported: name the column")
        return nil
      }
      allow(["uidx"], in: index)
      let place = value.offset
      value = SQLExpression(.element(value, expression(index.node("uidx"))), at: place)
    }
    return value.kind
  }
}
