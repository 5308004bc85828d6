import ZoneKitScenarios

extension CrashMoment {
  /// The point at which a process is killed.
  var point: CrashPoint {
    switch self {
    case .before(let number, "commit"): .beforeCommit(number)
    case .before(let number, "step"): .step(number)
    // The cloud ends every turn with the effect `commit`, even if there is nothing to commit.
    case .before(let number, "turn"): .effect("commit", number)
    case .before(let number, let name): .effect(name, number)
    case .after(let number, "commit"): .commit(number)
    case .after(let number, let name): .afterEffect(name, number)
    }
  }
}
