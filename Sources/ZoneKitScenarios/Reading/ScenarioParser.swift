extension Scenario {
  /// The most lines of a scenario.
  package static let lineLimit = 10_000
  /// The deepest nesting of repetitions.
  package static let depthLimit = 8

  /// Parses a scenario. For a text that is none, throws an error with the place and the expected words.
  package init(parsing text: String) throws(ScenarioError) {
    var parser = ScenarioParser()
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.count <= Self.lineLimit else {
      throw ScenarioError(line: Self.lineLimit + 1, column: 1, "a scenario has at most \(Self.lineLimit) lines")
    }
    for (index, line) in lines.enumerated() { try parser.take(line, number: index + 1) }
    self = try parser.finished(line: lines.count)
  }
}

extension ScenarioStep {
  /// Parses one sentence, in which devices may have those names. Throws with the place and the expected words if it is no
  /// step.
  package init(parsing sentence: String, devices: [String]) throws(ScenarioError) {
    let words = try ScenarioWord.words(of: sentence[...], line: 1)
    var reader = SentenceReader(words: words, devices: devices)
    for sentence in Language.sentences {
      if let values = reader.values(of: sentence.pattern), case .step(let step) = sentence.meaning(values) {
        self = step
        return
      }
    }
    throw reader.error(line: 1)
  }
}

/// Parses a scenario line by line.
private struct ScenarioParser {
  private struct Repetition {
    var number: Int
    var count: Int
    var every: TimeSpan?
    var steps: [ScenarioLine] = []
  }

  private var scenario: Scenario?
  private var devices: [String] = []
  private var open: [Repetition] = []
  private var hasSteps = false

  mutating func take(_ text: Substring, number: Int) throws(ScenarioError) {
    let words = try ScenarioWord.words(of: text, line: number)
    guard let first = words.first else { return }
    let meaning = try meaning(of: words, line: number)
    let at = { (message: String) in ScenarioError(line: number, column: first.column, message) }
    if case .header(.name(let name)) = meaning {
      guard scenario == nil else { throw at("a file holds one scenario, and it has a name already") }
      scenario = Scenario(name: name)
      return
    }
    guard scenario != nil else { throw at("met \"\(first.text)\"; expected scenario \"NAME\" on the first line") }
    switch meaning {
    case .header(let line):
      guard !hasSteps else { throw at("\(first.text) comes before the first step; move the line up") }
      try take(line, at)
    case .step(let step): add(ScenarioLine(number, step))
    case .repetition(let count, let every):
      guard open.count < Scenario.depthLimit else {
        throw at("at most \(Scenario.depthLimit) repetitions may stand within each other")
      }
      hasSteps = true
      open.append(Repetition(number: number, count: count, every: every))
    case .end:
      guard let done = open.popLast() else { throw at("there is no repetition to end here") }
      add(ScenarioLine(done.number, .repeated(done.count, every: done.every, done.steps)))
    }
  }

  func finished(line: Int) throws(ScenarioError) -> Scenario {
    guard let scenario else { throw ScenarioError(line: 1, column: 1, "expected scenario \"NAME\" on the first line") }
    if let repetition = open.last {
      throw ScenarioError(line: line, column: 1, "the repetition of line \(repetition.number) has no end; write end")
    }
    guard !scenario.devices.isEmpty else {
      throw ScenarioError(
        line: line, column: 1, "there is no device; write a line such as: devices A, B signed in as nanny")
    }
    return scenario
  }

  private func meaning(of words: [ScenarioWord], line: Int) throws(ScenarioError) -> SentenceMeaning {
    var reader = SentenceReader(words: words, devices: devices)
    for sentence in Language.sentences {
      if let values = reader.values(of: sentence.pattern) { return sentence.meaning(values) }
    }
    throw reader.error(line: line)
  }

  private mutating func take(
    _ line: ScenarioHeaderLine, _ error: (String) -> ScenarioError
  ) throws(ScenarioError) {
    switch line {
    case .name: break
    case .about(let text): scenario?.about.append(text)
    case .holds(let text): scenario?.holds.append(text)
    case .source(let text): scenario?.sources.append(text)
    case .rules(let rules): scenario?.rules += rules
    case .app(let app, let file):
      guard scenario?.app == nil else { throw error("a scenario has one app") }
      scenario?.app = app
      scenario?.appFile = file.map { ScenarioFile($0) }
    case .option(let option): scenario?.options.append(option)
    case .devices(let names, let app, let account, let isOff):
      for name in names {
        guard SentenceReader.isDeviceName(name) else {
          throw error(
            "\(ScenarioWord.quoted(name)) is no device's name; expected a capital letter, then letters or digits")
        }
        guard !devices.contains(name) else { throw error("device \(name) is declared twice") }
        devices.append(name)
        scenario?.devices.append(ScenarioDevice(name, app: app, account: account, isOff: isOff))
      }
    }
  }

  private mutating func add(_ line: ScenarioLine) {
    hasSteps = true
    if case .life(.restoreCopy(_, as: let copy)) = line.step { devices.append(copy) }
    if open.isEmpty {
      scenario?.steps.append(line)
    } else {
      open[open.count - 1].steps.append(line)
    }
  }
}
