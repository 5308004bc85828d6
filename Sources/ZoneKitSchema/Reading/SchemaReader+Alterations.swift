/// Changes of tables.
extension SchemaReader {
  /// Changes of a table; nil for those that have no effect.
  mutating func alterTable(_ node: TreeNode, at start: Int) -> AlterTable? {
    allow(["relation", "cmds", "objtype", "missing_ok"], in: node)
    let commands = node.nodes("cmds")
    guard ["OBJECT_TABLE", "OBJECT_VIEW"].contains(node.text("objtype")) else {
      if !commands.allSatisfy({ $0.text("subtype") == "AT_ChangeOwner" }) {
        let kind = UnsupportedStatement.object(node.text("objtype"))
        refuse("alter \(kind) is not supported: only tables are changed", at: start)
      }
      return nil
    }
    let isOnly = !node.node("relation", as: "RangeVar").flag("inh")
    let name = table(node, "relation", mayBeOnly: true)
    let actions = commands.filter { !Self.effectless.contains($0.text("subtype")) }.compactMap { action($0) }
    guard !actions.isEmpty else { return nil }
    return AlterTable(name, actions, ifExists: node.flag("missing_ok"), isOnly: isOnly)
  }

  /// Changes that no client sees. Rows are checked by every constraint from the start.
  private static let effectless: Set = [
    "AT_ValidateConstraint", "AT_SetStatistics", "AT_SetStorage", "AT_SetCompression", "AT_ClusterOn", "AT_DropCluster",
    "AT_SetLogged", "AT_SetTableSpace",
  ]

  private mutating func action(_ node: TreeNode) -> AlterTable.Action? {
    allow(["subtype", "name", "def", "newowner", "behavior", "missing_ok"], in: node)
    let column = node.text("name")
    switch node.text("subtype") {
    case "AT_AddColumn":
      return .addColumn(self.column(node.node("def")), ifNotExists: node.flag("missing_ok"))
    case "AT_DropColumn":
      return .dropColumn(column, ifExists: node.flag("missing_ok"), isCascading: isCascading(node))
    case "AT_AddConstraint": return tableConstraint(node.node("def")).map { .addConstraint($0) }
    case "AT_DropConstraint":
      return .dropConstraint(column, ifExists: node.flag("missing_ok"), isCascading: isCascading(node))
    case "AT_ColumnDefault":
      return expressionIfThere(node, "def").map { .setDefault(column: column, $0) } ?? .dropDefault(column: column)
    case "AT_SetNotNull": return .setNotNull(column: column)
    case "AT_DropNotNull": return .dropNotNull(column: column)
    case "AT_EnableRowSecurity": return .rowSecurity(.enabled)
    case "AT_DisableRowSecurity": return .rowSecurity(.disabled)
    case "AT_ForceRowSecurity": return .rowSecurity(.forced)
    case "AT_NoForceRowSecurity": return .rowSecurity(.notForced)
    case "AT_ReplicaIdentity": return replicaIdentity(node.node("def"))
    case "AT_ChangeOwner": return .changeOwner(role(node.node("newowner", as: "RoleSpec")))
    case "AT_SetRelOptions", "AT_ResetRelOptions":
      let options = node.items(of: "def")
      guard options.contains(where: { $0.text("defname") == "security_invoker" }) else { return nil }
      let isSet = node.text("subtype") == "AT_SetRelOptions"
      return .securityInvoker(isSet && options.contains { Self.isInvoker($0) })
    case "AT_AlterColumnType":
      let definition = node.node("def")
      // How values are converted has no effect: a new table has none.
      allow(["typeName", "raw_default"], in: definition)
      return .setType(column: column, columnType(definition.node("typeName", as: "TypeName")))
    case "AT_AddIdentity", "AT_SetIdentity", "AT_DropIdentity":
      refuse("a change of an identity is not supported: write generated … as identity where the column is created")
    default:
      let words = UnsupportedMember.words(String(node.text("subtype").dropFirst(3)))
      refuse("alter table … \(words) is not supported: write the table as it is to be")
    }
    return nil
  }

  /// A view.
  mutating func createView(_ node: TreeNode) -> CreateView {
    allow(["view", "aliases", "query", "replace", "options", "withCheckOption"], in: node)
    let name = table(node, "view")
    // A view is read-only here, so that no row is checked.
    for option in node.nodes("options")
    where !["security_invoker", "security_barrier", "check_option"].contains(option.text("defname")) {
      refuse("the option \(option.text("defname")) of a view is not supported: leave it out", at: name.offset.bytes)
    }
    let isInvoker = node.nodes("options").contains { Self.isInvoker($0) }
    let columns = node.has("aliases") ? texts(node, "aliases") : []
    return CreateView(
      name, columns: columns, query(node.node("query")), isInvoker: isInvoker, replaces: node.flag("replace"))
  }

  /// Whether an option makes a view read the rows alone that who asks may read.
  private static func isInvoker(_ option: TreeNode) -> Bool {
    guard option.text("defname") == "security_invoker" else { return false }
    let value = option.node("arg")
    if value.kind == "Integer" { return value.number("ival") == 1 }
    let word = [value.text("sval"), value.texts("names")?.last ?? ""].joined()
    return !option.has("arg") || value.flag("boolval") || ["true", "on", "yes", "1"].contains(word.lowercased())
  }

  private mutating func replicaIdentity(_ node: TreeNode) -> AlterTable.Action? {
    switch node.text("identity_type") {
    case "f": return .replicaIdentity(isFull: true)
    case "d": return .replicaIdentity(isFull: false)
    default:
      refuse("this replica identity is not supported: write FULL or DEFAULT")
      return nil
    }
  }
}
