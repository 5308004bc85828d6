import ZoneKitRecords

/// Matches the words of one line with patterns. Remembers the furthest position that a pattern reached and what it
/// expected there, for the error.
struct SentenceReader {
  let words: [ScenarioWord]
  /// The names of the devices in the scenario.
  let devices: [String]
  private var furthest = 0
  private var expected: [String] = []
  private var known: [String] = []

  init(words: [ScenarioWord], devices: [String]) {
    self.words = words
    self.devices = devices
  }

  /// The values of the pattern's slots; nil if the line does not match.
  mutating func values(of pattern: SentencePattern) -> SlotValues? {
    match(pattern.parts[...], at: 0, SlotValues())
  }

  /// The error for a line that matches no pattern.
  func error(line: Int) -> ScenarioError {
    guard words.indices.contains(furthest) else {
      let end = words.last.map { $0.column + $0.text.count } ?? 1
      return ScenarioError(line: line, column: end, "the line ends too early; \(expectation)")
    }
    let met = words[furthest]
    let text = met.isQuoted ? ScenarioWord.quoted(met.text) : "\"\(met.text)\""
    let guess = met.isQuoted ? nil : NearMiss.guess(for: met.text, among: known)
    return ScenarioError(
      line: line, column: met.column,
      "met \(text); " + (guess.map { "did you mean \($0)? " } ?? "") + expectation)
  }

  private var expectation: String {
    expected.count == 1 ? "expected \(expected[0])" : "expected one of: \(expected.joined(separator: "; "))"
  }

  private mutating func fail(at position: Int, _ text: String, known words: [String]) {
    if position > furthest {
      furthest = position
      expected = []
      known = []
    }
    guard position == furthest else { return }
    if !expected.contains(text) { expected.append(text) }
    known += words
  }

  private mutating func match(
    _ parts: ArraySlice<SentencePattern.Part>, at position: Int, _ values: SlotValues
  ) -> SlotValues? {
    guard let part = parts.first else {
      if position == words.count { return values }
      fail(at: position, "the end of the line", known: [])
      return nil
    }
    let rest = parts.dropFirst()
    switch part {
    case .words(let choices):
      guard take(choices, at: position) != nil else { return nil }
      return match(rest, at: position + 1, values)
    case .choice(let label, let choices):
      guard let word = take(choices, at: position) else { return nil }
      var values = values
      values.set(label, .name(word))
      return match(rest, at: position + 1, values)
    case .option(let inner):
      return match(inner + rest, at: position, values) ?? match(rest, at: position, values)
    case .slot(let label, let slot):
      guard let (value, next) = value(of: slot, at: position, subject: values) else {
        fail(at: position, slot.expectation(devices: devices), known: slot.known)
        return nil
      }
      var values = values
      values.set(label, value)
      return match(rest, at: next, values)
    }
  }

  private mutating func take(_ choices: [String], at position: Int) -> String? {
    if let word = plain(position), choices.contains(word) { return word }
    fail(at: position, choices.joined(separator: " or "), known: choices)
    return nil
  }

  /// The word at a position; nil if it is quoted or there is none.
  func plain(_ position: Int) -> String? {
    words.indices.contains(position) && !words[position].isQuoted ? words[position].text : nil
  }
}
