/// A step in a report. Repetitions with the same result are summarised.
package struct StepSummary: Hashable, Sendable {
  /// The first of the repetitions.
  package var step: PlayedStep
  /// The number of repetitions, from 1.
  package var count: Int
  /// When the last repetition ended, in milliseconds since the start.
  package var end: Int64

  /// The text of the line, with the number of repetitions and their end.
  package var text: String {
    guard count > 1 else { return step.text }
    let until = end > step.at ? " until \(ScenarioOutcome.moment(end))" : ""
    return "\(step.text) (\(count) times\(until))"
  }
}

extension ScenarioOutcome {
  /// The steps for a report, in the order in which each was first done.
  package var stepSummaries: [StepSummary] {
    let groups = steps.grouped { step in
      var round = step
      round.at = 0
      return round
    }
    return groups.map { StepSummary(step: $0[0], count: $0.count, end: $0[$0.count - 1].at) }
  }
}
