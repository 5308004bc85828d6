import ZoneKitRecords
import ZoneKitSync

extension ScenarioOption {
  /// The setting of a device's coordinator that the option means, and its number; nil where it means something else.
  package var coordinatorSetting: (setting: CoordinatorSetting, number: Int64)? {
    switch self {
    case .count(let option, let count): option.coordinatorSetting.map { ($0, Int64(count)) }
    case .span(let option, let span): option.coordinatorSetting.map { ($0, span.milliseconds) }
    case .choice(.atomic, let choice): (.atomic, choice == "on" ? 1 : 0)
    case .choice(.deleteRule, let choice):
      (.deletePolicy, choice == CoordinatorConfiguration.DeleteRule.policy.rawValue ? 1 : 0)
    case .seed, .choice: nil
    }
  }
}

extension CountOption {
  fileprivate var coordinatorSetting: CoordinatorSetting? {
    switch self {
    case .pageLimit: .pageLimit
    case .batchLimit: .batchLimit
    case .batchBytes: .batchBytes
    case .emptyPushTries: .emptyPushTries
    case .stormLimit: .stormLimit
    case .pageBytes, .pushBudget, .originLeak, .sendPage, .sendWindow, .zones, .lookups, .rounds, .rowLimit: nil
    }
  }
}

extension SpanOption {
  fileprivate var coordinatorSetting: CoordinatorSetting? {
    switch self {
    case .fallback: .fallback
    case .emptyPushDelay: .emptyPushDelay
    case .quiet: .quiet
    case .localQuiet: .localQuiet
    case .requestTimeout: .requestTimeout
    case .droughtGrace: .droughtGrace
    case .pushTimeToLive, .pushBurst, .indexDelay, .visibleDelay, .tokenLife: nil
    }
  }
}

extension Limits {
  /// Sets the limit of the cloud that the option means; returns false where it means something else.
  package mutating func set(_ option: ScenarioOption) -> Bool {
    switch option {
    case .count(.pageBytes, let bytes): pageBytes = bytes
    case .span(.indexDelay, let span): subscriptionIndexDelay = span.milliseconds
    case .span(.visibleDelay, let span): visibleDelay = span.milliseconds
    case .choice(.duplicateSubscription, "reject"): duplicateSubscriptionError = .serverRejectedRequest
    case .choice(.duplicateSubscription, "accept"): duplicateSubscriptionError = nil
    case .choice(.duplicateSubscription, let choice): duplicateSubscriptionError = CloudErrorCode(rawValue: choice)
    case .choice(.firstFetchDeletions, "own"): firstFetchTombstones = .ownCreated
    case .choice(.firstFetchDeletions, let choice):
      firstFetchTombstones = FirstFetchTombstones(rawValue: choice) ?? .all
    case .seed, .count, .span, .choice: return false
    }
    return true
  }
}
