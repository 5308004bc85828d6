/// A PL/pgSQL body as steps around texts of SQL, which PostgreSQL's grammar reads.
struct RoutineOutline {
  /// A step whose SQL is not read yet. Numbers are those of `texts`.
  indirect enum Step {
    case assign([String], value: Int)
    case select(Int, into: [[String]])
    case write(Int, into: [[String]])
    case branch([(condition: Int, steps: [Step])], otherwise: [Step])
    case raise(String, [Int], code: String?)
    case returns(Int?)
    /// What is returned is the row of a trigger, or nothing.
    case returnsRow(String)
  }

  /// A variable; the type is a part of the text `value`, which casts its first value to it.
  struct Variable {
    var name: String
    var value: Int
  }

  /// The texts of SQL, each one statement.
  private(set) var texts: [String] = []
  /// The variables.
  private(set) var variables: [Variable] = []
  /// The steps.
  private(set) var steps: [Step] = []

  private var source: RoutineReader
  private let isTrigger: Bool

  /// The outline of a body. Throws if it does anything that is not carried out.
  init(_ body: String, isTrigger: Bool) throws(RoutineProblem) {
    source = RoutineReader(body)
    self.isTrigger = isTrigger
    steps = try block()
    _ = source.take(";")
    try source.expectEnd()
  }

  private mutating func add(_ text: String) -> Int {
    texts.append(text)
    return texts.count - 1
  }

  private mutating func expression(upTo end: String) throws(RoutineProblem) -> Int {
    let text = try source.text(upTo: [end])
    guard !text.isEmpty else { throw RoutineProblem("expected a value before \(end.uppercased())") }
    return add("SELECT \(text)")
  }

  // MARK: Steps

  private mutating func block() throws(RoutineProblem) -> [Step] {
    try source.enter()
    defer { source.leave() }
    if source.take("declare") {
      while !source.isNext("begin") { try variable() }
    }
    try source.expect("begin")
    let steps = try self.steps(upTo: ["end", "exception"])
    if source.isNext("exception") { throw RoutineProblem("EXCEPTION is not supported: leave it out") }
    try source.expect("end")
    return steps
  }

  private mutating func variable() throws(RoutineProblem) {
    let name = try source.name("a variable")
    _ = source.take("constant")
    let declared = try source.text(upTo: [";"])
    try source.expect(";")
    let parts = Self.split(declared)
    variables.append(Variable(name: name, value: add("SELECT CAST((\(parts.value)) AS \(parts.type))")))
  }

  /// A declaration without its name: the type, and the text of the first value.
  private static func split(_ declared: String) -> (type: String, value: String) {
    let words = RoutineWords(declared)
    let sign = words.words.firstIndex { $0.kind != .text && [":=", "=", "default"].contains($0.text) }
    guard let sign else { return (declared, "NULL") }
    return (words.source(0..<sign), words.source((sign + 1)..<words.words.count))
  }

  private mutating func steps(upTo ends: [String]) throws(RoutineProblem) -> [Step] {
    var steps: [Step] = []
    while let word = source.next, !(word.kind == .name && ends.contains(word.text)) { steps += try step(word) }
    guard source.next != nil else { throw RoutineProblem("expected END before the end") }
    return steps
  }

  private mutating func step(_ word: RoutineWords.Word) throws(RoutineProblem) -> [Step] {
    guard word.kind == .name || word.kind == .quotedName else {
      throw RoutineProblem("“\(word.text)” is not the beginning of a step")
    }
    switch word.kind == .name ? word.text : "" {
    case "if": return [try branch()]
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
    case "insert", "update", "delete": return [try write()]
    case "select": return [try select()]
    case "loop", "while", "for", "foreach", "case", "execute", "open", "fetch", "close", "exit", "continue", "perform",
      "call", "get", "with", "commit", "rollback", "assert":
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
    try source.expect("end")
    try source.expect("if")
    try source.expect(";")
    return .branch(branches, otherwise: otherwise)
  }

  private mutating func returned() throws(RoutineProblem) -> Step {
    try source.expect("return")
    if source.isNext("query") || source.isNext("next") {
      throw RoutineProblem("RETURN \(source.next?.text.uppercased() ?? "") is not supported")
    }
    if source.take(";") { return .returns(nil) }
    if isTrigger {
      for row in ["new", "old", "null"] where source.isNext(row, ";") {
        source.skip(2)
        return .returnsRow(row)
      }
      throw RoutineProblem("a trigger returns NEW, OLD or NULL")
    }
    let value = try expression(upTo: ";")
    try source.expect(";")
    return .returns(value)
  }

  /// What gets a value: a variable, or a column of a row.
  private mutating func target() throws(RoutineProblem) -> [String] {
    var target: [String] = []
    repeat { target.append(try source.name("a variable")) } while source.take(".")
    return target
  }

  /// The targets behind INTO.
  private mutating func targets() throws(RoutineProblem) -> [[String]] {
    _ = source.take("strict")
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
      if source.take("into") { targets = try self.targets() }
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
    let targets = try self.targets()
    let rest = source.place
    _ = try source.text(upTo: [";"])
    let query = source.source.source(start..<end) + " " + source.source.source(rest..<source.place)
    try source.expect(";")
    return .select(add(query), into: targets)
  }

  /// `RAISE EXCEPTION 'text %', value USING ERRCODE = 'code'`. Other levels are notices, which nobody reads.
  private mutating func raise() throws(RoutineProblem) -> [Step] {
    try source.expect("raise")
    for level in ["debug", "log", "info", "notice", "warning"] where source.take(level) {
      _ = try source.text(upTo: [";"])
      try source.expect(";")
      return []
    }
    _ = source.take("exception")
    guard let format = source.next, format.kind == .text else {
      throw RoutineProblem("RAISE without a text is not supported")
    }
    source.skip()
    var values: [Int] = []
    while source.take(",") { values.append(add("SELECT \(try source.text(upTo: [",", "using", ";"]))")) }
    var code: String?
    if source.take("using") {
      repeat {
        let option = try source.name("an option")
        guard source.take("=") || source.take(":=") else { throw RoutineProblem("expected = behind USING \(option)") }
        let value = source.next
        _ = try source.text(upTo: [",", ";"])
        if option == "errcode", let value, value.kind == .text { code = value.quoted }
      } while source.take(",")
    }
    try source.expect(";")
    return [.raise(format.quoted, values, code: code)]
  }
}
