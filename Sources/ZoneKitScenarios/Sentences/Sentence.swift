/// One shape of a line: how it reads, and what it means to a scenario and to a person.
struct Sentence: Sendable {
  /// The shape.
  let pattern: SentencePattern
  /// What the sentence means, in one line for the reference.
  let summary: String
  /// A line of that shape for the reference, in a scenario that has the devices A and B.
  let example: String
  /// What a line of that shape means to a scenario.
  let meaning: @Sendable (SlotValues) -> SentenceMeaning

  /// A sentence of that pattern.
  init(
    _ pattern: String, _ summary: String, example: String,
    _ meaning: @escaping @Sendable (SlotValues) -> SentenceMeaning
  ) {
    self.pattern = SentencePattern(pattern)
    self.summary = summary
    self.example = example
    self.meaning = meaning
  }

  /// A sentence that is a step.
  static func step(
    _ pattern: String, _ summary: String, example: String, _ step: @escaping @Sendable (SlotValues) -> ScenarioStep
  ) -> Sentence {
    Sentence(pattern, summary, example: example) { .step(step($0)) }
  }
}
