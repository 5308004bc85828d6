import ZoneKitSimulator

/// Where a process is made to die: between two things that it does.
public enum KillPoint: Hashable, Sendable {
  /// Before its n-th step, from 1: a step is a commit, or something that the process does to the outside.
  case step(Int)
  /// Right after its n-th commit, from 1.
  case commit(Int)
  /// Before it does something of that name for the n-th time, from 1: on a device `send`, `remoteChange`, or a fact such
  /// as `pageMerged` or `recordSent`; on the cloud `commit`, `answer`, `notify` or `registered`.
  case effect(String, Int = 1)

  var crash: CrashPoint {
    switch self {
    case .step(let number): .step(number)
    case .commit(let number): .commit(number)
    case .effect(let name, let number): .effect(name, number)
    }
  }
}
