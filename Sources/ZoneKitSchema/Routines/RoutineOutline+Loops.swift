/// Loops and errors.
extension RoutineOutline {
  /// A loop or a block with a label in front.
  mutating func labelled() throws(RoutineProblem) -> Step {
    source.skip(2)
    let label = try source.name("a label")
    for _ in 0..<2 { try source.expect(">") }
    guard let word = source.next, ["loop", "while", "for", "foreach"].contains(word.text) else {
      throw RoutineProblem("a label is supported only for a loop")
    }
    return try loop(label: label)
  }

  /// A loop.
  mutating func loop(label: String?) throws(RoutineProblem) -> Step {
    try source.enter()
    defer { source.leave() }
    var kind = Loop.forever
    if source.take("while") {
      kind = .whileTrue(try expression(upTo: "loop"))
    } else if source.take("foreach") {
      let target = try self.target()
      guard source.take("in"), source.take("array") else {
        throw RoutineProblem("FOREACH is supported only as FOREACH variable IN ARRAY value")
      }
      kind = .elements(target, try expression(upTo: "loop"))
    } else if source.take("for") {
      kind = try counted()
    }
    try source.expect("loop")
    let steps = try steps(upTo: ["end"])
    for word in ["end", "loop"] { try source.expect(word) }
    if !source.isNext(";") { _ = try source.name("a label") }
    try source.expect(";")
    return .loop(kind, steps, label: label)
  }

  /// What stands behind FOR.
  private mutating func counted() throws(RoutineProblem) -> Loop {
    let targets = try self.targets()
    try source.expect("in")
    let isReverse = source.take("reverse")
    if source.isNext("execute") { throw RoutineProblem("EXECUTE is not supported") }
    guard let middle = source.place(ofRangeUpTo: "loop") else {
      let query = try source.text(upTo: ["loop"])
      guard ["select", "with", "values", "("].contains(RoutineWords(query).words.first?.text ?? "") else {
        throw RoutineProblem("FOR is supported for numbers and for the rows of a query")
      }
      return .rows(targets, add(query))
    }
    let from = add("SELECT \(source.source.source(source.place..<middle))")
    source.skip(middle + 2 - source.place)
    let to = try expression(upTo: "loop", "by")
    let by = source.take("by") ? try expression(upTo: "loop") : nil
    return .numbers(targets[0].joined(separator: "."), from: from, to: to, by: by, isReverse: isReverse)
  }

  /// `EXIT`, or `CONTINUE`, maybe with a label and a condition.
  mutating func leave() throws(RoutineProblem) -> Step {
    let isContinue = source.isNext("continue")
    source.skip()
    let label = source.isNext("when") || source.isNext(";") ? nil : try source.name("a label")
    let leave = Step.leave(label: label, isContinue: isContinue)
    guard source.take("when") else {
      try source.expect(";")
      return leave
    }
    let condition = try expression(upTo: ";")
    try source.expect(";")
    return .branch([(condition, [leave])], otherwise: [])
  }

  /// `RAISE EXCEPTION 'text %', value USING ERRCODE = 'code'`. Other levels are notices, which nobody reads.
  mutating func raise() throws(RoutineProblem) -> [Step] {
    try source.expect("raise")
    for level in ["debug", "log", "info", "notice", "warning"] where source.take(level) {
      _ = try source.text(upTo: [";"])
      try source.expect(";")
      return []
    }
    _ = source.take("exception")
    var format: String?
    var code: String?
    var values: [Int] = []
    if let word = source.next, word.kind == .text {
      format = word.quoted
      source.skip()
      while source.take(",") { values.append(add("SELECT \(try source.text(upTo: [",", "using", ";"]))")) }
    } else if source.take("sqlstate"), let word = source.next, word.kind == .text {
      code = word.quoted
      source.skip()
    } else if !source.isNext("using"), !source.isNext(";") {
      let name = try source.name("a condition")
      guard let known = RoutineCondition.code(of: name) else {
        throw RoutineProblem("the condition \(name) is not known")
      }
      (code, format) = (known, name)
    }
    var options: [(name: String, value: Int)] = []
    if source.take("using") {
      repeat {
        let option = try source.name("an option")
        guard source.take("=") || source.take(":=") else { throw RoutineProblem("expected = behind USING \(option)") }
        let value = add("SELECT \(try source.text(upTo: [",", ";"]))")
        if ["message", "detail", "hint", "errcode"].contains(option) { options.append((option, value)) }
      } while source.take(",")
    }
    try source.expect(";")
    return [.raise(format: format, values, code: code, options: options)]
  }
}

extension RoutineReader {
  /// Where the two dots of a range are, in front of a word; nil if there are none.
  fileprivate func place(ofRangeUpTo end: String) -> Int? {
    var depth = 0
    for place in place..<source.words.count {
      let word = source.words[place]
      guard word.kind == .name || word.kind == .sign else { continue }
      if depth == 0, word.text == end { return nil }
      switch word.text {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "." where depth == 0 && place + 1 < source.words.count && source.words[place + 1].text == ".": return place
      default: break
      }
    }
    return nil
  }
}
