/// What functions do.
extension SchemaReader {
  /// The body of a function.
  mutating func body(_ node: TreeNode, _ result: CreateFunction.Result, at start: Int) -> CreateFunction.Body {
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
        let isLast = number == statements.count - 1 && result != .nothing
        if statement.kind == "SelectStmt" {
          steps.append(isLast ? reader.returned(statement, result) : .perform(reader.query(statement)))
        } else {
          let write = reader.write(statement)
          steps.append(isLast && !write.returning.isEmpty ? .returnsWritten(write) : .write(write, into: []))
        }
      }
    }
    return reasons.first.map { .unsupported($0) } ?? .steps(RoutineBody(steps))
  }

  /// The last query of a function.
  private mutating func returned(_ node: TreeNode, _ result: CreateFunction.Result) -> RoutineBody.Step {
    switch result {
    case .values, .rows: return .returnsRows(query(node))
    case .value(let type):
      if case .named = type.kind { return .returnsRows(query(node)) }
      return .returns(value(node))
    case .nothing, .trigger, .other: return .returns(value(node))
    }
  }

  private mutating func steps(_ outline: RoutineOutline, at start: Int) -> CreateFunction.Body {
    var body = RoutineBody([], isLate: true)
    let reasons = collecting(at: start) { reader in
      let nodes = reader.statements(of: outline.texts.joined(separator: ";\n"))
      guard nodes.count == outline.texts.count || reader.found.count > 0 else {
        return reader.refuse("a step is not one statement")
      }
      guard reader.found.isEmpty else { return }
      body.variables = outline.variables.map { reader.variable($0, nodes[$0.value]) }
      body.steps = reader.steps(outline.steps, nodes)
    }
    return reasons.first.map { .unsupported($0) } ?? .steps(body)
  }

  private mutating func variable(_ outline: RoutineOutline.Variable, _ node: TreeNode) -> RoutineBody.Variable {
    let value = self.value(node)
    let first: SQLExpression? = value.kind == .constant(.null) ? nil : value
    switch outline.kind {
    case .record: return RoutineBody.Variable(outline.name, .record, first)
    case .row(let table): return RoutineBody.Variable(outline.name, .row(name(table)), first)
    case .column(let names):
      return RoutineBody.Variable(outline.name, .column(name(names.dropLast()), names.last ?? ""), first)
    case .value:
      guard case .cast(let value, let type) = value.kind else {
        return RoutineBody.Variable(outline.name, .value(SQLType(.text)))
      }
      return RoutineBody.Variable(outline.name, .value(type), value.kind == .constant(.null) ? nil : value)
    }
  }

  private mutating func steps(_ outline: [RoutineOutline.Step], _ nodes: [TreeNode]) -> [RoutineBody.Step] {
    outline.map { step($0, nodes) }
  }

  private mutating func step(_ step: RoutineOutline.Step, _ nodes: [TreeNode]) -> RoutineBody.Step {
    switch step {
    case .assign(let target, let value): return .assign(column(target), self.value(nodes[value]))
    case .select(let query, let targets, let isStrict):
      return .select(self.query(nodes[query]), into: targets.map { column($0) }, isStrict: isStrict)
    case .perform(let query): return .perform(self.query(nodes[query]))
    case .write(let statement, let targets):
      return .write(write(nodes[statement]), into: targets.map { column($0) })
    case .branch(let branches, let otherwise):
      let read = branches.map {
        RoutineBody.Branch(condition: value(nodes[$0.condition]), steps: steps($0.steps, nodes))
      }
      return .branch(read, otherwise: steps(otherwise, nodes))
    case .loop(let kind, let inner, let label): return .loop(loop(kind, nodes), steps(inner, nodes), label: label)
    case .leave(let label, let isContinue): return .leave(label: label, isContinue: isContinue)
    case .block(let inner, let handlers):
      let read = handlers.map { RoutineBody.Handler(conditions: $0.conditions, steps: steps($0.steps, nodes)) }
      return .block(steps(inner, nodes), read)
    case .raise(let format, let values, let code, let options):
      let read = options.map { RoutineBody.Raise.Option(name: $0.name, value: value(nodes[$0.value])) }
      return .raise(RoutineBody.Raise(format, values.map { value(nodes[$0]) }, code: code, options: read))
    case .rowCount(let target): return .rowCount(column(target))
    case .returns(let value): return .returns(value.map { self.value(nodes[$0]) })
    case .returnsRow(let row): return .returns(SQLExpression(.column(SQLColumn(row))))
    case .returnsRows(let query):
      let node = nodes[query]
      return node.kind == "SelectStmt" ? .returnsRows(self.query(node)) : .returnsWritten(write(node))
    case .returnsNext(let value): return .returnsNext(value.map { self.value(nodes[$0]) })
    }
  }

  private mutating func loop(_ loop: RoutineOutline.Loop, _ nodes: [TreeNode]) -> RoutineBody.Loop {
    switch loop {
    case .forever: .forever
    case .whileTrue(let condition): .whileTrue(value(nodes[condition]))
    case .numbers(let name, let from, let to, let by, let isReverse):
      .numbers(
        name, from: value(nodes[from]), to: value(nodes[to]), by: by.map { value(nodes[$0]) }, isReverse: isReverse)
    case .rows(let targets, let query): .rows(targets.map { column($0) }, self.query(nodes[query]))
    case .elements(let target, let array): .elements(column(target), value(nodes[array]))
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
  mutating func statements(of text: String) -> [TreeNode] {
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
    case "InsertStmt": return .insert(insertRows(node, isOfFunction: true))
    case "UpdateStmt":
      allow(["relation", "targetList", "fromClause", "whereClause", "returningList"], in: node)
      var change = change(node, reading: "fromClause")
      change.assignments = assignments(node)
      return .update(change)
    case "DeleteStmt":
      allow(["relation", "usingClause", "whereClause", "returningList"], in: node)
      return .delete(change(node, reading: "usingClause"))
    default:
      refuse(UnsupportedStatement.reason(for: node))
      return .delete(RowChange(table: SQLName("")))
    }
  }

  private mutating func change(_ node: TreeNode, reading sources: String) -> RowChange {
    guard case .table(let name, let alias) = tableSource(node.node("relation", as: "RangeVar")) else {
      return RowChange(table: SQLName(""))
    }
    var change = RowChange(table: name, alias: alias)
    change.sources = node.nodes(sources).map { source($0) }
    change.condition = expressionIfThere(node, "whereClause")
    change.returning = node.nodes("returningList").map { result($0) }
    return change
  }
}
