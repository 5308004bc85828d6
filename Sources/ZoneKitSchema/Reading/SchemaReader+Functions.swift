/// Functions and triggers.
extension SchemaReader {
  /// A function.
  mutating func createFunction(_ node: TreeNode, at start: Int, sql: String) -> CreateFunction {
    allow(["replace", "funcname", "parameters", "returnType", "options", "sql_body", "is_procedure"], in: node)
    let name = name(node.texts("funcname"), at: SourceOffset(start))
    let options = node.nodes("options")
    let isDefiner = options.contains { $0.text("defname") == "security" && $0.node("arg").flag("boolval") }
    var parameters: [CreateFunction.Parameter] = []
    var result = CreateFunction.Result.other
    // What can only be a fixed answer is no problem yet: there may be one.
    let reasons = collecting(at: start) { reader in
      parameters = reader.parameters(node)
      result = reader.result(node)
      for option in options { reader.check(option) }
    }
    var body = CreateFunction.Body.unsupported(reasons.first ?? "")
    if reasons.isEmpty {
      parameterNames = parameters.map(\.name)
      body = self.body(node, result, at: start)
      parameterNames = []
    }
    return CreateFunction(
      name, parameters, returns: result, body, isDefiner: isDefiner, replaces: node.flag("replace"), sql: sql)
  }

  private mutating func parameters(_ node: TreeNode) -> [CreateFunction.Parameter] {
    node.nodes("parameters").enumerated().compactMap { number, parameter in
      allow(["name", "argType", "mode", "defexpr"], in: parameter)
      switch parameter.text("mode") {
      case "FUNC_PARAM_DEFAULT", "FUNC_PARAM_IN": break
      case "FUNC_PARAM_TABLE": return nil
      default: refuse("a parameter that is no plain input is not supported")
      }
      let type = castType(parameter.node("argType", as: "TypeName"))
      return CreateFunction.Parameter(
        parameter.textIfThere("name") ?? "$\(number + 1)", type, defaultValue: expressionIfThere(parameter, "defexpr"))
    }
  }

  private mutating func result(_ node: TreeNode) -> CreateFunction.Result {
    if node.flag("is_procedure") || !node.has("returnType") {
      refuse("a procedure is not supported")
      return .other
    }
    let type = node.node("returnType", as: "TypeName")
    switch type.texts("names") {
    case ["trigger"]: return .trigger
    case ["void"]: return .nothing
    default: break
    }
    let columns = node.nodes("parameters").filter { $0.text("mode") == "FUNC_PARAM_TABLE" }.map { column in
      CreateFunction.Parameter(column.text("name"), castType(column.node("argType", as: "TypeName")))
    }
    guard columns.isEmpty else { return .rows(columns) }
    if type.texts("names") == ["record"] {
      refuse("a function that returns a record is not supported: write RETURNS TABLE (…)")
      return .other
    }
    return type.flag("setof") ? .values(castType(type.without("setof"))) : .value(castType(type))
  }

  /// Notes a problem for an option that would change what a function does.
  private mutating func check(_ option: TreeNode) {
    switch option.text("defname") {
    case "language", "as", "security", "volatility", "leakproof", "parallel", "cost", "rows", "strict": break
    case "set":
      let setting = option.node("arg").text("name")
      if setting != "search_path" { refuse("SET \(setting) of a function is not supported: leave it out") }
    case let name: refuse("the option \(UnsupportedMember.words(name)) of a function is not supported: leave it out")
    }
  }

  // MARK: Blocks

  /// A block that makes objects unless they are there; nil if it was refused.
  mutating func doBlock(_ node: TreeNode, at start: Int, sql: String) -> AttemptedStatements? {
    let options = node.nodes("args")
    let language = options.first { $0.text("defname") == "language" }?.node("arg").text("sval") ?? "plpgsql"
    let body = options.first { $0.text("defname") == "as" }?.node("arg").text("sval") ?? ""
    do throws(RoutineProblem) {
      guard language == "plpgsql" else { throw RoutineProblem("the language \(language) is not supported") }
      let block = try DoBlock(body)
      var statements: [SchemaStatement] = []
      let reasons = collecting(at: start) { reader in
        let nodes = reader.statements(of: block.texts.joined(separator: ";\n"))
        for node in nodes {
          if let statement = reader.statement(node, at: start, sql: "") { statements.append(statement) }
        }
      }
      if let reason = reasons.first { throw RoutineProblem(reason) }
      return AttemptedStatements(statements, sql: sql)
    } catch {
      refuse("a do block does what is not supported: \(error.message); write its statements themselves", at: start)
      return nil
    }
  }

  // MARK: Triggers

  /// A trigger.
  mutating func createTrigger(_ node: TreeNode) -> CreateTrigger {
    allow(
      [
        "replace", "trigname", "relation", "funcname", "args", "row", "timing", "events", "columns", "whenClause",
        "transitionRels",
      ], in: node)
    let table = table(node, "relation")
    // PostgreSQL's bits: before is 2, after 0, instead of 64; insert 4, delete 8, update 16, truncate 32.
    let bits = node.number("events")
    let events = [(CreateTrigger.Event.insert, 4), (.update, 16), (.delete, 8)].filter { bits & Int64($0.1) != 0 }
    if node.number("timing") == 64 || bits & 32 != 0 {
      refuse("a trigger is supported BEFORE or AFTER INSERT, UPDATE or DELETE")
    }
    if !node.flag("row") { refuse("a trigger for statements is not supported: write FOR EACH ROW") }
    return CreateTrigger(
      node.text("trigname"), on: table, isBefore: node.number("timing") == 2, events.map(\.0),
      of: node.has("columns") ? texts(node, "columns") : [], when: expressionIfThere(node, "whenClause"),
      calls: name(node.texts("funcname")), texts(node, "args"), replaces: node.flag("replace"))
  }
}
