/// Rows, comments and objects that go.
extension SchemaReader {
  /// Rows that are inserted. Only those of a function are returned.
  mutating func insertRows(_ node: TreeNode, isOfFunction: Bool = false) -> InsertRows {
    allow(
      ["relation", "cols", "selectStmt", "onConflictClause", "override"] + (isOfFunction ? ["returningList"] : []),
      in: node)
    let table = table(node, "relation")
    if node.text("override") != "OVERRIDING_NOT_SET" { refuse("OVERRIDING is not supported: leave it out") }
    let columns = node.nodes("cols").map { column in
      allow(["name"], in: column)
      return column.text("name")
    }
    let source = node.node("selectStmt")
    let lists = source.nodes("valuesLists")
    var rows = InsertRows(table, columns, [], node.has("onConflictClause") ? conflict(node) : .fails)
    if !lists.isEmpty {
      allow(["valuesLists", "limitOption", "op"], in: source)
      rows.rows = lists.map { row($0.nodes("items"), columns: columns.count) }
    } else if source.kind == "SelectStmt" {
      rows.query = query(source)
    } else {
      refuse("DEFAULT VALUES are not supported: write VALUES (DEFAULT)", at: table.offset.bytes)
    }
    rows.returning = node.nodes("returningList").map { result($0) }
    return rows
  }

  private mutating func row(_ nodes: [TreeNode], columns: Int) -> [InsertRows.Value] {
    if let first = nodes.first { move(to: first) }
    let place = here
    if columns > 0, nodes.count != columns {
      refuse("the columns are \(columns), the values \(nodes.count): write one for each", at: place)
    }
    return nodes.map { node in
      node.kind == "SetToDefault" ? .defaultValue : .expression(expression(node))
    }
  }

  private mutating func conflict(_ node: TreeNode) -> InsertRows.Conflict {
    let clause = node.node("onConflictClause", as: "OnConflictClause")
    allow(["action", "infer", "targetList", "whereClause"], in: clause)
    let infer = clause.node("infer", as: "InferClause")
    allow(["indexElems"], in: infer)
    let columns = infer.nodes("indexElems").map { element in
      allow(["name", "ordering", "nulls_ordering"], in: element)
      return element.text("name")
    }
    guard clause.text("action") != "ONCONFLICT_NOTHING" else { return .doesNothing(columns) }
    return .updates(assignments(clause), key: columns, where: expressionIfThere(clause, "whereClause"))
  }

  /// Other values for columns.
  mutating func assignments(_ node: TreeNode) -> [RowWrite.Assignment] {
    node.nodes("targetList").map { target in
      allow(["name", "val"], in: target)
      let isDefault = target.node("val").kind == "SetToDefault"
      return RowWrite.Assignment(target.text("name"), isDefault ? nil : expression(target.node("val")))
    }
  }

  /// The table whose rows a statement changes.
  mutating func rewritten(_ node: TreeNode) -> SQLName {
    let table = node.node("relation", as: "RangeVar")
    return SQLName(schema: table.textIfThere("schemaname"), table.text("relname"), at: offset(table))
  }

  /// A sequence that counts from one, as `serial` does.
  mutating func createSequence(_ node: TreeNode) -> SchemaStatement {
    allow(["sequence", "options", "if_not_exists"], in: node)
    for option in node.nodes("options") {
      let value = option.node("arg")
      let number = value.kind == "Integer" ? value.number("ival") : nil
      switch option.text("defname") {
      case "start", "increment": if number != 1 { refuse("a sequence counts by one, from one on") }
      case "cycle": if value.flag("boolval") { refuse("CYCLE of a sequence is not supported: leave it out") }
      // The type of the column tells how far it counts.
      case "as", "minvalue", "maxvalue", "cache", "owned_by": break
      case let name: refuse("\(UnsupportedMember.words(name)) of a sequence is not supported: leave it out")
      }
    }
    return .createSequence(table(node, "sequence"), ifNotExists: node.flag("if_not_exists"))
  }

  /// A comment on a table or a column; nil for another, which no client sees.
  mutating func comment(_ node: TreeNode) -> CommentStatement? {
    allow(["objtype", "object", "comment"], in: node)
    let text = node.textIfThere("comment")
    let object = node.node("object")
    switch node.text("objtype") {
    case "OBJECT_TABLE", "OBJECT_VIEW":
      return CommentStatement(.table(name(TreeNode.texts(object.nodes("items")))), text)
    case "OBJECT_COLUMN":
      guard let parts = TreeNode.texts(object.nodes("items")), parts.count > 1 else {
        refuse("a comment on a column names the table too: table.column")
        return nil
      }
      return CommentStatement(.column(name(parts.dropLast()), parts[parts.count - 1]), text)
    default: return nil
    }
  }

  /// Objects that go; nil if their kind is refused, or if there can be none.
  mutating func drop(_ node: TreeNode) -> DropStatement? {
    allow(["objects", "removeType", "behavior", "missing_ok"], in: node)
    let objects = node.nodes("objects")
    let subject: DropStatement.Subject
    switch node.text("removeType") {
    case "OBJECT_TABLE": subject = .tables(listedNames(objects))
    case "OBJECT_VIEW": subject = .views(listedNames(objects))
    case "OBJECT_INDEX": subject = .indexes(listedNames(objects))
    case "OBJECT_TYPE": subject = .types(objects.map { name($0.texts("names"), at: offset($0)) })
    case "OBJECT_FUNCTION": subject = .functions(objects.map { functionName($0) })
    case "OBJECT_SCHEMA": subject = .schemas(texts(node, "objects"))
    case "OBJECT_EXTENSION": subject = .extensions(texts(node, "objects"))
    case "OBJECT_PUBLICATION":
      for name in texts(node, "objects") { checkPublication(name) }
      subject = .publication
    case "OBJECT_TRIGGER", "OBJECT_POLICY":
      guard let parts = TreeNode.texts(objects.first?.nodes("items") ?? []), parts.count > 1 else {
        refuse("the parser's tree names no table")
        return nil
      }
      let table = name(parts.dropLast())
      let object = parts[parts.count - 1]
      subject = node.text("removeType") == "OBJECT_TRIGGER" ? .trigger(object, on: table) : .policy(object, on: table)
    case "OBJECT_MATVIEW", "OBJECT_SEQUENCE", "OBJECT_DOMAIN", "OBJECT_RULE", "OBJECT_COLLATION":
      if !node.flag("missing_ok") { refuse("there is nothing of this kind to drop: leave it out") }
      return nil
    case let kind:
      refuse("drop \(UnsupportedStatement.object(kind)) is not supported: leave it out")
      return nil
    }
    return DropStatement(subject, ifExists: node.flag("missing_ok"), isCascading: isCascading(node))
  }
}
