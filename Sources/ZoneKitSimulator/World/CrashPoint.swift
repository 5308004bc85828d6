/// Where a process can be made to die: between two things that it does.
package enum CrashPoint: Hashable, Sendable {
  /// Before the step of that number, from 1: a step is a commit or an effect, in the order in which they happen.
  case step(Int)
  /// Right before the commit of that number, from 1.
  case beforeCommit(Int)
  /// Right after the commit of that number, from 1.
  case commit(Int)
  /// Before the effect of that name and number, from 1: `send`, `remoteChange`, or a fact's name on a device; `answer`,
  /// `notify` or `registered` on the cloud.
  case effect(String, Int)
  /// After the effect of that name and number, from 1.
  case afterEffect(String, Int)
}

/// Counts what a process did, and tells when it has to die.
struct CrashWatch: Hashable, Sendable {
  /// Where it has to die; nil where it need not.
  private(set) var point: CrashPoint?
  /// How many steps there were.
  private(set) var steps = 0
  /// How many steps there were in all the process's lives.
  private(set) var total = 0
  /// The step of all lives before which the process has to die, from 1, whatever else is set; nil for none.
  var sweptStep: Int?
  private var commits = 0
  private var effects = 0

  /// Whether the process is started again a while after it died.
  private(set) var comesBack = false

  /// Makes the process die there, counted from now on; nil lets it live.
  mutating func set(_ point: CrashPoint?, comesBack: Bool = false) {
    self.point = point
    self.comesBack = comesBack
    effects = 0
    commits = 0
    steps = 0
  }

  /// How many more commits are allowed before the process dies among them; nil where any number is.
  var commitsLeft: Int? {
    let swept = sweptStep.flatMap { $0 > total ? $0 - 1 - total : nil }
    let own: Int? =
      switch point {
      case .step(let number): max(0, number - 1 - steps)
      case .commit(let number): max(0, number - commits)
      case .beforeCommit, .effect, .afterEffect, nil: nil
      }
    return [swept, own].compactMap { $0 }.min()
  }

  /// The commit at which the process dies, 1 being the next one; nil where it dies at none.
  var fatalCommit: Int? {
    guard case .beforeCommit(let number) = point else { return nil }
    return max(1, number - commits)
  }

  /// Takes in that so many commits were made; says whether the process dies now.
  mutating func committed(_ count: Int) -> Bool {
    steps += count
    total += count
    commits += count
    switch point {
    case .commit(let number): return commits >= number
    case .step, .beforeCommit, .effect, .afterEffect, nil: return false
    }
  }

  /// Takes in that the process is dead; says whether that was the step to be swept, which is only done once.
  mutating func endSweep() -> Bool {
    guard let step = sweptStep, total >= step - 1 else { return false }
    sweptStep = nil
    return true
  }

  /// Whether the process dies instead of the next commit.
  func diesBeforeCommit() -> Bool { fatalCommit == 1 }

  /// Takes in that a commit was made that is counted as a step already; says whether the process dies now.
  mutating func hasCommitted() -> Bool {
    commits += 1
    if case .commit(let number) = point { return commits >= number }
    return false
  }

  /// Takes in that an effect is about to happen; says whether the process dies instead.
  mutating func reached(_ name: @autoclosure () -> String) -> Bool {
    defer {
      steps += 1
      total += 1
    }
    if let sweptStep, total == sweptStep - 1 { return true }
    switch point {
    case .step(let number): return steps == number - 1
    case .effect(let wanted, let number):
      guard name() == wanted else { return false }
      effects += 1
      return effects == number
    case .commit, .beforeCommit, .afterEffect, nil: return false
    }
  }

  /// Takes in that an effect has happened; says whether the process dies now.
  mutating func passed(_ name: @autoclosure () -> String) -> Bool {
    guard case .afterEffect(let wanted, let number) = point, name() == wanted else { return false }
    effects += 1
    return effects == number
  }
}
