/// Rows, comments, owners and objects that go.
extension SchemaReader {
  /// Rows that a table has at first.
  mutating func insertRows(_ node: TreeNode) -> InsertRows {
    allow(["relation", "cols", "selectStmt", "onConflictClause", "override"], in: node)
    let table = table(node, "relation")
    if node.text("override") != "OVERRIDING_NOT_SET" { refuse("OVERRIDING is not supported: leave it out") }
    let columns = node.nodes("cols").map { column in
      allow(["name"], in: column)
      return column.text("name")
    }
    let query = node.node("selectStmt")
    let lists = query.nodes("valuesLists")
    if lists.isEmpty {
      refuse("only rows of VALUES are inserted: write INSERT INTO … VALUES (…)", at: table.offset.bytes)
    } else {
      allow(["valuesLists", "limitOption", "op"], in: query)
    }
    let rows = lists.map { row($0.nodes("items"), columns: columns.count) }
    return InsertRows(table, columns, rows, node.has("onConflictClause") ? conflict(node) : .fails)
  }

  private mutating func row(_ nodes: [TreeNode], columns: Int) -> [InsertRows.Value] {
    if let first = nodes.first { move(to: first) }
    let place = here
    if columns > 0, nodes.count != columns {
      refuse("the columns are \(columns), the values \(nodes.count): write one for each", at: place)
    }
    return nodes.map { node in
      if node.kind == "SetToDefault" { return .defaultValue }
      let value = expression(node)
      if !value.isWithoutRows {
        refuse("a value of a row names a column or a query: write a constant", at: node.location ?? place)
      }
      return .expression(value)
    }
  }

  private mutating func conflict(_ node: TreeNode) -> InsertRows.Conflict {
    let clause = node.node("onConflictClause", as: "OnConflictClause")
    allow(["action", "infer"], in: clause)
    if clause.text("action") != "ONCONFLICT_NOTHING", !clause.has("targetList") {
      refuse(UnsupportedMember.reason(for: "targetList", of: "OnConflictClause"))
    }
    let infer = clause.node("infer", as: "InferClause")
    allow(["indexElems"], in: infer)
    let columns = infer.nodes("indexElems").map { element in
      allow(["name", "ordering", "nulls_ordering"], in: element)
      return element.text("name")
    }
    return .doesNothing(columns)
  }

  /// A comment; nil if what it is about is refused.
  mutating func comment(_ node: TreeNode) -> CommentStatement? {
    allow(["objtype", "object", "comment"], in: node)
    let text = node.textIfThere("comment")
    let object = node.node("object")
    switch node.text("objtype") {
    case "OBJECT_TABLE": return CommentStatement(.table(name(TreeNode.texts(object.nodes("items")))), text)
    case "OBJECT_COLUMN":
      guard let parts = TreeNode.texts(object.nodes("items")), parts.count > 1 else {
        refuse("a comment on a column names the table too: table.column")
        return nil
      }
      return CommentStatement(.column(name(parts.dropLast()), parts[parts.count - 1]), text)
    case "OBJECT_SCHEMA": return CommentStatement(.schema(object.text("sval")), text)
    case "OBJECT_EXTENSION": return CommentStatement(.extension(object.text("sval")), text)
    case let kind:
      refuse("a comment on a \(UnsupportedStatement.object(kind)) is not supported: leave it out")
      return nil
    }
  }

  /// The owner of an object; nil if the object is refused.
  mutating func changeOwner(_ node: TreeNode) -> OwnerStatement? {
    allow(["objectType", "object", "newowner"], in: node)
    let object = node.node("object")
    let named: (kind: OwnerStatement.Kind, name: SQLName)
    switch node.text("objectType") {
    case "OBJECT_TYPE": named = (.type, name(TreeNode.texts(object.nodes("items"))))
    case "OBJECT_FUNCTION": named = (.function, functionName(object))
    case "OBJECT_SCHEMA": named = (.schema, SQLName(object.text("sval"), at: SourceOffset(here)))
    case "OBJECT_PUBLICATION":
      checkPublication(object.text("sval"))
      named = (.publication, SQLName(object.text("sval"), at: SourceOffset(here)))
    case let kind:
      refuse("the owner of a \(UnsupportedStatement.object(kind)) is not supported: leave it out")
      return nil
    }
    return OwnerStatement(named.kind, named.name, to: role(node.node("newowner", as: "RoleSpec")))
  }

  /// Objects that go; nil if their kind is refused.
  mutating func drop(_ node: TreeNode) -> DropStatement? {
    allow(["objects", "removeType", "behavior", "missing_ok"], in: node)
    let objects = node.nodes("objects")
    let subject: DropStatement.Subject
    switch node.text("removeType") {
    case "OBJECT_TABLE": subject = .tables(listedNames(objects))
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
    case let kind:
      refuse("drop \(UnsupportedStatement.object(kind)) is not supported: leave it out")
      return nil
    }
    return DropStatement(subject, ifExists: node.flag("missing_ok"), isCascading: isCascading(node))
  }
}
