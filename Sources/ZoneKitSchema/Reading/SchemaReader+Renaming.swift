/// Other names for objects.
extension SchemaReader {
  /// Another name for an object; nil if the kind of the object is refused, or if no client sees its name.
  mutating func rename(_ node: TreeNode) -> RenameStatement? {
    allow(
      ["renameType", "relationType", "relation", "object", "subname", "newname", "behavior", "missing_ok"], in: node)
    let subject: RenameStatement.Subject
    let part = node.text("subname")
    switch node.text("renameType") {
    case "OBJECT_TABLE", "OBJECT_VIEW": subject = .table(table(node, "relation", mayBeOnly: true))
    case "OBJECT_COLUMN": subject = .column(part, of: table(node, "relation", mayBeOnly: true))
    case "OBJECT_TABCONSTRAINT": subject = .constraint(part, of: table(node, "relation", mayBeOnly: true))
    case "OBJECT_INDEX": subject = .index(table(node, "relation", mayBeOnly: true))
    case "OBJECT_POLICY": subject = .policy(part, of: table(node, "relation", mayBeOnly: true))
    case "OBJECT_TRIGGER": subject = .trigger(part, of: table(node, "relation", mayBeOnly: true))
    case "OBJECT_TYPE":
      let object = node.node("object")
      subject = .type(name(TreeNode.texts(object.nodes("items")) ?? object.texts("names")))
    case "OBJECT_FUNCTION": subject = .function(functionName(node.node("object")))
    case "OBJECT_SEQUENCE": return nil
    case let kind:
      refuse("a new name for \(UnsupportedStatement.object(kind)) is not supported: write the last name at first")
      return nil
    }
    return RenameStatement(subject, to: node.text("newname"), ifExists: node.flag("missing_ok"))
  }

  /// Another name for a value of an enum.
  mutating func renameValue(_ node: TreeNode) -> RenameStatement {
    allow(["typeName", "oldVal", "newVal"], in: node)
    return RenameStatement(.enumValue(node.text("oldVal"), of: name(node.texts("typeName"))), to: node.text("newVal"))
  }
}
