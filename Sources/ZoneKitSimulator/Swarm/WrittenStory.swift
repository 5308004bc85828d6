/// A failing story as a scenario, and what comes of that scenario when its text is read again and played.
package struct WrittenStory: Sendable {
  /// The scenario.
  package let scenario: Scenario
  /// The first promise that it breaks; nil where it breaks none.
  package let violation: Violation?
  /// Whether that is the promise that the story breaks.
  package let failsTheSameWay: Bool
}

extension Shrunk {
  /// The story as a scenario up to the moment at which its promise is broken, and what comes of that when it is played.
  /// `apps` are those that a scenario may name. Throws where the story has something that no sentence says.
  package func written(for apps: [ScenarioPlayer.App]) throws(RetellingError) -> WrittenStory {
    let container = story.app.container
    guard let app = apps.first(where: { $0.app.container == container && $0.app.zones == story.app.zones }) else {
      throw RetellingError("no app that a scenario may name uses the container \(container)")
    }
    let violation = outcome.violations.first
    let about = ["The story of that seed, made short.", violation.map { "Seen: \($0)" }].compactMap { $0 }
    let rule = violation.map { ", which breaks \($0.rule.rawValue)" } ?? ""
    let scenario = try Scenario(
      retelling: story, of: app, endingSteps: outcome.endingSteps, named: "seed \(story.seed)\(rule)", about: about)
    do throws(PlayingError) {
      var player = try ScenarioPlayer(scenario, apps: apps)
      let broken = player.play().violations.first
      return WrittenStory(
        scenario: scenario, violation: broken, failsTheSameWay: broken != nil && broken?.rule == violation?.rule)
    } catch {
      throw RetellingError("it cannot be played: \(error)")
    }
  }
}
