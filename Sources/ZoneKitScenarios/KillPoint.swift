/// The point at which a process is killed: right before or right after something that it does, counted from when the point
/// is set.
package enum KillPoint: Hashable, Sendable {
  /// `before its 2nd send`: the number is from 1.
  case before(Int, ProcessAction)
  /// `after its 3rd commit`.
  case after(Int, ProcessAction)
}

/// Something that a process does, at which it can be killed.
package enum ProcessAction: Hashable, Sendable {
  /// Any commit or effect.
  case step
  /// A commit.
  case commit
  /// An effect by its name: `send`, `remoteChange` or a fact's name on a device; on the cloud `answer`, `notify`,
  /// `registered`, or `turn` for any of its turns, whether it writes or not.
  case effect(String)

  /// What that word means.
  package init(_ word: String) {
    self =
      switch word {
      case "step": .step
      case "commit": .commit
      default: .effect(word)
      }
  }

  /// The word that means this.
  package var word: String {
    switch self {
    case .step: "step"
    case .commit: "commit"
    case .effect(let name): name
    }
  }
}
