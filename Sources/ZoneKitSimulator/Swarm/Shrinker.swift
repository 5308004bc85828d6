import ZoneKitScenarios

/// Shortens a failing story: removes steps as long as the story violates the same invariant.
package struct Shrinker {
  /// The shortest story so far.
  package private(set) var story: Story
  /// The number of plays so far.
  package private(set) var plays = 0
  private let rule: Violation.Rule
  private let playLimit: Int

  /// A shrinker of a story whose first violation is of that invariant. It plays at most `playLimit` times.
  package init(_ story: Story, breaking rule: Violation.Rule, playLimit: Int = 2_000) {
    self.story = story
    self.rule = rule
    self.playLimit = playLimit
  }

  /// Shrinks until nothing more can be removed.
  package mutating func shrink() {
    var size = max(1, story.steps.count / 2)
    while plays < playLimit {
      let before = story.steps.count
      removeRuns(of: size)
      if size == 1, story.steps.count == before { break }
      size = max(1, size / 2)
    }
    shortenWaits()
    removeOptions()
  }

  /// Tries to remove every run of that many steps, from the end on, because later steps depend on earlier ones.
  private mutating func removeRuns(of size: Int) {
    var end = story.steps.count
    while end > 0, plays < playLimit {
      let start = max(0, end - size)
      attempt { $0.draft.steps.removeSubrange(start..<end) }
      end = min(start, story.steps.count)
    }
  }

  /// Rounds and shortens waits if the story still fails in the same way.
  private mutating func shortenWaits() {
    for index in story.steps.indices {
      guard case .wait(let span) = story.steps[index] else { continue }
      for shorter in [1_000, 5_000, 30_000] as [Int64] where shorter < span.milliseconds {
        if attempt({ $0.steps[index] = .wait(TimeSpan(milliseconds: shorter)) }) { break }
      }
    }
  }

  /// Removes options if the story still fails in the same way.
  private mutating func removeOptions() {
    for option in story.draft.options where option.isOfWorld {
      attempt { $0.draft.options.removeAll { $0 == option } }
    }
  }

  /// Changes the story, and keeps the change if the story still fails in the same way. Returns whether it does.
  @discardableResult
  private mutating func attempt(_ change: (inout Story) -> Void) -> Bool {
    var simpler = story
    change(&simpler)
    guard fails(simpler) else { return false }
    story = simpler
    return true
  }

  /// The shortest story with the same first violation, played with its events kept; nil if the story has no violation.
  /// At most `playLimit` plays.
  package static func shortest(of story: Story, playLimit: Int = 2_000) throws(PlayingError) -> Shrunk? {
    guard let violation = try story.play().violations.first else { return nil }
    var shrinker = Shrinker(story, breaking: violation.rule, playLimit: playLimit)
    shrinker.shrink()
    return Shrunk(
      story: shrinker.story, outcome: try shrinker.story.play(keepsEvents: true), plays: shrinker.plays)
  }

  private mutating func fails(_ story: Story) -> Bool {
    plays += 1
    // A story whose start cannot be played does not fail in the same way.
    guard let outcome = try? story.play() else { return false }
    return outcome.violations.first?.rule == rule
  }
}

extension ScenarioOption {
  /// Whether the option sets up the simulation and not the way in which the scenario is played.
  fileprivate var isOfWorld: Bool {
    switch self {
    case .seed, .choice(.lenient, _): false
    case .count, .span, .choice: true
    }
  }
}
