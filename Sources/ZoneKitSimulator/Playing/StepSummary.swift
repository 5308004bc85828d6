/// A step as a report shows it: repetitions with the same result stand together.
package struct StepSummary: Hashable, Sendable {
  /// The first of them.
  package var step: PlayedStep
  /// How many there are, from 1.
  package var count: Int
  /// When the last one was over, in milliseconds since the beginning.
  package var end: Int64

  /// The line's words, and how often it was done until when.
  package var text: String {
    guard count > 1 else { return step.text }
    let until = end > step.at ? " until \(ScenarioOutcome.moment(end))" : ""
    return "\(step.text) (\(count) times\(until))"
  }
}

extension ScenarioOutcome {
  /// The steps as a report shows them, in the order in which each was done first.
  package var stepSummaries: [StepSummary] {
    let groups = steps.grouped { step in
      var round = step
      round.at = 0
      return round
    }
    return groups.map { StepSummary(step: $0[0], count: $0.count, end: $0[$0.count - 1].at) }
  }
}
