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
    case _ where type.flag("setof"):
      refuse("a function that returns rows is not supported")
      return .other
    default: return .value(castType(type))
    }
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

  // MARK: Bodies

  private mutating func body(_ node: TreeNode, _ result: CreateFunction.Result, at start: Int) -> CreateFunction.Body {
    let options = node.nodes("options")
    let language = options.first { $0.text("defname") == "language" }?.node("arg").text("sval").lowercased()
    guard let text = options.first(where: { $0.text("defname") == "as" })?.items(of: "arg").first?.text("sval") else {
      return .unsupported("a body in standard SQL is not supported: write AS $$ … $$")
    }
    switch language {
    case "plpgsql":
      do throws(RoutineProblem) {
        return steps(try RoutineOutline(text, isTrigger: result == .trigger), at: start)
      } catch {
        return .unsupported(error.message)
      }
    case "sql": return steps(text, result, at: start)
    default: return .unsupported("the language \(language ?? "") is not supported: write sql or plpgsql")
    }
  }

  /// A body in SQL: statements, the last of which may find what is returned.
  private mutating func steps(_ text: String, _ result: CreateFunction.Result, at start: Int) -> CreateFunction.Body {
    var steps: [RoutineBody.Step] = []
    let reasons = collecting(at: start) { reader in
      let statements = reader.statements(of: text)
      for (number, statement) in statements.enumerated() {
        if statement.kind == "SelectStmt" {
          guard number == statements.count - 1, case .value = result else {
            reader.refuse("a query that returns nothing is not supported")
            continue
          }
          steps.append(.returns(reader.value(statement)))
        } else {
          steps.append(.write(reader.write(statement), into: []))
        }
      }
    }
    return reasons.first.map { .unsupported($0) } ?? .steps(RoutineBody(steps))
  }

  private mutating func steps(_ outline: RoutineOutline, at start: Int) -> CreateFunction.Body {
    var body = RoutineBody([])
    let reasons = collecting(at: start) { reader in
      let nodes = reader.statements(of: outline.texts.joined(separator: ";\n"))
      guard nodes.count == outline.texts.count || reader.found.count > 0 else {
        return reader.refuse("a step is not one statement")
      }
      guard reader.found.isEmpty else { return }
      body.variables = outline.variables.map { variable in
        guard case .cast(let value, let type) = reader.value(nodes[variable.value]).kind else {
          return RoutineBody.Variable(variable.name, SQLType(.text))
        }
        return RoutineBody.Variable(variable.name, type, value)
      }
      body.steps = reader.steps(outline.steps, nodes)
    }
    return reasons.first.map { .unsupported($0) } ?? .steps(body)
  }

  private mutating func steps(_ outline: [RoutineOutline.Step], _ nodes: [TreeNode]) -> [RoutineBody.Step] {
    outline.map { step in
      switch step {
      case .assign(let target, let value): return .assign(column(target), self.value(nodes[value]))
      case .select(let query, let targets): return .select(self.query(nodes[query]), into: targets.map { column($0) })
      case .write(let statement, let targets):
        return .write(write(nodes[statement]), into: targets.map { column($0) })
      case .branch(let branches, let otherwise):
        let read = branches.map {
          RoutineBody.Branch(condition: value(nodes[$0.condition]), steps: steps($0.steps, nodes))
        }
        return .branch(read, otherwise: steps(otherwise, nodes))
      case .raise(let text, let values, let code): return .raise(text, values.map { value(nodes[$0]) }, code: code)
      case .returns(let value): return .returns(value.map { self.value(nodes[$0]) })
      case .returnsRow(let row): return .returns(SQLExpression(.column(SQLColumn(row))))
      }
    }
  }

  private mutating func column(_ parts: [String]) -> SQLColumn {
    switch parts.count {
    case 1: return SQLColumn(parts[0])
    case 2: return SQLColumn(table: parts[0], parts[1])
    default:
      refuse("\(parts.joined(separator: ".")) is neither a variable nor a column")
      return SQLColumn(parts[0])
    }
  }

  /// The one value of `SELECT value`.
  private mutating func value(_ node: TreeNode) -> SQLExpression {
    let results = node.nodes("targetList")
    let isPlain = node.members.allSatisfy { ["targetList", "limitOption", "op"].contains($0) }
    guard node.kind == "SelectStmt", results.count == 1, isPlain else {
      return SQLExpression(.query(query(node)))
    }
    allow(["val", "name"], in: results[0])
    return expression(results[0].node("val"))
  }

  /// The statements of a text of SQL inside of a function.
  private mutating func statements(of text: String) -> [TreeNode] {
    source = text
    do throws(SQLError) {
      return try grammar(text)["stmts"]?.array?.map { TreeNode($0["stmt"] ?? .null) } ?? []
    } catch {
      refuse(error.message)
      return []
    }
  }

  /// A statement that writes rows, which may name columns and variables.
  private mutating func write(_ node: TreeNode) -> RowWrite {
    switch node.kind {
    case "InsertStmt": return .insert(insertRows(node, mayReadRows: true))
    case "UpdateStmt":
      allow(["relation", "targetList", "whereClause"], in: node)
      let (table, alias) = aliased(node.node("relation", as: "RangeVar"))
      let values = node.nodes("targetList").map { target in
        allow(["name", "val"], in: target)
        let isDefault = target.node("val").kind == "SetToDefault"
        return RowWrite.Assignment(
          column: target.text("name"), value: isDefault ? nil : expression(target.node("val")))
      }
      return .update(table, alias: alias, values, where: expressionIfThere(node, "whereClause"))
    case "DeleteStmt":
      allow(["relation", "whereClause"], in: node)
      let (table, alias) = aliased(node.node("relation", as: "RangeVar"))
      return .delete(table, alias: alias, where: expressionIfThere(node, "whereClause"))
    default:
      refuse(UnsupportedStatement.reason(for: node))
      return .delete(SQLName(""), alias: nil, where: nil)
    }
  }

  private mutating func aliased(_ node: TreeNode) -> (SQLName, alias: String?) {
    guard case .table(let name, let alias) = tableSource(node) else { return (SQLName(""), nil) }
    return (name, alias)
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
