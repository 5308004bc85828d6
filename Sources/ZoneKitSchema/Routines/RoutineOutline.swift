/// A PL/pgSQL body as steps around texts of SQL, which PostgreSQL's grammar reads.
struct RoutineOutline {
  /// A step whose SQL is not read yet. Numbers are those of `texts`.
  indirect enum Step {
    case assign([String], value: Int)
    case select(Int, into: [[String]], isStrict: Bool)
    case perform(Int)
    case write(Int, into: [[String]])
    case branch([(condition: Int, steps: [Step])], otherwise: [Step])
    case loop(Loop, [Step], label: String?)
    case leave(label: String?, isContinue: Bool)
    case block([Step], [(conditions: [String], steps: [Step])])
    case raise(format: String?, [Int], code: String?, options: [(name: String, value: Int)])
    case rowCount([String])
    case returns(Int?)
    /// What is returned is the row of a trigger, or nothing.
    case returnsRow(String)
    case returnsRows(Int)
    case returnsNext(Int?)
  }

  /// How long a loop goes on.
  enum Loop {
    case forever
    case whileTrue(Int)
    case numbers(String, from: Int, to: Int, by: Int?, isReverse: Bool)
    case rows([[String]], Int)
    case elements([String], Int)
  }

  /// A variable; the type of a value is a part of the text `value`, which casts its first value to it.
  struct Variable {
    var name: String
    var kind: Kind
    var value: Int

    enum Kind {
      case value
      case column([String])
      case row([String])
      case record
    }
  }

  /// The texts of SQL, each one statement.
  private(set) var texts: [String] = []
  /// The variables.
  private(set) var variables: [Variable] = []
  /// The steps.
  private(set) var steps: [Step] = []

  var source: RoutineReader
  let isTrigger: Bool

  /// The outline of a body. Throws if it does anything that is not carried out.
  init(_ body: String, isTrigger: Bool) throws(RoutineProblem) {
    source = RoutineReader(body)
    self.isTrigger = isTrigger
    steps = try block()
    _ = source.take(";")
    try source.expectEnd()
  }

  mutating func add(_ text: String) -> Int {
    texts.append(text)
    return texts.count - 1
  }

  mutating func expression(upTo ends: String...) throws(RoutineProblem) -> Int {
    let text = try source.text(upTo: ends)
    guard !text.isEmpty else { throw RoutineProblem("expected a value before \(ends[0].uppercased())") }
    return add("SELECT \(text)")
  }

  // MARK: Blocks

  private mutating func block() throws(RoutineProblem) -> [Step] {
    try source.enter()
    defer { source.leave() }
    if source.take("declare") {
      while !source.isNext("begin") { try variable() }
    }
    try source.expect("begin")
    let steps = try self.steps(upTo: ["end", "exception"])
    var handlers: [(conditions: [String], steps: [Step])] = []
    if source.take("exception") {
      while source.take("when") { handlers.append(try handler()) }
    }
    try source.expect("end")
    // The name of a label may stand behind.
    if let word = source.next, word.kind == .name || word.kind == .quotedName { source.skip() }
    return handlers.isEmpty ? steps : [.block(steps, handlers)]
  }

  private mutating func handler() throws(RoutineProblem) -> (conditions: [String], steps: [Step]) {
    var conditions: [String] = []
    repeat {
      let name = try source.name("a condition")
      guard name == "sqlstate", let code = source.next, code.kind == .text else {
        guard RoutineCondition.isKnown(name) else { throw RoutineProblem("the condition \(name) is not known") }
        conditions.append(name)
        continue
      }
      source.skip()
      conditions.append(code.quoted)
    } while source.take("or")
    try source.expect("then")
    return (conditions, try steps(upTo: ["when", "end"]))
  }

