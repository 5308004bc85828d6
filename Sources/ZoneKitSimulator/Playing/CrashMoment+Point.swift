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

  /// The moment at which a process dies at that point; nil where no words say it.
  init?(_ point: CrashPoint) {
    switch point {
    case .step(let number): self = .before(number, "step")
    case .beforeCommit(let number): self = .before(number, "commit")
    case .commit(let number): self = .after(number, "commit")
    case .effect("commit", let number): self = .before(number, "turn")
    case .effect(let name, let number): self = .before(number, name)
    case .afterEffect(let name, let number): self = .after(number, name)
    }
    guard self.point == point else { return nil }
  }
}
