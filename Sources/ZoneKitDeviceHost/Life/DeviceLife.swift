import ZoneKitRecords

/// A device's operating system between the push service and the app. It decides whether the app runs, and whether and
/// when a push is passed to it (sync semantics, 2.3, "Device side").
///
/// An app in the foreground gets a push immediately. Otherwise a silent push is passed only if background refresh is
/// on, low power mode is off, and there is budget left. Until then the system holds the newest push only. Opening the
/// app passes that push to it; force-quitting the app, or the end of its process, discards it.
package struct DeviceLife: Sendable {
  /// The state of the app.
  package enum State: Hashable, Sendable {
    /// The app is in the foreground.
    case foreground
    /// The app runs in the background until that time.
    case background(until: MonotonicTime)
    /// The app's process exists and does nothing.
    case suspended
    /// The app has no process. A push can start it.
    case notRunning
    /// The user has force-quit the app. No push starts it until the user opens it or restarts the device.
    case forceQuit
    /// The device is off.
    case off
  }

  /// The settings of the system.
  package let policy: Policy
  /// The state of the app.
  package private(set) var state = State.notRunning
  /// Whether the device is in low power mode.
  package private(set) var isLowPower = false
  /// Whether background refresh is on.
  package private(set) var allowsRefresh = true
  /// The push that the system holds for the app.
  package private(set) var heldPush: PushNotification?
  /// When pushes woke the app, in ascending order; at most as many as the budget.
  private var grants: [MonotonicTime] = []

  /// A device that is on, with an app that was not opened yet.
  package init(policy: Policy = Policy()) { self.policy = policy }

  /// Whether the app can compute and receives from the network.
  package var isRunning: Bool {
    switch state {
    case .foreground, .background: true
    case .suspended, .notRunning, .forceQuit, .off: false
    }
  }

  /// When `tick` has something to do next; nil if only an event can change the state.
  package var nextDeadline: MonotonicTime? {
    let end: MonotonicTime? = if case .background(let until) = state { until } else { nil }
    return [end, heldDeadline].compactMap { $0 }.min()
  }

  // MARK: Events

  /// A push arrived from the push service.
  package mutating func pushArrived(_ push: PushNotification, at time: MonotonicTime) -> [Effect] {
    switch state {
    case .foreground: return [.hand(push)]
    case .forceQuit: return [.discard(push, .forceQuit)]
    case .off: return [.discard(push, .poweredOff)]
    case .background, .suspended, .notRunning: break
    }
    guard push.info.shouldSendContentAvailable else { return [.discard(push, .notForApp)] }
    let effects = discardHeld(.overwritten)
    heldPush = push
    if let reason = hindrance(at: time) { return effects + [.hold(push, reason)] }
    return effects + grant(at: time)
  }

  /// The user opened the app, and its process was started: it is in the foreground.
  package mutating func launched(at time: MonotonicTime) -> [Effect] {
    guard state != .off else { return [] }
    state = .foreground
    return handHeld()
  }

  /// The app came to the foreground. If it had no process, it is started first.
  package mutating func enteredForeground(at time: MonotonicTime) -> [Effect] {
    switch state {
    case .off: return []
    case .notRunning, .forceQuit: return [.launch] + launched(at: time)
    case .foreground, .background, .suspended: return launched(at: time)
    }
  }

  /// The app left the foreground. It runs on for a while.
  package mutating func enteredBackground(at time: MonotonicTime) -> [Effect] {
    guard state == .foreground else { return [] }
    return run(from: time)
  }

  /// The user force-quit the app.
  package mutating func forceQuit(at time: MonotonicTime) -> [Effect] {
    guard state != .off else { return [] }
    state = .forceQuit
    return discardHeld(.forceQuit)
  }

  /// The app's process crashed, or the system ended it to free memory.
  package mutating func ended(at time: MonotonicTime) -> [Effect] {
    switch state {
    case .forceQuit, .off, .notRunning: return []
    case .foreground, .background, .suspended:
      state = .notRunning
      return discardHeld(.appEnded)
    }
  }

  /// The device was switched off, which ends the app's process.
  package mutating func poweredOff(at time: MonotonicTime) -> [Effect] {
    state = .off
    return discardHeld(.poweredOff)
  }

  /// The device was switched on or restarted. Pushes can start the app again, even if it was force-quit.
  package mutating func rebooted(at time: MonotonicTime) -> [Effect] {
    let effects = poweredOff(at: time)
    state = .notRunning
    return effects
  }

  /// The device entered or left low power mode.
  package mutating func lowPowerChanged(isOn: Bool, at time: MonotonicTime) -> [Effect] {
    isLowPower = isOn
    return tick(at: time)
  }

  /// The user turned background refresh on or off.
  package mutating func backgroundRefreshChanged(isOn: Bool, at time: MonotonicTime) -> [Effect] {
    allowsRefresh = isOn
    return tick(at: time)
  }

  /// Time has passed.
  package mutating func tick(at time: MonotonicTime) -> [Effect] {
    var effects: [Effect] = []
    if case .background(let until) = state, until <= time {
      state = .suspended
      effects.append(.suspend)
    }
    if heldPush != nil, hindrance(at: time) == nil { effects += grant(at: time) }
    return effects
  }

  /// The time of a background refresh has come. The app runs for it, unless the user has force-quit it.
  package mutating func refreshGranted(at time: MonotonicTime) -> [Effect] {
    switch state {
    case .foreground, .forceQuit, .off: return []
    case .notRunning: return [.launch] + run(from: time)
    case .background, .suspended: return run(from: time)
    }
  }

  // MARK: Grants

  /// The reason why the app cannot be woken for the held push at that time; nil if it can.
  private func hindrance(at time: MonotonicTime) -> HoldReason? {
    if !allowsRefresh { return .refreshOff }
    if isLowPower { return .lowPower }
    guard let free = budgetFree, free <= time else { return .budget }
    return nil
  }

  /// When the app can be woken for the held push; nil if only an event can allow it.
  private var heldDeadline: MonotonicTime? {
    heldPush != nil && allowsRefresh && !isLowPower ? budgetFree : nil
  }

  /// From when on the budget allows a push; nil if never.
  private var budgetFree: MonotonicTime? {
    guard policy.budget > 0 else { return nil }
    guard grants.count == policy.budget, let oldest = grants.first else { return MonotonicTime(milliseconds: .min) }
    return oldest.advanced(byMilliseconds: policy.budgetWindow)
  }

  private mutating func grant(at time: MonotonicTime) -> [Effect] {
    if grants.count == policy.budget { grants.removeFirst() }
    grants.append(time)
    let start: [Effect] = state == .notRunning ? [.launch] : []
    return start + run(from: time) + handHeld()
  }

  private mutating func run(from time: MonotonicTime) -> [Effect] {
    let until = time.advanced(byMilliseconds: policy.backgroundTime)
    state = .background(until: until)
    return [.run(until: until)]
  }

  private mutating func handHeld() -> [Effect] {
    heldPush.take().map { [.hand($0)] } ?? []
  }

  private mutating func discardHeld(_ reason: DiscardReason) -> [Effect] {
    heldPush.take().map { [.discard($0, reason)] } ?? []
  }
}
