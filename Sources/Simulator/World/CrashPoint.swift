/// Where a process can be made to die: between two things that it does.
package enum CrashPoint: Hashable, Sendable {
  /// Before the step of that number, from 1: a step is a commit or an effect, in the order in which they happen.
  case step(Int)
  /// Right after the commit of that number, from 1.
  case commit(Int)
  /// Before the effect of that name and number, from 1: `send`, `remoteChange`, or a fact's name on a device; `answer`,
  /// `notify` or `registered` on the cloud.
  case effect(String, Int)
}

/// Counts what a process did, and tells when it has to die.
struct CrashWatch: Hashable, Sendable {
  /// Where it has to die; nil where it need not.
  private(set) var point: CrashPoint?
  /// How many steps there were.
  private(set) var steps = 0
  private var commits = 0
  private var effects = 0

  /// Makes the process die there, counted from now on; nil lets it live.
  mutating func set(_ point: CrashPoint?) {
    self.point = point
    effects = 0
    commits = 0
    steps = 0
  }

  /// How many more commits are allowed before the process dies among them; nil where any number is.
  var commitsLeft: Int? {
    switch point {
    case .step(let number): max(0, number - 1 - steps)
    case .commit(let number): max(0, number - commits)
    case .effect, nil: nil
    }
  }

  /// Takes in that so many commits were made; says whether the process dies now.
  mutating func committed(_ count: Int) -> Bool {
    steps += count
    commits += count
    switch point {
    case .commit(let number): return commits >= number
    case .step, .effect, nil: return false
    }
  }

  /// Takes in that an effect is about to happen; says whether the process dies instead.
  mutating func reached(_ name: @autoclosure () -> String) -> Bool {
    defer { steps += 1 }
    switch point {
    case .step(let number): return steps == number - 1
    case .effect(let wanted, let number):
      guard name() == wanted else { return false }
      effects += 1
      return effects == number
    case .commit, nil: return false
    }
  }
}
