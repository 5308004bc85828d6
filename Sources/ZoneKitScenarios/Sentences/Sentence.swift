/// A sentence of the language: its pattern, its meaning, and its entry in the reference.
struct Sentence: Sendable {
  /// The pattern.
  let pattern: SentencePattern
  /// A one-line description for the reference.
  let summary: String
  /// An example for the reference, in a scenario with the devices A and B.
  let example: String
  /// Makes the meaning of a line from the values of its slots.
  let meaning: @Sendable (SlotValues) -> SentenceMeaning

  /// A sentence with that pattern.
  init(
    _ pattern: String, _ summary: String, example: String,
    _ meaning: @escaping @Sendable (SlotValues) -> SentenceMeaning
  ) {
    self.pattern = SentencePattern(pattern)
    self.summary = summary
    self.example = example
    self.meaning = meaning
  }

  /// A sentence whose meaning is a step.
  static func step(
    _ pattern: String, _ summary: String, example: String, _ step: @escaping @Sendable (SlotValues) -> ScenarioStep
  ) -> Sentence {
    Sentence(pattern, summary, example: example) { .step(step($0)) }
  }
}
