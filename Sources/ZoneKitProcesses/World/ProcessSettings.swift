import ZoneKitRecords
import ZoneKitScenarios

/// The settings of the server and device processes that a scenario's options ask for.
struct ProcessSettings: Equatable {
  /// The settings for devices, such as `fallback=60000`.
  private(set) var tuning: [String] = []
  /// The options for the server, such as `--origin-leak=100`.
  private(set) var serverOptions: [String] = []
  /// The limits of the cloud that differ from the defaults.
  private(set) var limits: [JSON.Member] = []

  /// The settings for the options. Throws if a process has no such setting.
  init(_ options: [ScenarioOption] = []) throws(ProcessFailure) {
    for option in options where !set(onServer: option) {
      guard let (name, number) = Self.tuning(option) else {
        throw .virtualOnly("option \(option.text): a real server or device cannot be set up so")
      }
      tuning.append("\(name)=\(number)")
    }
  }

  /// The device setting for an option; nil if it is not a setting of devices.
  private static func tuning(_ option: ScenarioOption) -> (name: String, number: Int64)? {
    switch option {
    case .count(.pageLimit, let count): ("pageLimit", Int64(count))
    case .count(.batchLimit, let count): ("batchLimit", Int64(count))
    case .count(.batchBytes, let count): ("batchBytes", Int64(count))
    case .count(.emptyPushTries, let count): ("emptyPushTries", Int64(count))
    case .count(.stormLimit, let count): ("stormLimit", Int64(count))
    case .span(.fallback, let span): ("fallback", span.milliseconds)
    case .span(.emptyPushDelay, let span): ("emptyPushDelay", span.milliseconds)
    case .span(.quiet, let span): ("quiet", span.milliseconds)
    case .span(.requestTimeout, let span): ("requestTimeout", span.milliseconds)
    case .span(.droughtGrace, let span): ("droughtGrace", span.milliseconds)
    case .choice(.atomic, let choice): ("atomic", choice == "on" ? 1 : 0)
    case .choice(.deleteRule, let choice): ("deletePolicy", choice == "policy" ? 1 : 0)
    case .seed, .count, .span, .choice: nil
    }
  }

  /// Applies an option to the server. Returns false if it is not an option of the server.
  private mutating func set(onServer option: ScenarioOption) -> Bool {
    switch option {
    case .count(.originLeak, let percent): serverOptions.append("--origin-leak=\(percent)")
    case .span(.indexDelay, let span):
      limits.append(JSON.Member("subscriptionIndexDelay", .integer(span.milliseconds)))
    case .choice(.duplicateSubscription, let choice):
      let error: JSON = choice == "reject" ? .string(CloudErrorCode.serverRejectedRequest.rawValue) : .null
      limits.append(JSON.Member("duplicateSubscriptionError", error))
    case .choice(.firstFetchDeletions, let choice):
      limits.append(JSON.Member("firstFetchTombstones", .string(choice == "own" ? "ownCreated" : choice)))
    default: return false
    }
    return true
  }
}
