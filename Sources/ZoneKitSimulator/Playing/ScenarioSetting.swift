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
  var policy = World.Options().policy
  var life = DeviceLife.Policy()
  /// The most rows of an answer of a service of tables; nil for its usual limit.
  var rowLimit: Int?
  /// For how long a service of tables accepts an access token, in seconds; nil for the usual time.
  var tokenLife: Int64?

  /// Whether requests and answers travel as HTTP messages; nil for the app's default.
  var carriesMessages: Bool?

  /// The setup. Throws if an option has a value that is not possible.
  init(_ scenario: Scenario, of app: DeviceApp) throws(PlayingError) {
    configuration = app.configuration
    for option in scenario.options {
      do throws(StepRefusal) {
        try set(option)
      } catch {
        throw PlayingError(line: 0, text: "option \(option.text)", error.message)
      }
    }
  }

  private mutating func set(_ option: ScenarioOption) throws(StepRefusal) {
    if let (setting, number) = option.coordinatorSetting {
      return setting.set(try Self.bounded(number, by: setting.limit ?? .max), in: &configuration)
    }
    if limits.set(option) { return }
    switch option {
    case .seed(let seed): self.seed = seed
    case .count(let option, let count): try set(option, count)
    case .span(.pushTimeToLive, let span): policy.timeToLive = span.milliseconds
    case .span(.pushBurst, let span): policy.burstWindow = span.milliseconds
    case .span(.tokenLife, let span): tokenLife = span.milliseconds / 1_000
    case .choice(.slotPolicy, let choice): policy.slot = try Self.value(choice)
    case .choice(.lenient, let choice): isLenient = choice == "on"
    case .choice(.wire, let choice): carriesMessages = choice == "rest"
    case .choice(.pushes, let choice): if choice == "off" { configuration.goWithoutPushes() }
    case .span(.fallback, _), .span(.emptyPushDelay, _), .span(.quiet, _), .span(.localQuiet, _),
      .span(.requestTimeout, _), .span(.droughtGrace, _), .span(.indexDelay, _), .span(.visibleDelay, _),
      .choice(.atomic, _),
      .choice(.deleteRule, _), .choice(.duplicateSubscription, _), .choice(.firstFetchDeletions, _):
      preconditionFailure("\(option) was set above")
    }
  }

  private mutating func set(_ option: CountOption, _ count: Int) throws(StepRefusal) {
    switch option {
    case .pushBudget: life.budget = count
    case .originLeak: policy.leakRate = Double(try Self.bounded(Int64(count), by: 100)) / 100
    case .lookups:
      configuration.limits.lookups = Int(try Self.bounded(Int64(count), by: Int64(ModifyRecords.operationLimit)))
    case .sendPage: configuration.limits.sendPage = count
    case .sendWindow: configuration.limits.sendWindow = count
    case .zones: configuration.limits.zones = count
    case .rounds: configuration.limits.rounds = count
    case .rowLimit: rowLimit = count
    case .pageLimit, .pageBytes, .batchLimit, .batchBytes, .emptyPushTries, .stormLimit:
      preconditionFailure("\(option) was set above")
    }
  }

  private static func bounded(_ number: Int64, by limit: Int64) throws(StepRefusal) -> Int64 {
    guard number <= limit else { throw StepRefusal("expected at most \(limit)") }
    return number
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
