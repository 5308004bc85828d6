import ZoneKitRecords

/// Makes a failing story short: takes deeds out as long as it breaks the same promise.
package struct Shrinker {
  /// The shortest story so far.
  package private(set) var story: Story
  /// How often a story was played.
  package private(set) var plays = 0
  private let rule: Violation.Rule
  private let playLimit: Int

  /// A shrinker of a story that breaks that promise first; it plays stories at most so often.
  package init(_ story: Story, breaking rule: Violation.Rule, playLimit: Int = 2_000) {
    self.story = story
    self.rule = rule
    self.playLimit = playLimit
  }

  /// Shrinks until nothing more can go. Tells the number of deeds after every gain.
  package mutating func shrink(telling tell: (Int) -> Void = { _ in }) {
    var size = max(1, story.deeds.count / 2)
    while plays < playLimit {
      let before = story.deeds.count
      removeRuns(of: size, tell)
      if size == 1, story.deeds.count == before { break }
      size = max(1, size / 2)
    }
    shortenWaits()
    simplifyWorld()
  }

  /// Tries to do without every run of that many deeds, from the end on: what comes late depends on what came before.
  private mutating func removeRuns(of size: Int, _ tell: (Int) -> Void) {
    var end = story.deeds.count
    while end > 0, plays < playLimit {
      let start = max(0, end - size)
      var shorter = story
      shorter.deeds.removeSubrange(start..<end)
      if fails(shorter) {
        story = shorter
        tell(story.deeds.count)
      }
      end = min(start, story.deeds.count)
    }
  }

  /// Makes waits round and short where that changes nothing.
  private mutating func shortenWaits() {
    for index in story.deeds.indices {
      guard case .wait(let milliseconds) = story.deeds[index] else { continue }
      for shorter in [1_000, 5_000, 30_000] as [Int64] where shorter < milliseconds {
        var simpler = story
        simpler.deeds[index] = .wait(shorter)
        guard fails(simpler) else { continue }
        story = simpler
        break
      }
    }
  }

  /// Takes away what is special about the world where that changes nothing.
  private mutating func simplifyWorld() {
    let changes: [(inout Story) -> Void] = [
      { $0.policy = .init() }, { $0.limits = .init() }, { $0.app.configuration.isAtomic = false },
      { $0.app.configuration.pageLimit = 200 }, { $0.app.configuration.batchLimit = 200 },
      { $0.app.configuration.limits = .init() },
    ]
    for change in changes {
      var simpler = story
      change(&simpler)
      if fails(simpler) { story = simpler }
    }
  }

  /// The shortest story that breaks the same promise first, played with its events kept; nil where the story breaks none.
  /// Stories are played at most `playLimit` times.
  package static func shortest(of story: Story, playLimit: Int = 2_000) throws(StoreError) -> Shrunk? {
    guard let violation = try story.play().violations.first else { return nil }
    var shrinker = Shrinker(story, breaking: violation.rule, playLimit: playLimit)
    shrinker.shrink()
    return Shrunk(
      story: shrinker.story, outcome: try shrinker.story.play(keepsEvents: true), plays: shrinker.plays)
  }

  private mutating func fails(_ story: Story) -> Bool {
    plays += 1
    // A story whose beginning already fails is not the one that is looked for.
    guard let outcome = try? story.play() else { return false }
    return outcome.violations.first?.rule == rule
  }
}

/// A failing story made short, and what came of it.
package struct Shrunk: Sendable {
  /// The story.
  package let story: Story
  /// What came of it, with its events.
  package let outcome: StoryOutcome
  /// How often a story was played to find it.
  package let plays: Int
}
