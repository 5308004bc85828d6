import ZoneKitScenarios
import ZoneKitDeviceHost
import ZoneKitRecords

/// A random story: the scenario that a seed draws, and the app that runs on its devices.
///
/// `draft` holds what is drawn: options, devices and steps. The ending is not drawn: it follows from the seed, the app and
/// the draft, so that a story with fewer steps has a fitting ending too.
package struct Story: Sendable {
  /// Decides everything that is left to chance.
  package let seed: UInt64
  /// The app on all devices.
  package let app: DeviceApp
  /// The options, the devices and the drawn steps.
  package var draft: Scenario

  /// A story of that seed without options, devices and steps.
  package init(seed: UInt64, app: DeviceApp) {
    self.seed = seed
    self.app = app
    draft = Scenario(name: "seed \(seed)")
    draft.app = app.name
    // A story that lost some of its steps is played to its end: a step that cannot be done is passed over.
    draft.options = [.seed(seed), .choice(.lenient, "on")]
  }

  /// The drawn steps.
  package var steps: [ScenarioStep] {
    get { draft.steps.map(\.step) }
    set { draft.steps = newValue.map { ScenarioLine(0, $0) } }
  }

  /// The whole story: the draft and behind its steps the ending.
  package var scenario: Scenario {
    var scenario = draft
    scenario.steps += ending.map { ScenarioLine(0, $0) }
    return scenario.numbered()
  }

  /// How often each kind of fault is among the drawn steps, by the kind's name.
  package var faults: [String: Int] {
    var faults: [String: Int] = [:]
    for step in steps { if let kind = step.faultKind { faults[kind, default: 0] += 1 } }
    return faults
  }

  /// Plays the story up to its end or the first broken invariant. Throws where its beginning cannot be played.
  package func play(keepsEvents: Bool = false) throws(PlayingError) -> ScenarioOutcome {
    var settings = ScenarioPlayer.Settings()
    settings.keepsEvents = keepsEvents
    var player = try ScenarioPlayer(scenario, apps: [app], settings: settings)
    let outcome = player.play()
    if case .impossible(let error) = outcome.end { throw error }
    return outcome
  }
}