  private mutating func variable() throws(RoutineProblem) {
    let name = try source.name("a variable")
    _ = source.take("constant")
    let declared = try source.text(upTo: [";"])
    try source.expect(";")
    let parts = Self.split(declared)
    let words = RoutineWords(parts.type).words
    let names = words.filter { $0.kind != .sign }.map(\.text)
    var kind = Variable.Kind.value
    if names == ["record"] {
      kind = .record
    } else if words.dropLast().last?.text == "%" {
      switch names.last {
      case "rowtype": kind = .row(names.dropLast())
      case "type": kind = .column(names.dropLast())
      default: break
      }
    }
    var value = "SELECT CAST((\(parts.value)) AS \(parts.type))"
    if case .value = kind {} else { value = "SELECT (\(parts.value))" }
    variables.append(Variable(name: name, kind: kind, value: add(value)))
  }

  /// A declaration without its name: the type, and the text of the first value.
  private static func split(_ declared: String) -> (type: String, value: String) {
    let words = RoutineWords(declared)
    let sign = words.words.firstIndex { $0.kind != .text && [":=", "=", "default"].contains($0.text) }
    guard let sign else { return (declared, "NULL") }
    return (words.source(0..<sign).withoutNotNull, words.source((sign + 1)..<words.words.count))
  }

  // MARK: Steps

  mutating func steps(upTo ends: [String]) throws(RoutineProblem) -> [Step] {
    var steps: [Step] = []
    while let word = source.next, !(word.kind == .name && ends.contains(word.text)) { steps += try step(word) }
    guard source.next != nil else { throw RoutineProblem("expected END before the end") }
    return steps
  }

  private mutating func step(_ word: RoutineWords.Word) throws(RoutineProblem) -> [Step] {
    if word.text == "<", source.isNext("<", "<") { return [try labelled()] }
    guard word.kind == .name || word.kind == .quotedName else {
      throw RoutineProblem("“\(word.text)” is not the beginning of a step")
    }
    switch word.kind == .name ? word.text : "" {
    case "if": return [try branch()]
    case "case": return [try choice()]
    case "return": return [try returned()]
    case "raise": return try raise()
    case "null":
      source.skip()
      try source.expect(";")
      return []
    case "begin", "declare":
      let steps = try block()
      try source.expect(";")
      return steps
    case "loop", "while", "for", "foreach": return [try loop(label: nil)]
    case "exit", "continue": return [try leave()]
    case "perform": return [try performed()]
    case "get": return [try diagnostics()]
    case "insert", "update", "delete": return [try write()]
    case "select", "with": return [try select()]
    case "execute", "open", "fetch", "close", "call", "commit", "rollback", "assert":
      throw RoutineProblem("\(word.text.uppercased()) is not supported")
    default: return [try assignment()]
    }
  }

  private mutating func assignment() throws(RoutineProblem) -> Step {
    let target = try self.target()
    guard source.take(":=") || source.take("=") else {
      throw RoutineProblem("“\(target.joined(separator: "."))” is not the beginning of a step")
    }
    let value = try expression(upTo: ";")
    try source.expect(";")
    return .assign(target, value: value)
  }

  private mutating func branch() throws(RoutineProblem) -> Step {
    try source.enter()
    defer { source.leave() }
    try source.expect("if")
    var branches: [(condition: Int, steps: [Step])] = []
    repeat {
      let condition = try expression(upTo: "then")
      try source.expect("then")
      branches.append((condition, try steps(upTo: ["elsif", "elseif", "else", "end"])))
    } while source.take("elsif") || source.take("elseif")
    let otherwise = source.take("else") ? try steps(upTo: ["end"]) : []
    for word in ["end", "if", ";"] { try source.expect(word) }
    return .branch(branches, otherwise: otherwise)
  }

  /// `CASE WHEN … THEN …`, or `CASE value WHEN …`, which compares.
  private mutating func choice() throws(RoutineProblem) -> Step {
    try source.enter()
    defer { source.leave() }
    try source.expect("case")
    let compared = source.isNext("when") ? nil : try source.text(upTo: ["when"])
    var branches: [(condition: Int, steps: [Step])] = []
    while source.take("when") {
      let condition = try source.text(upTo: ["then"])
      try source.expect("then")
      let whole = compared.map { "(\($0)) IN (\(condition))" } ?? condition
      branches.append((add("SELECT \(whole)"), try steps(upTo: ["when", "else", "end"])))
    }
    var otherwise = [Step.raise(format: "case not found", [], code: "20000", options: [])]
    if source.take("else") { otherwise = try steps(upTo: ["end"]) }
    for word in ["end", "case", ";"] { try source.expect(word) }
    return .branch(branches, otherwise: otherwise)
  }

