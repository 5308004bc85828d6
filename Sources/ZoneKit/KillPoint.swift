import ZoneKitSimulator

/// The point at which a process is killed: between two of its steps.
public enum KillPoint: Hashable, Sendable {
  /// Before its n-th step, from 1: a step is a commit, or an effect outside of the process.
  case step(Int)
  /// Right after its n-th commit, from 1.
  case commit(Int)
  /// Before its n-th step of that name, from 1: on a device `send`, `remoteChange`, or a fact such
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
