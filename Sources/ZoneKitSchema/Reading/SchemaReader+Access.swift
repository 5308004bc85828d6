/// Indexes, policies, the publication and privileges.
extension SchemaReader {
  /// An index.
  mutating func createIndex(_ node: TreeNode) -> CreateIndex {
    allow(
      [
        "idxname", "relation", "accessMethod", "indexParams", "unique", "if_not_exists", "whereClause", "options",
        "indexIncludingParams", "concurrent",
      ], in: node)
    let table = table(node, "relation")
    let method = CreateIndex.Method(rawValue: node.text("accessMethod"))
    if method == nil {
      refuse("an index of the kind \(node.text("accessMethod")) is not known: use btree, gin or hash")
    }
    let parts = node.nodes("indexParams").map { part($0) }
    return CreateIndex(
      node.textIfThere("idxname"), on: table, method ?? .btree, parts, where: expressionIfThere(node, "whereClause"),
      isUnique: node.flag("unique"), ifNotExists: node.flag("if_not_exists"))
  }

  private mutating func part(_ node: TreeNode) -> CreateIndex.Part {
    // How an index compares has no effect on what a query finds.
    allow(["name", "expr", "ordering", "nulls_ordering", "opclass", "opclassopts"], in: node)
    let value =
      node.textIfThere("name").map { SQLExpression(.column(SQLColumn($0)), at: SourceOffset(here)) }
      ?? expression(node.node("expr"))
    if node.text("ordering") == "SORTBY_USING" { refuse("USING of an operator is not supported: write ASC or DESC") }
    let order = node.text("ordering") == "SORTBY_DESC" ? true : node.text("ordering") == "SORTBY_ASC" ? false : nil
    let nulls = node.text("nulls_ordering")
    let first = nulls == "SORTBY_NULLS_FIRST" ? true : nulls == "SORTBY_NULLS_LAST" ? false : nil
    return CreateIndex.Part(value, isDescending: order, nullsFirst: first)
  }

  /// A policy.
  mutating func createPolicy(_ node: TreeNode) -> CreatePolicy {
    allow(["policy_name", "table", "cmd_name", "permissive", "roles", "qual", "with_check"], in: node)
    let table = table(node, "table")
    let command = CreatePolicy.Command(rawValue: node.text("cmd_name").uppercased())
    if command == nil { refuse("the parser's tree has no command of a policy") }
    let roles = roles(node, "roles")
    let using = expressionIfThere(node, "qual")
    return CreatePolicy(
      node.text("policy_name"), on: table, isPermissive: node.flag("permissive"), for: command ?? .all, to: roles,
      using: using, withCheck: expressionIfThere(node, "with_check"))
  }

  /// Other roles or conditions of a policy.
  mutating func alterPolicy(_ node: TreeNode) -> AlterPolicy {
    allow(["policy_name", "table", "roles", "qual", "with_check"], in: node)
    return AlterPolicy(
      name: node.text("policy_name"), table: table(node, "table"),
      roles: node.has("roles") ? roles(node, "roles") : nil, using: expressionIfThere(node, "qual"),
      withCheck: expressionIfThere(node, "with_check"))
  }

  /// The publication with the tables that it has at first.
  mutating func createPublication(_ node: TreeNode) -> PublicationScope {
    allow(["pubname", "pubobjects", "for_all_tables"], in: node)
    checkPublication(node.text("pubname"))
    return node.flag("for_all_tables") ? .allTables : .tables(publicationTables(node))
  }

  /// A change of the publication; nil if it was refused.
  mutating func alterPublication(_ node: TreeNode) -> SchemaStatement? {
    allow(["pubname", "pubobjects", "action"], in: node)
    checkPublication(node.text("pubname"))
    let tables = publicationTables(node)
    switch node.text("action") {
    case "AP_AddObjects": return .alterPublication(.add, tables)
    case "AP_DropObjects": return .alterPublication(.drop, tables)
    case "AP_SetObjects": return .alterPublication(.set, tables)
    default:
      refuse("this change of a publication is not supported: add, drop or set tables")
      return nil
    }
  }

  /// Notes a problem if that is not the one publication that is served.
  mutating func checkPublication(_ name: String) {
    if name != PublicationScope.name {
      refuse(
        "the publication \(name.quotedAsName) is not supported: the one that is served is \(PublicationScope.name)")
    }
  }

  private mutating func publicationTables(_ node: TreeNode) -> [SQLName] {
    node.nodes("pubobjects").map { object in
      allow(["pubobjtype", "pubtable", "name"], in: object)
      guard object.text("pubobjtype") == "PUBLICATIONOBJ_TABLE" else {
        refuse("all tables of a schema are not supported in a publication: name the tables")
        return SQLName("")
      }
      let entry = object.node("pubtable", as: "PublicationTable")
      move(to: entry.node("relation", as: "RangeVar"))
      allow(["relation"], in: entry)
      return table(entry, "relation")
    }
  }

  /// Privileges; nil for those of other objects than tables, which have no effect.
  mutating func grant(_ node: TreeNode) -> GrantStatement? {
    // That a role may pass a privilege on has no effect: no client gives privileges.
    let members = ["is_grant", "targtype", "objtype", "objects", "privileges", "grantees", "grant_option", "behavior"]
    allow(members, in: node)
    if isCascading(node) {
      refuse("CASCADE behind REVOKE is not supported: no role passes privileges on; leave it out")
    }
    guard let subject = grantSubject(node) else { return nil }
    return GrantStatement(
      isGrant: node.flag("is_grant"), privileges(node), on: subject, roles: roles(node, "grantees"))
  }

  private mutating func privileges(_ node: TreeNode) -> [GrantStatement.Privilege] {
    node.nodes("privileges").map { privilege in
      allow(["priv_name", "cols"], in: privilege)
      return GrantStatement.Privilege(privilege.textIfThere("priv_name"), columns: texts(privilege, "cols"))
    }
  }

  private mutating func grantSubject(_ node: TreeNode) -> GrantStatement.Subject? {
    let objects = node.nodes("objects")
    switch (node.text("targtype"), node.text("objtype")) {
    case ("ACL_TARGET_OBJECT", "OBJECT_TABLE"): return .tables(objects.map { grantTable($0) })
    case ("ACL_TARGET_ALL_IN_SCHEMA", "OBJECT_TABLE"): return .allTables(schemas: texts(node, "objects"))
    default: return nil
    }
  }

  /// Privileges that tables have when they are made; nil for those of other objects, which have no effect.
  mutating func defaultPrivileges(_ node: TreeNode) -> GrantStatement? {
    allow(["options", "action"], in: node)
    var schemas: [String] = []
    for option in node.nodes("options") {
      switch option.text("defname") {
      case "schemas": schemas = TreeNode.texts(option.items(of: "arg")) ?? []
      // The roles that make tables: here all tables are made by one.
      case "roles": break
      case let name: refuse("\(UnsupportedMember.words(name)) of default privileges is not supported: leave it out")
      }
    }
    let action = node.node("action", as: "GrantStmt")
    guard action.text("objtype") == "OBJECT_TABLE" else { return nil }
    allow(["is_grant", "targtype", "objtype", "privileges", "grantees", "grant_option", "behavior"], in: action)
    return GrantStatement(
      isGrant: action.flag("is_grant"), privileges(action), on: .allTables(schemas: schemas),
      roles: roles(action, "grantees"))
  }

  private mutating func grantTable(_ node: TreeNode) -> SQLName {
    allow(["schemaname", "relname", "inh", "relpersistence"], in: node)
    return SQLName(schema: node.textIfThere("schemaname"), node.text("relname"), at: offset(node))
  }
}
