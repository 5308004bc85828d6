import ZoneKitScenarios
import ZoneKitDeviceHost
import ZoneKitRecords

/// A random story: the scenario that a seed draws, and the app on its devices.
///
/// `draft` contains what is drawn: options, devices and steps. The ending is not drawn. It follows from the seed, the
/// app and the draft, so a story with fewer steps has a fitting ending too.
package struct Story: Sendable {
  /// The seed of all random decisions.
  package let seed: UInt64
  /// The app on the devices that name no other.
  package let app: DeviceApp
  /// The other apps on devices.
  package var others: [DeviceApp] = []
  /// The options, the devices and the drawn steps.
  package var draft: Scenario

  /// A story of that seed without options, devices and steps.
  package init(seed: UInt64, app: DeviceApp) {
    self.seed = seed
    self.app = app
    draft = Scenario(name: "seed \(seed)")
    draft.app = app.name
    draft.appFile = app.describingFile.map { ScenarioFile($0.path, text: $0.text) }
    // A story from which steps were removed is played to its end: steps that cannot be done are skipped.
    draft.options = [.seed(seed), .choice(.lenient, "on")]
    if isOne(of: 10, by: 0x6d65_7373) { draft.options.append(.choice(.wire, "rest")) }
  }

  /// Whether the story has a trait that one story in `count` has. The draw is apart from that of the steps, and each
  /// trait has a constant of its own.
  private func isOne(of count: UInt64, by constant: UInt64) -> Bool {
    var generator = SplitMix64(seed: seed ^ constant)
    return generator.next() % count == 0
  }

  /// The drawn steps.
  package var steps: [ScenarioStep] {
    get { draft.steps.map(\.step) }
    set { draft.steps = newValue.map { ScenarioLine(0, $0) } }
  }

  /// The whole story: the draft, and the ending after its steps.
  package var scenario: Scenario {
    var scenario = draft
    scenario.steps += ending.map { ScenarioLine(0, $0) }
    return scenario.numbered()
  }

  /// The app on a device.
  func app(on device: ScenarioDevice) -> DeviceApp { others.first { $0.name == device.app } ?? app }

  /// The number of drawn steps of each kind of fault, by name.
  package var faults: [String: Int] {
    var faults: [String: Int] = [:]
    for step in steps { if let kind = step.faultKind { faults[kind, default: 0] += 1 } }
    return faults
  }

  /// Whether what the devices store is written to real files too, and compared: in one story of twenty.
  package var isOnFiles: Bool { isOne(of: 20, by: 0x6669_6c65) }

  /// Plays the story to its end or the first violation. Throws if its start cannot be played.
  package func play(
    keepsEvents: Bool = false, keepsHistories: Bool = false, carryingMessages carriesMessages: Bool = false
  ) throws(PlayingError) -> ScenarioOutcome {
    var settings = ScenarioPlayer.Settings()
    settings.keepsHistories = keepsHistories
    settings.keepsEvents = keepsEvents
    settings.carriesMessages = carriesMessages
    var player = try ScenarioPlayer(scenario, apps: [app] + others, settings: settings)
    let outcome = player.play()
    if case .impossible(let error) = outcome.end { throw error }
    return outcome
  }
}