  private mutating func returned() throws(RoutineProblem) -> Step {
    try source.expect("return")
    if source.take("query") {
      if source.isNext("execute") { throw RoutineProblem("EXECUTE is not supported") }
      let query = try source.text(upTo: [";"])
      try source.expect(";")
      return .returnsRows(add(query))
    }
    if source.take("next") {
      let value = source.isNext(";") ? nil : try expression(upTo: ";")
      try source.expect(";")
      return .returnsNext(value)
    }
    if source.take(";") { return .returns(nil) }
    if isTrigger {
      for row in ["new", "old", "null"] where source.isNext(row, ";") {
        source.skip(2)
        return .returnsRow(row)
      }
      for first in ["new", "old"]
      where source.isNext("coalesce", "(", first, ",", first == "new" ? "old" : "new", ")", ";") {
        source.skip(7)
        return .returnsRow("coalesce")
      }
      throw RoutineProblem("a trigger returns NEW, OLD or NULL")
    }
    let value = try expression(upTo: ";")
    try source.expect(";")
    return .returns(value)
  }

  private mutating func performed() throws(RoutineProblem) -> Step {
    try source.expect("perform")
    let text = try source.text(upTo: [";"])
    try source.expect(";")
    return .perform(add("SELECT \(text)"))
  }

  /// `GET DIAGNOSTICS variable = ROW_COUNT`.
  private mutating func diagnostics() throws(RoutineProblem) -> Step {
    try source.expect("get")
    if source.isNext("stacked") { throw RoutineProblem("GET STACKED DIAGNOSTICS is not supported: use SQLERRM") }
    _ = source.take("current")
    try source.expect("diagnostics")
    let target = try self.target()
    guard source.take("=") || source.take(":="), source.take("row_count") else {
      throw RoutineProblem("GET DIAGNOSTICS is supported only for ROW_COUNT")
    }
    try source.expect(";")
    return .rowCount(target)
  }

  // MARK: Statements

  /// What gets a value: a variable, or a column of a row.
  mutating func target() throws(RoutineProblem) -> [String] {
    var target: [String] = []
    repeat { target.append(try source.name("a variable")) } while source.take(".")
    return target
  }

  /// What gets values.
  mutating func targets() throws(RoutineProblem) -> [[String]] {
    var targets: [[String]] = []
    repeat { targets.append(try target()) } while source.take(",")
    return targets
  }

  /// A statement that writes rows, maybe `RETURNING … INTO …`.
  private mutating func write() throws(RoutineProblem) -> Step {
    let start = source.place
    _ = try source.text(upTo: ["returning", ";"])
    var targets: [[String]] = []
    var end = source.place
    if source.take("returning") {
      _ = try source.text(upTo: ["into", ";"])
      end = source.place
      if source.take("into") {
        _ = source.take("strict")
        targets = try self.targets()
      }
    }
    try source.expect(";")
    return .write(add(source.source.source(start..<end)), into: targets)
  }

  /// `SELECT … INTO …`, with the targets anywhere behind the results.
  private mutating func select() throws(RoutineProblem) -> Step {
    let start = source.place
    _ = try source.text(upTo: ["into", ";"])
    let end = source.place
    // A query whose result nobody reads: only its functions could do something.
    guard source.take("into") else { throw RoutineProblem("a SELECT without INTO is not supported") }
    let isStrict = source.take("strict")
    let targets = try self.targets()
    let rest = source.place
    _ = try source.text(upTo: [";"])
    let query = source.source.source(start..<end) + " " + source.source.source(rest..<source.place)
    try source.expect(";")
    return .select(add(query), into: targets, isStrict: isStrict)
  }
}

extension String {
  /// The type without the `NOT NULL` behind it.
  fileprivate var withoutNotNull: String {
    let words = RoutineWords(self)
    guard words.words.suffix(2).map(\.text) == ["not", "null"] else { return self }
    return words.source(0..<(words.words.count - 2))
  }
}
