/// One shape of a line, and what it means.
struct Sentence: Sendable {
  let pattern: SentencePattern
  let meaning: @Sendable (SlotValues) -> SentenceMeaning

  init(_ pattern: String, _ meaning: @escaping @Sendable (SlotValues) -> SentenceMeaning) {
    self.pattern = SentencePattern(pattern)
    self.meaning = meaning
  }

  static func step(_ pattern: String, _ step: @escaping @Sendable (SlotValues) -> ScenarioStep) -> Sentence {
    Sentence(pattern) { .step(step($0)) }
  }
}

/// What a line says.
enum SentenceMeaning {
  case header(ScenarioHeaderLine)
  case step(ScenarioStep)
  case repetition(Int, every: TimeSpan?)
  case end
}

/// A line before the first step.
enum ScenarioHeaderLine {
  case name(String)
  case about(String)
  case holds(String)
  case source(String)
  case rules([String])
  case app(String)
  case devices([String], account: String?, isOff: Bool)
  case option(ScenarioOption)
}

/// All sentences of the language.
enum Language {
  static let sentences: [Sentence] =
    header + options + general + app + links + pushes + cloud + cloudFaults + zones + life + accounts + clocks + disks
    + resets + expectations

  static var header: [Sentence] {
    [
      Sentence("scenario {name:quote}") { .header(.name($0.name())) },
      Sentence("about {name:quote}") { .header(.about($0.name())) },
      Sentence("holds {name:quote}") { .header(.holds($0.name())) },
      Sentence("source {name:quote}") { .header(.source($0.name())) },
      Sentence("rules {names}") { .header(.rules($0.names())) },
      Sentence("app {name}") { .header(.app($0.name())) },
      Sentence("device|devices {names} signed in as {name} [{off:not} started]") {
        .header(.devices($0.names(), account: $0.name(), isOff: $0.has("off")))
      },
      Sentence("device|devices {names} signed out [{off:not} started]") {
        .header(.devices($0.names(), account: nil, isOff: $0.has("off")))
      },
    ]
  }

  static var options: [Sentence] {
    [Sentence("option seed {seed}") { .header(.option(.seed($0.seed))) }]
      + CountOption.allCases.map { option in
        Sentence("option \(option.rawValue) {number}") { .header(.option(.count(option, $0.number()))) }
      }
      + SpanOption.allCases.map { option in
        Sentence("option \(option.rawValue) {span}") { .header(.option(.span(option, $0.span()))) }
      }
      + ChoiceOption.allCases.map { option in
        Sentence("option \(option.rawValue) {choice:\(option.choices.joined(separator: "|"))}") {
          .header(.option(.choice(option, $0.name("choice"))))
        }
      }
  }

  static var general: [Sentence] {
    [
      .step("wait {span}") { .wait($0.span()) },
      .step("note {name:quote}") { .note($0.name()) },
      .step("count from here") { _ in .countFromHere },
      .step("stop here unless all device IDs differ") { _ in .stopUnlessDeviceIDsDiffer },
      Sentence("repeat {number} times [every {span}]") { .repetition($0.number(), every: $0.optionalSpan()) },
      Sentence("end") { _ in .end },
    ]
  }
}

extension SlotValues {
  fileprivate var seed: UInt64 {
    guard case .seed(let seed) = self["seed"] else { preconditionFailure("no seed at seed") }
    return seed
  }
}
