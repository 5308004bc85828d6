import ZoneKitScenarios

/// A point between two steps of a process at which it is killed.
public enum KillPoint: Hashable, Sendable {
  /// Before its n-th step, from 1. A step is a commit or an effect outside of the process.
  case step(Int)
  /// Right after its n-th commit, from 1.
  case commit(Int)
  /// Before its n-th step of that name, from 1. On a device names are `send`, `remoteChange`, or a fact such as
  /// `pageMerged` or `recordSent`; on the cloud `commit`, `answer`, `notify` or `registered`.
  case effect(String, Int = 1)

  var simulated: ZoneKitScenarios.KillPoint {
    switch self {
    case .step(let number): .before(number, .step)
    case .commit(let number): .after(number, .commit)
    // The cloud commits at the end of a turn.
    case .effect("commit", let number): .before(number, .effect("turn"))
    case .effect(let name, let number): .before(number, .effect(name))
    }
  }
}
