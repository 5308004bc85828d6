import ZoneKitScenarios

extension CrashMoment {
  /// Where a process can be made to die then.
  var point: CrashPoint {
    switch self {
    case .before(let number, "commit"): .beforeCommit(number)
    case .before(let number, "step"): .step(number)
    // The cloud ends a turn by its effect `commit`, whether there is anything to commit or not.
    case .before(let number, "turn"): .effect("commit", number)
    case .before(let number, let name): .effect(name, number)
    case .after(let number, "commit"): .commit(number)
    case .after(let number, let name): .afterEffect(name, number)
    }
  }
}
