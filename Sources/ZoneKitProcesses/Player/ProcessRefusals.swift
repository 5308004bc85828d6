import ZoneKitDeviceHost
import ZoneKitScenarios

/// Finds what processes cannot play in a scenario, before any process starts.
struct ProcessRefusals {
  /// The longest wait that is played if waits are not cut, in milliseconds.
  static let longestWait: Int64 = 120_000

  /// The app of the devices that name none.
  let app: DeviceApp
  /// The apps that devices may name.
  var others: [DeviceApp] = []
  /// Whether longer waits are cut.
  let cutsWaits: Bool

  /// Throws if the scenario needs another app or has a step that processes cannot play. The error names the step.
  func check(_ scenario: Scenario) throws(ProcessFailure) {
    let named = scenario.devices.compactMap(\.app)
    let apps = [app] + others.filter { named.contains($0.name) }
    if let wanted = scenario.app, wanted != app.name {
      throw .virtualOnly("app \(wanted): real devices run \(app.name)")
    }
    if let missing = named.first(where: { name in !apps.contains { $0.name == name } }) {
      throw .refused("there is no app \(missing)")
    }
    try check(scenario.steps, apps)
  }

  private func check(_ lines: [ScenarioLine], _ apps: [DeviceApp]) throws(ProcessFailure) {
    for line in lines {
      // Which app a step is about is known when it is played.
      let reasons = apps.map { reason(against: line.step, of: $0) }
      if let reason = reasons[0], !reasons.contains(nil) {
        throw .virtualOnly(reason).at(line: line.number, line.step.text)
      }
      if case .repeated(_, _, let inner) = line.step { try check(inner, apps) }
    }
  }

  private func reason(against step: ScenarioStep, of app: DeviceApp) -> String? {
    switch step {
    case .wait(let span): reason(against: span)
    case .repeated(let count, let every?, _) where count > 1: reason(against: every)
    case .app(.save): "the app has commands of its own"
    case .app(.syncInsideMerge): "a process takes no commands during a merge"
    case .link(.set), .link(.lose), .link(.duplicate), .link(.reorder):
      "a real connection delivers every byte once and in order, or ends"
    case .stopUnlessDeviceIDsDiffer: "the IDs of all real devices cannot be read at one moment"
    case .link(.recover): "the faults of real processes and disks cannot all be ended at one moment"
    case .push(.gatewayRestarts): "the real gateway is a part of the server's process"
    case .life(.killAt(_, _, startingAgain: true)): "a process that was killed at a message is not restarted"
    case .life(.killAt(let place, let point, _)) where KillTrigger(place, at: point) == nil:
      "the steps inside a process cannot be observed; possible are before its Nth send for a device, and before or after its "
        + "Nth commit for the cloud"
    case .life(.powerCut): "a killed process loses nothing that it has written, unlike at a power cut"
    case .account(.available): "a real device has no account service that could be unavailable"
    case .documents, .expect(.plainPush, _):
      app.documents == nil ? "\(app.name) has no documents" : nil
    case .disk, .cloud(.fullDisk), .cloud(.unreadableDisk): "a process has the disk of this machine"
    case .expect(.convergence, _), .expect(.noEditLost, _), .expect(.currentViews, _),
      .expect(.copiesToldApart, _), .expect(.nothingLeft, _), .expect(.nobodyAsks, _):
      "the state of all real devices cannot be read at one moment"
    case .expect(.counts(_, let checks), _) where checks.contains { $0.counter == .pushLost }:
      "the push service does not report which pushes it lost"
    case .expect(.reports(_, .syncRequested, _), _): "a real device does not print syncRequested"
    default: app.hasTables ? reasonWithTables(against: step) : reasonWithoutTables(against: step, of: app)
    }
  }

  private func reasonWithTables(against step: ScenarioStep) -> String? {
    switch step {
    case .push(.replay), .push(.stray), .push(.strayAccount), .push(.tokenDies):
      "a channel has no push tokens, subscriptions and notification IDs"
    case .expect(.subscriptions, _): "a service of tables has channels, and no subscriptions"
    case .expect(.counts(_, let checks), _) where checks.contains { $0.counter.isOfPushes }:
      "a real device does not print the events of its channel"
    default: nil
    }
  }

  private func reasonWithoutTables(against step: ScenarioStep, of app: DeviceApp) -> String? {
    switch step {
    case .tables(.purge) where app.documents != nil: nil
    case .account(.signUp), .account(.migrate), .account(.rollBack), .tables, .expect(.channel, _),
      .expect(.migration, _), .expect(.balance, _), .expect(.photo, _):
      "\(app.name) has no tables"
    default: nil
    }
  }

  private func reason(against span: TimeSpan) -> String? {
    guard !cutsWaits, span.milliseconds > Self.longestWait else { return nil }
    return
      "a real run waits at most \(TimeSpan(milliseconds: Self.longestWait).text), unless --cut-waits cuts longer waits"
  }
}

extension Counter {
  fileprivate var isOfPushes: Bool {
    switch self {
    case .pushReceived, .pushDuplicates, .pushUnknown, .pushOtherAccount, .pushWithoutID: true
    default: false
    }
  }
}
