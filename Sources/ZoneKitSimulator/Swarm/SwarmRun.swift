import ZoneKitRecords
import ZoneKitSync

/// What came of one story that was played to its end.
package struct StoryOutcome: Sendable {
  /// What must not have been.
  package var violations: [Violation]
  /// How many steps of the story's ending were played when the first promise was broken; all that were, where none was.
  package var endingSteps: Int
  /// The trace's digest.
  package var digest: String
  /// How many things arrived or fell due.
  package var events: Int
  /// How much virtual time passed, in milliseconds.
  package var milliseconds: Int64
  /// How often each kind of trouble came, by its name.
  package var faults: [String: Int]
  /// All that happened, where the trace keeps it.
  package var trace: Trace
}

extension Story {
  /// Plays the story: first its deeds, then its ending.
  package func play(keepsEvents: Bool = false) throws(StoreError) -> StoryOutcome {
    var world = try world(keepsEvents: keepsEvents)
    for deed in deeds { world.play(deed) }
    var steps = 0
    for step in ending {
      let isWhole = world.inspector.violations.isEmpty
      let goesOn = world.play(step, of: cast)
      if isWhole { steps += 1 }
      guard goesOn else { break }
    }
    return outcome(of: world, endingSteps: steps)
  }

  private func outcome(of world: World, endingSteps: Int) -> StoryOutcome {
    var faults: [String: Int] = [:]
    for deed in deeds where deed.isTrouble { faults[deed.kind, default: 0] += 1 }
    return StoryOutcome(
      violations: world.inspector.violations, endingSteps: endingSteps, digest: world.trace.digest,
      events: world.eventCount, milliseconds: world.now.milliseconds, faults: faults, trace: world.trace)
  }
}

extension Deed {
  /// Whether it makes trouble.
  package var isTrouble: Bool {
    switch self {
    case .wait, .app, .sync, .start, .foreground, .clearFaults: false
    default: true
    }
  }
}
