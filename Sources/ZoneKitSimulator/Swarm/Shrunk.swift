import ZoneKitScenarios

/// The shortest version of a failing story, and its outcome.
package struct Shrunk: Sendable {
  /// The story.
  package let story: Story
  /// The outcome, with its events.
  package let outcome: ScenarioOutcome
  /// The number of plays that were needed.
  package let plays: Int

  /// The story as a scenario that ends with the step at which the invariant is violated.
  package var scenario: Scenario {
    var scenario = story.scenario
    if case .broken(let failure) = outcome.end { scenario.steps.removeAll { $0.number > failure.line } }
    scenario.about = ["The story of that seed, made short."]
    if let violation = outcome.violations.first {
      scenario.name += ", which breaks \(violation.rule.rawValue)"
      scenario.about.append("Seen: \(violation)")
    }
    return scenario.numbered()
  }
}
