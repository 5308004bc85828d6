import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitSync

/// The settings of the server and device processes that a scenario's options ask for.
struct ProcessSettings: Equatable {
  /// The settings for devices, such as `fallback=60000`.
  private(set) var tuning: [String] = []
  /// The options for devices, such as `--no-push`.
  private(set) var deviceOptions: [String] = []
  /// The options for the server, such as `--origin-leak=100`.
  private(set) var serverOptions: [String] = []
  /// The limits of the cloud.
  private(set) var limits = Limits()

  /// The settings for the options. Throws if a process has no such setting.
  init(_ options: [ScenarioOption] = []) throws(ProcessFailure) {
    for option in options { try set(option) }
  }

  private mutating func set(_ option: ScenarioOption) throws(ProcessFailure) {
    if let (setting, number) = option.coordinatorSetting { return tuning.append("\(setting.rawValue)=\(number)") }
    switch option {
    case .count(.originLeak, let percent): serverOptions.append("--origin-leak=\(percent)")
    case .span(.tokenLife, let span): serverOptions.append("--token-life=\(span.milliseconds / 1_000)")
    case .choice(.pushes, let choice): if choice == "off" { deviceOptions.append("--no-push") }
    case .choice(.wire, "rest"): break
    case .count(.pageBytes, _), .span(.indexDelay, _), .choice(.duplicateSubscription, _),
      .choice(.firstFetchDeletions, _):
      _ = limits.set(option)
    case .seed, .count, .span, .choice:
      throw .virtualOnly("option \(option.text): a real server or device cannot be set up so")
    }
  }
}
