/// Transactions, settings, schemas, extensions and types.
extension SchemaReader {
  /// The beginning or end of a transaction; nil if it is another step.
  mutating func transaction(_ node: TreeNode) -> SchemaStatement? {
    switch node.text("kind") {
    case "TRANS_STMT_BEGIN", "TRANS_STMT_START":
      allow(["kind"], in: node)
      return .transaction(.begin)
    case "TRANS_STMT_COMMIT":
      allow(["kind"], in: node)
      return .transaction(.commit)
    case "TRANS_STMT_ROLLBACK", "TRANS_STMT_ROLLBACK_TO":
      refuse("rollback is not supported: leave out what it takes back")
    default: refuse("a savepoint or prepared transaction is not supported: write begin and commit")
    }
    return nil
  }

  /// A setting; nil if it was refused.
  mutating func setting(_ node: TreeNode) -> SettingStatement? {
    allow(["kind", "name", "args"], in: node)
    let kind = node.text("kind")
    guard kind == "VAR_SET_VALUE" || kind == "VAR_SET_DEFAULT" else {
      refuse("this form of SET or RESET is not supported: leave it out")
      return nil
    }
    return setting(node.text("name"), node.nodes("args"), isCall: false)
  }

  /// A call of `set_config`, as pg_dump writes it; nil for another query, whose result nobody reads.
  mutating func select(_ node: TreeNode) -> SettingStatement? {
    let start = here
    let results = node.nodes("targetList")
    let call = results.first?.node("val") ?? TreeNode(.null)
    let arguments = call.nodes("args")
    guard results.count == 1, call.texts("funcname")?.last == "set_config", arguments.count == 3 else {
      // What a query calls may change something.
      if let function = node.calledFunctions.first(where: { !Self.readingFunctions.contains($0) }) {
        refuse("a select that calls \(function.quotedAsName) is not supported: leave it out", at: start)
      }
      if node.has("intoClause") { refuse(UnsupportedMember.reason(for: "intoClause", of: "SelectStmt"), at: start) }
      return nil
    }
    allow(["targetList", "limitOption", "op"], in: node)
    allow(["funcname", "args", "funcformat"], in: call)
    let name = arguments[0].node("sval", as: "String").text("sval")
    return setting(name, [arguments[1]], isCall: true)
  }

  /// Functions that are often in queries and change nothing.
  private static let readingFunctions: Set = [
    "array_agg", "array_length", "avg", "concat", "count", "current_setting", "date_trunc", "exists", "format",
    "format_type", "has_table_privilege", "json_agg", "json_build_object", "jsonb_agg", "jsonb_build_object", "length",
    "lower", "max", "min", "now", "obj_description", "pg_get_constraintdef", "pg_get_expr", "pg_get_functiondef",
    "pg_get_indexdef", "pg_get_triggerdef", "pg_get_viewdef", "pg_relation_size", "pg_size_pretty",
    "pg_total_relation_size", "row_number", "string_agg", "sum", "to_char", "uid", "unnest", "upper", "version",
  ]

  private mutating func setting(_ name: String, _ nodes: [TreeNode], isCall: Bool) -> SettingStatement? {
    let place = here
    guard SettingStatement.known.contains(name) else {
      refuse("the setting \(name.quotedAsName) is not supported: leave it out", at: place)
      return nil
    }
    let values = nodes.map { value in
      switch value.kind == "A_Const" ? constant(value) : .null {
      case .null: "null"
      case .boolean(let value): value ? "true" : "false"
      case .integer(let number): String(number)
      case .number(let digits): digits
      case .text(let text): text
      }
    }
    if name == "client_encoding", values.map({ $0.lowercased() }) != ["utf8"] {
      refuse("a schema is written in UTF-8: set client_encoding to 'UTF8', or leave it out", at: place)
    }
    if name == "standard_conforming_strings", values != ["on"], values != ["true"] {
      refuse("backslashes in strings stand for themselves: set standard_conforming_strings to on", at: place)
    }
    if name == "timezone", values.map({ $0.uppercased() }) != ["UTC"] {
      refuse("times are in UTC: set timezone to 'UTC', or leave it out", at: place)
    }
    let schemas = values.flatMap { $0.split { $0 == "," || $0 == " " } }
    if name == "search_path", !schemas.allSatisfy({ ["public", "extensions", "pg_catalog", "$user"].contains($0) }) {
      refuse("names without a schema are in public: leave out search_path, and write the schema", at: place)
    }
    return SettingStatement(name, values, isCall: isCall)
  }

  /// A schema, which is there; nil for another.
  mutating func createSchema(_ node: TreeNode) -> SchemaStatement? {
    allow(["schemaname", "if_not_exists"], in: node)
    let name = node.text("schemaname")
    if name != "public", name != "extensions" {
      refuse("the schema \(name.quotedAsName) is not supported: write the tables into public")
    }
    return .createSchema(name: name, ifNotExists: node.flag("if_not_exists"))
  }

  /// An extension.
  mutating func createExtension(_ node: TreeNode) -> CreateExtension {
    allow(["extname", "if_not_exists", "options"], in: node)
    let name = node.text("extname")
    if !CreateExtension.known.contains(name) {
      let known = CreateExtension.known.joined(separator: ", ")
      refuse("the extension \(name.quotedAsName) is not supported: those that are known are \(known)")
    }
    var schema: String?
    for option in node.nodes("options") {
      move(to: option)
      switch option.text("defname") {
      case "schema": schema = option.node("arg").text("sval")
      case let other: refuse("\(UnsupportedMember.words(other)) of an extension is not supported: leave it out")
      }
    }
    return CreateExtension(name, schema: schema, ifNotExists: node.flag("if_not_exists"))
  }

  /// A type with values.
  mutating func createEnum(_ node: TreeNode) -> CreateEnum {
    allow(["typeName", "vals"], in: node)
    let values = texts(node, "vals")
    if values.isEmpty { refuse("a type without values is not supported: write at least one") }
    return CreateEnum(name(node.texts("typeName")), values)
  }

  /// Another value of a type, or another name of one, which is refused.
  mutating func addEnumValue(_ node: TreeNode) -> AddEnumValue {
    allow(["typeName", "newVal", "newValNeighbor", "newValIsAfter", "skipIfNewValExists"], in: node)
    let neighbor = node.textIfThere("newValNeighbor")
    let position = neighbor.map { node.flag("newValIsAfter") ? AddEnumValue.Position.after($0) : .before($0) }
    return AddEnumValue(
      name(node.texts("typeName")), node.text("newVal"), position ?? .last,
      ifNotExists: node.flag("skipIfNewValExists"))
  }
}
