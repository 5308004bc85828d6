/// Operators.
extension SchemaReader {
  /// What an operator computes; nil if it was refused.
  mutating func operation(_ node: TreeNode) -> SQLExpression.Kind? {
    allow(["kind", "name", "lexpr", "rexpr"], in: node)
    let place = here
    switch node.text("kind") {
    case "AEXPR_OP": return plainOperation(node)
    case "AEXPR_OP_ANY": return quantified(node, .any, at: place)
    case "AEXPR_OP_ALL": return quantified(node, .all, at: place)
    case "AEXPR_DISTINCT": return binary(node, .isDistinctFrom)
    case "AEXPR_NOT_DISTINCT": return binary(node, .isNotDistinctFrom)
    case "AEXPR_LIKE", "AEXPR_ILIKE": return like(node, at: place)
    case "AEXPR_NULLIF":
      let place = SourceOffset(here)
      return .call(SQLName("nullif", at: place), [expression(node.node("lexpr")), expression(node.node("rexpr"))])
    case "AEXPR_IN":
      let value = expression(node.node("lexpr"))
      return .isIn(value, node.items(of: "rexpr").map { expression($0) }, isNegated: node.texts("name") == ["<>"])
    case "AEXPR_BETWEEN": return between(node, isNegated: false)
    case "AEXPR_NOT_BETWEEN": return between(node, isNegated: true)
    case "AEXPR_BETWEEN_SYM", "AEXPR_NOT_BETWEEN_SYM":
      refuse("BETWEEN SYMMETRIC is not supported: write the lower bound first, and BETWEEN", at: place)
    case "AEXPR_SIMILAR": refuse("SIMILAR TO is not supported: write LIKE, or ~ with a regular expression", at: place)
    default: refuse("the operator “\(operatorName(node))” is not supported", at: place)
    }
    return nil
  }

  /// The name of an operator, with the schema if one is written.
  private func operatorName(_ node: TreeNode, _ key: String = "name") -> String {
    node.texts(key)?.joined(separator: ".") ?? ""
  }

  private mutating func plainOperation(_ node: TreeNode) -> SQLExpression.Kind? {
    guard node.has("lexpr") else {
      guard operatorName(node) == "-" else {
        refuse("the operator “\(operatorName(node))” in front of a value is not supported")
        return nil
      }
      return .negated(expression(node.node("rexpr")))
    }
    guard let known = knownOperator(node) else { return nil }
    return binary(node, known)
  }

  /// The operator of a node; nil if it was refused.
  private mutating func knownOperator(_ node: TreeNode, _ key: String = "name") -> SQLOperator? {
    let name = operatorName(node, key)
    if let known = SQLOperator(catalogueName: name) { return known }
    refuse("the operator “\(name)” is not supported: \(Self.replacement(for: name))")
    return nil
  }

  private static func replacement(for name: String) -> String {
    switch name {
    case "#>", "#>>": "write -> and ->> for each member"
    case "^": "multiply with *"
    case "~~", "!~~", "~~*", "!~~*": "write LIKE or ILIKE"
    default: "the operators are \(SQLOperator.allCases.map(\.rawValue).joined(separator: " "))"
    }
  }

  private mutating func binary(_ node: TreeNode, _ known: SQLOperator) -> SQLExpression.Kind {
    let left = expression(node.node("lexpr"))
    return .binary(left, known, expression(node.node("rexpr")))
  }

  private mutating func like(_ node: TreeNode, at place: Int) -> SQLExpression.Kind? {
    let pattern = node.node("rexpr")
    if pattern.kind == "FuncCall", pattern.texts("funcname") == ["pg_catalog", "like_escape"] {
      refuse("ESCAPE is not supported: write a backslash in front of the character", at: place)
      return nil
    }
    guard let known = knownOperator(node) else { return nil }
    return binary(node, known)
  }

  private mutating func between(_ node: TreeNode, isNegated: Bool) -> SQLExpression.Kind? {
    let bounds = node.items(of: "rexpr")
    guard bounds.count == 2 else {
      refuse("the parser's tree has no two bounds here")
      return nil
    }
    let value = expression(node.node("lexpr"))
    let lower = expression(bounds[0])
    return .between(value, lower, expression(bounds[1]), isNegated: isNegated)
  }

  private mutating func quantified(
    _ node: TreeNode, _ quantifier: SQLExpression.Quantifier, at place: Int
  ) -> SQLExpression.Kind? {
    guard let known = quantifiable(node, "name") else { return nil }
    let value = expression(node.node("lexpr"))
    return .quantified(value, known, quantifier, expression(node.node("rexpr")))
  }

  /// The operator in front of `any` or `all`; nil if it was refused.
  mutating func quantifiable(_ node: TreeNode, _ key: String) -> SQLOperator? {
    guard let known = knownOperator(node, key) else { return nil }
    guard known.canBeQuantified else {
      refuse("the operator “\(known.rawValue)” in front of ANY or ALL is not supported")
      return nil
    }
    return known
  }
}
