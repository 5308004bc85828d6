import ZoneKitRecords

/// A device's operating system between the connection to the push service and the app: it decides whether the app runs, and
/// whether and when a push reaches it (sync semantics, 2.3, "Device side").
///
/// A push reaches an app that is in front at once. Any other silent push needs a grant: background refresh on, no low
/// power, and budget left. Until then the system holds the newest push only. Opening the app hands that push over;
/// force-quitting the app, or its end, discards it.
package struct DeviceLife: Sendable {
  /// Where the app is.
  package enum State: Hashable, Sendable {
    /// The user looks at it.
    case foreground
    /// It runs, until then.
    case background(until: MonotonicTime)
    /// Its process is there and does nothing.
    case suspended
    /// It has no process; a push may start one.
    case notRunning
    /// The user ended it: no push starts it before they open it or restart the device.
    case forceQuit
    /// The device is off.
    case off
  }

  private struct Held: Sendable {
    var push: PushNotification
    /// When the first of those that it replaced came.
    var since: MonotonicTime
  }

  /// What can be set about the system.
  package let policy: Policy
  /// Where the app is.
  package private(set) var state = State.notRunning
  /// Whether the device saves power.
  package private(set) var isLowPower = false
  /// Whether the user lets the app run in the background.
  package private(set) var allowsRefresh = true
  private var held: Held?
  /// When pushes woke the app, ascending: the last ones, as many as the budget has.
  private var grants: [MonotonicTime] = []

  /// A device that is on, with an app that was not opened yet.
  package init(policy: Policy = Policy()) { self.policy = policy }

  /// The push that waits for the app.
  package var heldPush: PushNotification? { held?.push }

  /// Whether the app computes and receives from the network.
  package var isRunning: Bool {
    switch state {
    case .foreground, .background: true
    case .suspended, .notRunning, .forceQuit, .off: false
    }
  }

  /// When `tick` has something to do next; nil where only an event can change anything.
  package var nextDeadline: MonotonicTime? {
    let end: MonotonicTime? = if case .background(let until) = state { until } else { nil }
    return [end, heldDeadline].compactMap { $0 }.min()
  }

  // MARK: Events

  /// A push came over the connection.
  package mutating func pushArrived(_ push: PushNotification, at time: MonotonicTime) -> [Effect] {
    switch state {
    case .foreground: return [.hand(push)]
    case .forceQuit: return [.discard(push, .forceQuit)]
    case .off: return [.discard(push, .poweredOff)]
    case .background, .suspended, .notRunning: break
    }
    guard push.info.shouldSendContentAvailable else { return [.discard(push, .notForApp)] }
    let older = held
    held = Held(push: push, since: older?.since ?? time)
    var effects: [Effect] = []
    if let older { effects.append(.discard(older.push, .overwritten)) }
    if let reason = hindrance(at: time) { return effects + [.hold(push, reason)] }
    return effects + grant(at: time)
  }

  /// The user opened the app, whose process has been started: it is in front.
  package mutating func launched(at time: MonotonicTime) -> [Effect] {
    guard state != .off else { return [] }
    state = .foreground
    return handHeld()
  }

  /// The app came to the front. One without a process is started first.
  package mutating func enteredForeground(at time: MonotonicTime) -> [Effect] {
    switch state {
    case .off: return []
    case .notRunning, .forceQuit: return [.launch] + launched(at: time)
    case .foreground, .background, .suspended: return launched(at: time)
    }
  }

  /// The app left the front: it runs on for a while.
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

  /// The app's process ended by a crash, or the system needed its memory.
  package mutating func ended(at time: MonotonicTime) -> [Effect] {
    switch state {
    case .forceQuit, .off, .notRunning: return []
    case .foreground, .background, .suspended:
      state = .notRunning
      return discardHeld(.appEnded)
    }
  }

  /// The device went off; the app's process is gone.
  package mutating func poweredOff(at time: MonotonicTime) -> [Effect] {
    state = .off
    return discardHeld(.poweredOff)
  }

  /// The device went on, or off and on: pushes start the app again, also one that was force-quit.
  package mutating func rebooted(at time: MonotonicTime) -> [Effect] {
    let effects = poweredOff(at: time)
    state = .notRunning
    return effects
  }

  /// The device starts or ends saving power.
  package mutating func lowPowerChanged(isOn: Bool, at time: MonotonicTime) -> [Effect] {
    isLowPower = isOn
    return tick(at: time)
  }

  /// The user lets the app run in the background or not.
  package mutating func backgroundRefreshChanged(isOn: Bool, at time: MonotonicTime) -> [Effect] {
    allowsRefresh = isOn
    return tick(at: time)
  }

  /// Time went by.
  package mutating func tick(at time: MonotonicTime) -> [Effect] {
    var effects: [Effect] = []
    if case .background(let until) = state, until <= time {
      state = .suspended
      effects.append(.suspend)
    }
    if held != nil, hindrance(at: time) == nil { effects += grant(at: time) }
    return effects
  }

  // MARK: Grants

  /// Why the app cannot be woken for the held push at that time; nil where it can.
  private func hindrance(at time: MonotonicTime) -> HoldReason? {
    if !allowsRefresh { return .refreshOff }
    if isLowPower { return .lowPower }
    guard let free = budgetFree, free <= time else { return .budget }
    guard let held, held.since.advanced(byMilliseconds: policy.wakeDelay) <= time else { return .delay }
    return nil
  }

  /// When the app can be woken for the held push; nil where that takes an event.
  private var heldDeadline: MonotonicTime? {
    guard let held, allowsRefresh, !isLowPower, let free = budgetFree else { return nil }
    return max(free, held.since.advanced(byMilliseconds: policy.wakeDelay))
  }

  /// From when on the budget has a push left; nil where it never has.
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
    defer { held = nil }
    return held.map { [.hand($0.push)] } ?? []
  }

  private mutating func discardHeld(_ reason: DiscardReason) -> [Effect] {
    defer { held = nil }
    return held.map { [.discard($0.push, reason)] } ?? []
  }
}
