/// Trigger functions and triggers.
extension SchemaReader {
  /// A function that sets a column to the time; nil if it is another.
  mutating func createFunction(_ node: TreeNode, at start: Int) -> StampFunction? {
    allow(["replace", "funcname", "parameters", "returnType", "options", "sql_body", "is_procedure"], in: node)
    let name = name(node.texts("funcname"), at: SourceOffset(start))
    let isTrigger = node.node("returnType", as: "TypeName").texts("names") == ["trigger"]
    let options = node.nodes("options")
    let language = options.first { $0.text("defname") == "language" }?.node("arg").text("sval")
    guard isTrigger, !node.has("parameters"), !node.has("is_procedure"), language?.lowercased() == "plpgsql" else {
      refuse(
        "the function \(name.sql) is not supported: \(Self.onlyStamps)", at: start)
      return nil
    }
    for option in options { check(option, at: start) }
    let body = options.first { $0.text("defname") == "as" }?.items(of: "arg").first?.text("sval")
    guard let column = body.flatMap({ StampBody.column($0) }) else {
      refuse("the body of the trigger function \(name.sql) is not supported: \(Self.onlyStamps)", at: start)
      return nil
    }
    return StampFunction(name, sets: column, replaces: node.flag("replace"))
  }

  private static let onlyStamps =
    "a function is one for triggers, in plpgsql: begin new.updated_at = now(); return new; end"

  /// Notes a problem for an option that would change what a trigger function does.
  private mutating func check(_ option: TreeNode, at start: Int) {
    switch option.text("defname") {
    // None of these changes what setting a column to now() does.
    case "language", "as", "security", "volatility", "leakproof", "parallel", "cost", "strict": break
    case "set":
      let setting = option.node("arg").text("name")
      if setting != "search_path" {
        refuse("SET \(setting) of a function is not supported: leave it out", at: option.location ?? start)
      }
    case let name:
      refuse("the option \(name) of a function is not supported: leave it out", at: option.location ?? start)
    }
  }

  /// A trigger.
  mutating func createTrigger(_ node: TreeNode) -> CreateTrigger {
    allow(
      ["replace", "trigname", "relation", "funcname", "args", "row", "timing", "events"], in: node)
    let table = table(node, "relation")
    // PostgreSQL's bits: before is 2, after 0, instead of 64; update is 16.
    if node.number("timing") != 2 || node.number("events") != 16 {
      refuse("only triggers BEFORE UPDATE are supported: the tables decide about anything else themselves")
    }
    if !node.flag("row") { refuse("a trigger for statements is not supported: write FOR EACH ROW") }
    return CreateTrigger(
      node.text("trigname"), on: table, calls: name(node.texts("funcname")), texts(node, "args"),
      replaces: node.flag("replace"))
  }
}
