import ZoneKitSimulator

/// A point between two steps of a process at which it is killed.
public enum KillPoint: Hashable, Sendable {
  /// Before its n-th step, from 1. A step is a commit or an effect outside of the process.
  case step(Int)
  /// Right after its n-th commit, from 1.
  case commit(Int)
  /// Before its n-th step of that name, from 1. On a device names are `send`, `remoteChange`, or a fact such as
  /// `pageMerged` or `recordSent`; on the cloud `commit`, `answer`, `notify` or `registered`.
  case effect(String, Int = 1)

  var crash: CrashPoint {
    switch self {
    case .step(let number): .step(number)
    case .commit(let number): .commit(number)
    case .effect(let name, let number): .effect(name, number)
    }
  }
}
