import ZoneKitScenarios

/// Counts the steps of a process and determines when it is killed.
struct CrashWatch: Hashable, Sendable {
  /// The point at which it is killed; nil for none.
  private(set) var point: KillPoint?
  /// The number of steps since the point was set, or since the start.
  private(set) var steps = 0
  /// The number of steps of all processes so far.
  private(set) var total = 0
  /// The step of all processes, from 1, before which the process is killed, in addition to `point`; nil for none.
  var sweptStep: Int?
  private var commits = 0
  private var effects = 0

  /// Whether the process is restarted some time after it was killed.
  private(set) var comesBack = false

  /// Sets the point at which the process is killed, counted from now on; nil for none.
  mutating func set(_ point: KillPoint?, comesBack: Bool = false) {
    self.point = point
    self.comesBack = comesBack
    effects = 0
    commits = 0
    steps = 0
  }

  /// The number of commits until the process is killed; nil for no limit.
  var commitsLeft: Int? {
    let swept = sweptStep.flatMap { $0 > total ? $0 - 1 - total : nil }
    let own: Int? =
      switch point {
      case .before(let number, .step): max(0, number - 1 - steps)
      case .after(let number, .commit): max(0, number - commits)
      case .before, .after, nil: nil
      }
    return [swept, own].compactMap { $0 }.min()
  }

  /// The number of the commit at which the process is killed, from 1 for the next one; nil for none.
  var fatalCommit: Int? {
    guard case .before(let number, .commit) = point else { return nil }
    return max(1, number - commits)
  }

  /// Counts commits. Returns whether the process is killed now.
  mutating func committed(_ count: Int) -> Bool {
    steps += count
    total += count
    commits += count
    return hasDoneLastCommit
  }

  /// The process was killed. Returns whether that was at `sweptStep`, which happens only once.
  mutating func endSweep() -> Bool {
    guard let step = sweptStep, total >= step - 1 else { return false }
    sweptStep = nil
    return true
  }

  /// Whether the process is killed instead of the next commit.
  func diesBeforeCommit() -> Bool { fatalCommit == 1 }

  /// A commit ended that is already counted as a step. Returns whether the process is killed now.
  mutating func hasCommitted() -> Bool {
    commits += 1
    return hasDoneLastCommit
  }

  private var hasDoneLastCommit: Bool {
    if case .after(let number, .commit) = point { return commits >= number }
    return false
  }

  /// An effect is about to happen. Returns whether the process is killed instead.
  mutating func reached(_ name: @autoclosure () -> String) -> Bool {
    defer {
      steps += 1
      total += 1
    }
    if let sweptStep, total == sweptStep - 1 { return true }
    switch point {
    case .before(let number, .step): return steps == number - 1
    case .before(let number, .effect(let wanted)):
      guard name() == wanted else { return false }
      effects += 1
      return effects == number
    case .before(_, .commit), .after, nil: return false
    }
  }

  /// An effect has happened. Returns whether the process is killed now.
  mutating func passed(_ name: @autoclosure () -> String) -> Bool {
    guard case .after(let number, .effect(let wanted)) = point, name() == wanted else { return false }
    effects += 1
    return effects == number
  }
}
