import ZoneKitRecords

/// The manual page of the program in mdoc(7), made from the tables of its verbs.
struct ManualPage {
  private var lines: [String] = []

  /// The page as text.
  var text: String { lines.joined(separator: "\n") }

  /// The page of those verbs.
  init(of verbs: [VerbSpec], date: String, summary: String) {
    lines = [".Dd \(date)", ".Dt ZONEKIT 1", ".Os"]
    lines += [".Sh NAME", ".Nm zonekit", ".Nd \(Self.escaped(summary.lowercasedFirst))"]
    lines += [".Sh SYNOPSIS", ".Nm", ".Ar verb", ".Op Ar operand ...", ".Op Ar option ..."]
    lines += [".Nm", ".Fl -help | Fl -version"]
    lines.append(".Sh DESCRIPTION")
    add("The verbs are:")
    lines.append(".Bl -tag -width completions -compact")
    for verb in verbs {
      lines.append(".It Ic \(verb.name)")
      add(verb.summary)
    }
    lines.append(".El")
    for verb in verbs { add(verb) }
    addEnvironment()
    addExitStatus()
    lines.append(".Sh EXAMPLES")
    for verb in verbs {
      add("\(verb.summary.capitalizedFirst):")
      literal(verb.examples)
    }
  }

  private mutating func add(_ verb: VerbSpec) {
    lines.append(".Ss \(verb.name)")
    lines.append(".Nm zonekit Ic \(verb.name)")
    if !verb.operands.isEmpty { lines.append(".Ar \(Self.escaped(verb.operands))") }
    lines += [".Op Ar option ...", ".Pp"]
    add(verb.summary.capitalizedFirst + ".")
    for paragraph in verb.details.split(separator: "\n\n") {
      add(paragraph: paragraph.split(separator: "\n").map(String.init))
    }
    lines.append(".Bl -tag -width Ds")
    for option in verb.options { add(option) }
    for option in OptionSpec.common { add(option) }
    lines.append(".El")
  }

  private mutating func add(_ option: OptionSpec) {
    let value = option.value.map { " Ar \(Self.escaped($0))" } ?? ""
    lines.append(".It Fl \(Self.escaped(String(option.name.dropFirst())))\(value)\(option.isRepeatable ? " ..." : "")")
    add(option.help)
  }

  /// Adds a paragraph of the help. Lines with columns stay as they are; others are filled. A sentence about an
  /// option at the beginning of a line begins a paragraph.
  private mutating func add(paragraph: [String]) {
    var rest = paragraph[...]
    while let first = rest.popFirst() {
      let hasColumns = Self.hasColumns(first)
      var run = [first]
      while let next = rest.first, Self.hasColumns(next) == hasColumns {
        if next.hasPrefix("--"), run.last?.hasSuffix(".") == true { break }
        run.append(next)
        rest.removeFirst()
      }
      if hasColumns {
        literal(run)
      } else {
        lines.append(".Pp")
        add(run.joined(separator: " "))
      }
    }
  }

  private static func hasColumns(_ line: String) -> Bool { line.contains("  ") }

  /// Adds text, each sentence on a line of its own, as mdoc wants it.
  private mutating func add(_ text: String) {
    var sentence: [Substring] = []
    let words = text.split(separator: " ")
    for (index, word) in words.enumerated() {
      sentence.append(word)
      let isLast = index + 1 == words.count
      guard isLast || word.last.map({ ".?!".contains($0) }) == true else { continue }
      let line = Self.escaped(sentence.joined(separator: " "))
      lines += line.wrapped(within: 78, indentation: 0).map(Self.guarded)
      sentence = []
    }
  }

  private mutating func literal(_ texts: [String]) {
    lines.append(".Bd -literal -offset indent")
    lines += texts.map { Self.guarded(Self.escaped($0)) }
    lines.append(".Ed")
  }

  private mutating func addEnvironment() {
    addList("ENVIRONMENT", Self.environment.map { ("Ev \($0.0)", $0.1) })
  }

  private mutating func addExitStatus() { addList("EXIT STATUS", Self.exitCodes.map { ("\($0.0)", $0.1) }) }

  /// A section with a list of terms and their meanings.
  private mutating func addList(_ section: String, _ entries: [(term: String, meaning: String)]) {
    lines += [".Sh \(section)", ".Bl -tag -width Ds"]
    for (term, meaning) in entries {
      lines.append(".It \(term)")
      add(meaning)
    }
    lines.append(".El")
  }

  /// The variables that the program reads.
  private static let environment = [
    (Invocation.dataVariable, "The data directory where --data is missing."),
    ("ZONEKIT_SCENARIOS", "A folder of scenarios that takes the place of the catalogue in the program."),
    ("COLUMNS", "The length of lines."), ("NO_COLOR", "No colours on a terminal."),
    ("TMPDIR", "The folder of temporary folders, instead of /tmp."),
  ]

  private static let exitCodes = [
    ("0", "Done."), ("1", "The check failed."), ("2", "Bad usage or input."),
    ("3", "Something could not be reached or started."),
  ]

  /// A line that is no macro.
  private static func guarded(_ line: String) -> String { line.hasPrefix(".") ? #"\&"# + line : line }

  /// Text that roff prints as it is, with hyphens that can be copied.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += #"\e"#
      case "-": escaped += #"\-"#
      case "\"": escaped += #"\(dq"#
      case "'": escaped += #"\(aq"#
      case "`": escaped += #"\(ga"#
      case "^": escaped += #"\(ha"#
      case "~": escaped += #"\(ti"#
      default: escaped.append(character)
      }
    }
    return escaped
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
