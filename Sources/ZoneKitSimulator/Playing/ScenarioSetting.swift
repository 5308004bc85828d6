import ZoneKitScenarios
import ZoneKitDeviceHost
import ZoneKitPush
import ZoneKitRecords
import ZoneKitSync

/// The setup of a simulation from a scenario's options.
struct ScenarioSetting {
  var seed: UInt64 = 1
  var isLenient = false
  var configuration: CoordinatorConfiguration
  var limits = Limits()
  var policy = PushGateway.Policy()
  var life = DeviceLife.Policy()

  /// The setup. Throws if an option has a value that is not possible.
  init(_ scenario: Scenario, of app: DeviceApp) throws(PlayingError) {
    configuration = app.configuration
    for option in scenario.options {
      do throws(StepRefusal) {
        switch option {
        case .seed(let seed): self.seed = seed
        case .count(let option, let count): try set(option, count)
        case .span(let option, let span): set(option, span.milliseconds)
        case .choice(let option, let choice): try set(option, choice)
        }
      } catch {
        throw PlayingError(line: 0, text: "option \(option.text)", error.message)
      }
    }
  }

  private mutating func set(_ option: CountOption, _ count: Int) throws(StepRefusal) {
    switch option {
    case .pageLimit: configuration.pageLimit = try Self.bounded(count, by: ZoneChangesQuery.pageLimit)
    case .batchLimit: configuration.batchLimit = try Self.bounded(count, by: ModifyRecords.operationLimit)
    case .batchBytes: configuration.batchBytes = count
    case .emptyPushTries: configuration.emptyPushTries = count
    case .stormLimit: configuration.stormLimit = count
    case .pushBudget: life.budget = count
    case .originLeak: policy.leakRate = Double(try Self.bounded(count, by: 100)) / 100
    case .lookups: configuration.limits.lookups = try Self.bounded(count, by: ModifyRecords.operationLimit)
    case .sendPage, .sendWindow, .zones, .rounds:
      if let bound = option.bound { configuration.limits[keyPath: bound] = count }
    }
  }

  private static func bounded(_ count: Int, by limit: Int) throws(StepRefusal) -> Int {
    guard count <= limit else { throw StepRefusal("expected at most \(limit)") }
    return count
  }

  private mutating func set(_ option: SpanOption, _ milliseconds: Int64) {
    switch option {
    case .fallback: configuration.fallback = milliseconds
    case .emptyPushDelay: configuration.emptyPushDelay = milliseconds
    case .quiet:
      configuration.quiet = milliseconds
      configuration.quietLimit = max(configuration.quietLimit, milliseconds)
    case .requestTimeout: configuration.requestTimeout = milliseconds
    case .droughtGrace: configuration.droughtGrace = milliseconds
    case .pushTimeToLive: policy.timeToLive = milliseconds
    case .indexDelay: limits.subscriptionIndexDelay = milliseconds
    case .visibleDelay: limits.visibleDelay = milliseconds
    }
  }

  private mutating func set(_ option: ChoiceOption, _ choice: String) throws(StepRefusal) {
    switch option {
    case .atomic: configuration.isAtomic = choice == "on"
    case .deleteRule: configuration.deleteRule = try Self.value(choice)
    case .slotPolicy: policy.slot = try Self.value(choice)
    case .duplicateSubscription:
      limits.duplicateSubscriptionError =
        switch choice {
        case "accept": nil
        case "reject": .serverRejectedRequest
        default: CloudErrorCode(rawValue: choice)
        }
    case .firstFetchDeletions: limits.firstFetchTombstones = choice == "own" ? .ownCreated : try Self.value(choice)
    case .lenient: isLenient = choice == "on"
    }
  }

  private static func value<Value: RawRepresentable<String> & CaseIterable>(
    _ choice: String
  ) throws(StepRefusal) -> Value {
    guard let value = Value(rawValue: choice) else {
      throw StepRefusal("expected one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return value
  }
}

extension CountOption {
  /// The limit of a sync that the option sets; nil if it sets something else.
  var bound: WritableKeyPath<SyncLimits, Int>? {
    switch self {
    case .sendPage: \.sendPage
    case .sendWindow: \.sendWindow
    case .zones: \.zones
    case .lookups: \.lookups
    case .rounds: \.rounds
    case .pageLimit, .batchLimit, .batchBytes, .emptyPushTries, .stormLimit, .pushBudget, .originLeak: nil
    }
  }
}
