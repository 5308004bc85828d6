import ZoneKitScenarios
import ZoneKitDeviceHost

/// Plays a scenario once for every step of one process, each time with a crash right before that step and a restart two
/// seconds later; what must hold at the end of any story has to hold each time.
package struct ScenarioSweep {
  /// What came of it.
  package struct Outcome: Sendable {
    /// Whose process it was.
    package var place: Place
    /// How many crashes were tried.
    package var points = 0
    /// The plays that did not end well, by the step before which the process died.
    package var failures: [(step: Int, outcome: ScenarioOutcome)] = []
    /// A digest over the digests of all plays.
    package var digest: UInt64 = 0
  }

  private let scenario: Scenario
  private let apps: [DeviceApp]
  private let settings: ScenarioPlayer.Settings
  private let place: Place

  /// A sweep over the steps of that process.
  package init(
    _ scenario: Scenario, over place: Place, apps: [DeviceApp],
    settings: ScenarioPlayer.Settings = ScenarioPlayer.Settings()
  ) {
    self.scenario = scenario
    self.apps = apps
    self.settings = settings
    self.place = place
  }

  /// Counts the steps in a play without a crash, and tries them all. Throws where the scenario cannot be played.
  package func run() throws(PlayingError) -> Outcome {
    var player = try ScenarioPlayer(scenario, apps: apps, settings: settings)
    let plain = player.play()
    if case .impossible(let error) = plain.end { throw error }
    guard let steps = plain.crashSteps[place] else {
      throw PlayingError(line: 0, text: "a crash of \(place.text)", "there is no such process in the scenario")
    }
    var outcome = Outcome(place: place)
    for step in 1...max(1, steps) {
      var settings = settings
      settings.crash = (place, step)
      var player = try ScenarioPlayer(scenario, apps: apps, settings: settings)
      let played = player.play()
      outcome.points += 1
      outcome.digest = (outcome.digest &* 31) ^ (UInt64(played.digest, radix: 16) ?? 0)
      if !played.isHeld { outcome.failures.append((step, played)) }
    }
    return outcome
  }
}
