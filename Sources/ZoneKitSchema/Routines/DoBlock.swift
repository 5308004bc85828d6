/// The statements of a DO block that makes objects unless they are there, as migrations write them.
///
/// Conditions that ask the catalogue of the database, such as `if not exists (select 1 from pg_type …)`, and handlers that ignore
/// an error have one meaning: a statement is done if it can be done.
struct DoBlock {
  /// The statements.
  private(set) var texts: [String] = []

  private var source: RoutineReader

  /// Reads a block. Throws if it does anything else.
  init(_ body: String) throws(RoutineProblem) {
    source = RoutineReader(body)
    try block()
    _ = source.take(";")
    try source.expectEnd()
  }

  private mutating func block() throws(RoutineProblem) {
    try source.enter()
    defer { source.leave() }
    guard !source.isNext("declare") else { throw RoutineProblem("variables are not supported") }
    try source.expect("begin")
    try items(upTo: ["end", "exception"])
    if source.take("exception") {
      while source.take("when") {
        _ = try source.text(upTo: ["then"])
        try source.expect("then")
        let before = texts.count
        try items(upTo: ["when", "end"])
        guard texts.count == before else { throw RoutineProblem("a handler that does something is not supported") }
      }
    }
    try source.expect("end")
  }

  private mutating func items(upTo ends: [String]) throws(RoutineProblem) {
    while let word = source.next, !(word.kind == .name && ends.contains(word.text)) { try item(word) }
  }

  private mutating func item(_ word: RoutineWords.Word) throws(RoutineProblem) {
    switch word.kind == .name ? word.text : "" {
    case "if":
      source.skip()
      let condition = try source.text(upTo: ["then"])
      let names = RoutineWords(condition).words.map(\.text)
      guard names.contains(where: { $0.hasPrefix("pg_") || $0 == "information_schema" || $0 == "to_regclass" }) else {
        throw RoutineProblem("IF \(condition) is not supported: only whether an object is there can be asked")
      }
      try source.expect("then")
      try items(upTo: ["else", "elsif", "elseif", "end"])
      guard source.isNext("end") else { throw RoutineProblem("ELSE is not supported") }
      for word in ["end", "if", ";"] { try source.expect(word) }
    case "begin":
      try block()
      try source.expect(";")
    case "null", "raise":
      _ = try source.text(upTo: [";"])
      try source.expect(";")
    case "execute":
      source.skip()
      guard let text = source.next, text.kind == .text else { throw RoutineProblem("EXECUTE needs a constant text") }
      source.skip()
      try source.expect(";")
      texts.append(text.quoted)
    case "declare", "for", "foreach", "loop", "while", "case", "perform", "return", "select":
      throw RoutineProblem("\(word.text.uppercased()) is not supported")
    default:
      texts.append(try source.text(upTo: [";"]))
      try source.expect(";")
    }
  }
}
