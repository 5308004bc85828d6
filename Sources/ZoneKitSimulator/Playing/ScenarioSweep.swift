import ZoneKitScenarios
import ZoneKitDeviceHost

/// Plays a scenario once for every step of one process. Each time it kills the process right before that step, restarts
/// it two seconds later, and checks what must hold at the end of every scenario.
package struct ScenarioSweep {
  /// The outcome of a sweep.
  package struct Outcome: Sendable {
    /// The process that was killed.
    package var place: Place
    /// The number of crashes.
    package var points = 0
    /// The failed plays, by the step before which the process was killed.
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

  /// Counts the steps in a play without a crash, and then plays once for each of them. Throws if the scenario cannot be
  /// played.
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
