/// Names, roles and other small parts.
extension SchemaReader {
  /// The name that a list of one or two texts is.
  mutating func name(_ parts: [String]?, at offset: SourceOffset? = nil) -> SQLName {
    let offset = offset ?? SourceOffset(here)
    switch parts?.count {
    case 1: return SQLName(parts?[0] ?? "", at: offset)
    case 2: return SQLName(schema: parts?[0], parts?[1] ?? "", at: offset)
    default:
      refuse("a name of more than two parts is not supported: write schema.name", at: offset.bytes)
      return SQLName("", at: offset)
    }
  }

  /// The table that a member names; it is not a temporary one.
  mutating func table(_ node: TreeNode, _ key: String, mayBeOnly: Bool = false) -> SQLName {
    let table = node.node(key, as: "RangeVar")
    allow(["schemaname", "relname", "inh", "relpersistence"], in: table)
    if !mayBeOnly, !table.flag("inh") { refuse("ONLY is not supported here: no table inherits; leave it out") }
    switch table.textIfThere("relpersistence") {
    case "p"?: break
    case "t"?: refuse("a temporary table is not supported: leave it out")
    case "u"?: refuse("an unlogged table is not supported: leave out UNLOGGED")
    default: refuse("the parser's tree names no table")
    }
    return SQLName(schema: table.textIfThere("schemaname"), table.text("relname"), at: offset(table))
  }

  /// The texts of a list; a problem if there is anything else in it.
  mutating func texts(_ node: TreeNode, _ key: String) -> [String] {
    guard let texts = node.texts(key) else {
      refuse("the parser's tree has no list of names in \(node.kind).\(key)")
      return []
    }
    return texts
  }

  /// The roles of a list.
  mutating func roles(_ node: TreeNode, _ key: String) -> [SQLRole] {
    node.nodes(key).map { role($0) }
  }

  /// A role.
  mutating func role(_ node: TreeNode) -> SQLRole {
    allow(["roletype", "rolename"], in: node)
    switch node.text("roletype") {
    case "ROLESPEC_CSTRING": return .named(node.text("rolename"))
    case "ROLESPEC_PUBLIC": return .everyone
    case "ROLESPEC_CURRENT_ROLE": return .currentRole
    case "ROLESPEC_CURRENT_USER": return .currentUser
    case "ROLESPEC_SESSION_USER": return .sessionUser
    default:
      refuse("the parser's tree names no role")
      return .everyone
    }
  }

  /// Whether a statement takes along what depends on it.
  func isCascading(_ node: TreeNode) -> Bool { node.text("behavior") == "DROP_CASCADE" }

  /// The name of a function. No two functions have one name, so its arguments tell nothing.
  mutating func functionName(_ node: TreeNode) -> SQLName {
    allow(["objname", "objargs", "objfuncargs", "args_unspecified"], in: node)
    return name(node.texts("objname"))
  }

  /// The objects of a list, whose names are lists themselves.
  mutating func listedNames(_ nodes: [TreeNode]) -> [SQLName] {
    nodes.map { name(TreeNode.texts($0.nodes("items"))) }
  }
}
