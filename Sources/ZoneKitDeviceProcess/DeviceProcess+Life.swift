import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// The operating system around the app: it passes pushes on or holds them, suspends and launches the app, and grants
/// background refreshes.
extension DeviceProcess {
  // MARK: Events

  /// A push arrived from the push service. A device without a system that holds pushes passes it to its app.
  package mutating func pushArrived(_ push: PushNotification, at now: MonotonicTime) {
    add(life == nil ? [.life(.hand(push))] : lifeSteps(at: now) { $0.pushArrived(push, at: $1) })
  }

  /// The user opened the app. One without a process is started, and syncs by itself then.
  package mutating func enteredForeground(at now: MonotonicTime) {
    let wasRunning = isRunning
    refresh?.enteredForeground()
    let steps = lifeSteps(at: now) { $0.enteredForeground(at: $1) }
    add(steps + (wasRunning ? [.tell(.wantsSync(.foreground)), .frontChanged(true)] : []))
  }

  /// The app left the foreground.
  package mutating func enteredBackground(at now: MonotonicTime) {
    let steps = lifeSteps(at: now) { $0.enteredBackground(at: $1) }
    add(steps + [.frontChanged(false)] + refreshSteps(at: now) { $0.enteredBackground(at: $1) })
  }

  /// The device entered or left low power mode.
  package mutating func lowPowerChanged(isOn: Bool, at now: MonotonicTime) {
    add(lifeSteps(at: now) { $0.lowPowerChanged(isOn: isOn, at: $1) })
  }

  /// The user turned background refresh on or off.
  package mutating func backgroundRefreshChanged(isOn: Bool, at now: MonotonicTime) {
    let steps = lifeSteps(at: now) { $0.backgroundRefreshChanged(isOn: isOn, at: $1) }
    add(steps + refreshSteps(at: now) { $0.permissionChanged(isOn: isOn, at: $1) })
  }

  /// The user force-quit the app.
  package mutating func forceQuit(at now: MonotonicTime) {
    end()
    add(lifeSteps(at: now) { $0.forceQuit(at: $1) })
  }

  /// The app's process crashed, or could not start.
  package mutating func crashed(at now: MonotonicTime) {
    end()
    add(restartPush() + lifeSteps(at: now) { $0.ended(at: $1) })
  }

  /// The device lost its power and was switched on again.
  package mutating func restarted(at now: MonotonicTime) {
    end()
    add(restartPush() + lifeSteps(at: now) { $0.rebooted(at: $1) })
  }

  // MARK: Steps

  /// What the system does at a launch of the app by its user. A launch by the system is known to it.
  mutating func launchSteps(at now: MonotonicTime) -> [Step] {
    guard life?.isRunning != true else { return [] }
    refresh?.enteredForeground()
    return lifeSteps(at: now) { $0.launched(at: $1) }
  }

  /// What is due at that time for the system.
  mutating func dueLifeSteps(at now: MonotonicTime) -> [Step] {
    var steps: [Step] = []
    if let due = life?.nextDeadline, due <= now { steps += lifeSteps(at: now) { $0.tick(at: $1) } }
    if let due = refresh?.nextDeadline, due <= now { steps += refreshSteps(at: now) { $0.tick(at: $1) } }
    return steps
  }

  /// A suspended app that may run again resumes before anything else happens.
  private mutating func lifeSteps(
    at now: MonotonicTime, _ event: (inout DeviceLife, MonotonicTime) -> [DeviceLife.Effect]
  ) -> [Step] {
    guard var life = life.take() else { return [] }
    defer { self.life = life }
    let effects = event(&life, now)
    return (isSuspended && life.isRunning ? [.resume] : []) + effects.map { .life($0) }
  }

  private mutating func refreshSteps(
    at now: MonotonicTime, _ event: (inout BackgroundRefresh, MonotonicTime) -> [BackgroundRefresh.Effect]
  ) -> [Step] {
    guard var refresh = refresh.take() else { return [] }
    defer { self.refresh = refresh }
    return event(&refresh, now).map { .backgroundRefresh($0) }
  }

  /// Carries out an effect of the system.
  mutating func carryOut(_ effect: DeviceLife.Effect, at now: MonotonicTime) -> DeviceEffect {
    switch effect {
    case .launch: return .launch
    case .hand(let push):
      guard isRunning else { return .life(.discard(push, .appEnded)) }
      add([.receivePush(push, nil)])
      return .receivesPush(push, nil)
    case .suspend: suspend(at: now)
    case .run, .hold, .discard: break
    }
    return .life(effect)
  }

  /// Carries out an effect of the background refreshes. The system runs the app for one, as after a push.
  mutating func carryOut(_ effect: BackgroundRefresh.Effect, at now: MonotonicTime) -> DeviceEffect {
    if effect == .begin {
      add(lifeSteps(at: now) { $0.refreshGranted(at: $1) } + [.tell(.wantsSync(.refresh)), .requestRefresh])
    }
    return .backgroundRefresh(effect)
  }

  /// The app came to the front or left it.
  mutating func changeFront(_ isInFront: Bool, at moment: Moment) {
    guard isRunning else { return }
    pass(at: moment.monotonic) { link, now, _ in link.frontChanged(isInFront: isInFront, at: now) }
    pass(at: moment) {
      isInFront ? $0.foreground(at: $1, using: &$2) : $0.enteredBackground(at: $1, using: &$2)
    }
  }

  /// The app syncs in a background refresh, if the system lets it run.
  mutating func requestRefresh(at moment: Moment) {
    guard isComputing else { return }
    pass(at: moment) { $0.requestSyncIfNeeded(reason: .refresh, at: $1, using: &$2) }
  }
}
