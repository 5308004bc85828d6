/// Tables, their columns and constraints.
extension SchemaReader {
  /// A table.
  mutating func createTable(_ node: TreeNode) -> CreateTable {
    allow(["relation", "tableElts", "oncommit", "if_not_exists"], in: node)
    let name = table(node, "relation")
    if node.text("oncommit") != "ONCOMMIT_NOOP" { refuse("ON COMMIT is not supported: leave it out") }
    var columns: [ColumnDefinition] = []
    var constraints: [TableConstraint] = []
    for element in node.nodes("tableElts") {
      switch element.kind {
      case "ColumnDef": columns.append(column(element))
      case "Constraint": if let constraint = tableConstraint(element) { constraints.append(constraint) }
      case "TableLikeClause":
        refuse("LIKE is not supported: write the columns", at: element.node("relation", as: "RangeVar").location)
      default: refuse("\(UnsupportedMember.words(element.kind)) in a table is not supported: leave it out")
      }
    }
    if node.nodes("tableElts").isEmpty {
      refuse("a table without columns is not supported: write at least its key", at: name.offset.bytes)
    }
    return CreateTable(name, columns, constraints, ifNotExists: node.flag("if_not_exists"))
  }

  /// A column of a table.
  mutating func column(_ node: TreeNode) -> ColumnDefinition {
    allow(["colname", "typeName", "is_local", "constraints", "collClause"], in: node)
    if node.has("collClause") { refuse(UnsupportedMember.reason(for: "collClause", of: "ColumnDef")) }
    let place = offset(node)
    let type = columnType(node.node("typeName", as: "TypeName"))
    var constraints: [ColumnConstraint] = []
    for constraint in node.nodes("constraints") {
      if constraint.kind == "Constraint", constraint.text("contype").hasPrefix("CONSTR_ATTR") {
        apply(constraint, to: &constraints)
      } else if let constraint = columnConstraint(constraint) {
        constraints.append(constraint)
      }
    }
    return ColumnDefinition(node.text("colname"), type, constraints, at: place)
  }

  private mutating func columnConstraint(_ node: TreeNode) -> ColumnConstraint? {
    move(to: node)
    let place = SourceOffset(here)
    guard let kind = columnConstraintKind(node) else { return nil }
    return ColumnConstraint(name: node.textIfThere("conname"), kind, at: place)
  }

  private mutating func columnConstraintKind(_ node: TreeNode) -> ColumnConstraint.Kind? {
    let common = ["contype", "conname"]
    switch node.text("contype") {
    case "CONSTR_NULL":
      allow(common, in: node)
      return .null
    case "CONSTR_NOTNULL":
      allow(common, in: node)
      return .notNull
    case "CONSTR_DEFAULT":
      allow(common + ["raw_expr"], in: node)
      return .defaultValue(expression(node.node("raw_expr")))
    case "CONSTR_PRIMARY":
      allow(common, in: node)
      return .primaryKey
    case "CONSTR_UNIQUE":
      allow(common + ["nulls_not_distinct"], in: node)
      return .unique(nullsNotDistinct: node.flag("nulls_not_distinct"))
    case "CONSTR_CHECK":
      allow(common + ["raw_expr", "initially_valid", "skip_validation"], in: node)
      return .check(expression(node.node("raw_expr")))
    case "CONSTR_FOREIGN": return .references(reference(node))
    case "CONSTR_IDENTITY":
      allow(common + ["generated_when"], in: node)
      return .identity(isAlways: node.text("generated_when") == "a")
    case "CONSTR_GENERATED":
      allow(common + ["generated_when", "raw_expr"], in: node)
      return .generated(expression(node.node("raw_expr")))
    default: refuse("\(UnsupportedMember.words(node.text("contype").lowercased())) is not supported: leave it out")
    }
    return nil
  }

  /// Adds what is written behind a constraint, such as `deferrable`, to the last one.
  private mutating func apply(_ node: TreeNode, to constraints: inout [ColumnConstraint]) {
    allow(["contype"], in: node)
    switch node.text("contype") {
    case "CONSTR_ATTR_NOT_DEFERRABLE", "CONSTR_ATTR_IMMEDIATE": break
    case "CONSTR_ATTR_DEFERRED": refuse(UnsupportedMember.reason(for: "initdeferred", of: "Constraint"))
    default:
      guard let last = constraints.last, case .references(var reference) = last.kind else {
        // The constraint that it belongs to may have been refused.
        refuse(UnsupportedMember.reason(for: "deferrable", of: "Constraint"))
        return
      }
      reference.isDeferrable = true
      constraints[constraints.count - 1].kind = .references(reference)
    }
  }

  /// A constraint of a table; nil if it was refused.
  mutating func tableConstraint(_ node: TreeNode) -> TableConstraint? {
    move(to: node)
    let place = SourceOffset(here)
    let common = ["contype", "conname"]
    let kind: TableConstraint.Kind
    if let index = node.textIfThere("indexname") {
      allow(common + ["indexname", "nulls_not_distinct"], in: node)
      return TableConstraint(
        name: node.textIfThere("conname"), .index(index, isPrimaryKey: node.text("contype") == "CONSTR_PRIMARY"),
        at: place)
    }
    switch node.text("contype") {
    case "CONSTR_PRIMARY":
      allow(common + ["keys"], in: node)
      kind = .primaryKey(texts(node, "keys"))
    case "CONSTR_UNIQUE":
      allow(common + ["keys", "nulls_not_distinct"], in: node)
      kind = .unique(texts(node, "keys"), nullsNotDistinct: node.flag("nulls_not_distinct"))
    case "CONSTR_CHECK":
      allow(common + ["raw_expr", "initially_valid", "skip_validation"], in: node)
      kind = .check(expression(node.node("raw_expr")))
    case "CONSTR_FOREIGN":
      kind = .foreignKey(texts(node, "fk_attrs"), reference(node))
    case "CONSTR_EXCLUSION":
      refuse("an exclusion constraint is not supported: write a unique constraint, or a check")
      return nil
    default:
      refuse("\(UnsupportedMember.words(node.text("contype").lowercased())) is not supported: leave it out")
      return nil
    }
    return TableConstraint(name: node.textIfThere("conname"), kind, at: place)
  }

  private mutating func reference(_ node: TreeNode) -> TableReference {
    let usual = ["contype", "conname", "pktable", "fk_attrs", "pk_attrs", "fk_matchtype", "fk_upd_action"]
    allow(usual + ["fk_del_action", "initially_valid", "skip_validation", "deferrable"], in: node)
    if node.text("fk_matchtype") != "s" { refuse("MATCH FULL is not supported: leave it out") }
    return TableReference(
      table(node, "pktable"), texts(node, "pk_attrs"), onDelete: action(node, "fk_del_action"),
      onUpdate: action(node, "fk_upd_action"), isDeferrable: node.flag("deferrable"))
  }

  private mutating func action(_ node: TreeNode, _ key: String) -> TableReference.Action {
    switch node.text(key) {
    case "a": return .noAction
    case "r": return .restrict
    case "c": return .cascade
    case "n": return .setNull
    case "d": return .setDefault
    default:
      refuse("the parser's tree has no action in \(key)")
      return .noAction
    }
  }
}
