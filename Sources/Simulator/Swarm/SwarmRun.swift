import Records
import SyncCoordinator

/// What came of one story that was played to its end.
package struct StoryOutcome: Sendable {
  /// What must not have been.
  package var violations: [Violation]
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
  /// Plays the story: first its deeds, then healing, then all must agree; then some calm edits, which pushes alone have to
  /// spread; then there must be peace.
  package func play(keepsEvents: Bool = false) throws(StoreError) -> StoryOutcome {
    var world = try world(keepsEvents: keepsEvents)
    for deed in deeds { world.play(deed) }
    world.heal(cast)
    if world.expectConvergence(within: Self.livenessLimit, rule: .convergence) {
      world.checkEdits()
      calm(&world)
    }
    return outcome(of: world)
  }

  /// How long healing may take at most, in milliseconds: more than the hour for which a full cloud is left alone.
  static var livenessLimit: Int64 { 4_500_000 }
  /// How long pushes may take to spread an edit in calm weather, in milliseconds.
  static var calmLimit: Int64 { 20_000 }

  private func calm(_ world: inout World) {
    world.note(.cloud, .step, "calm")
    var chance = SplitMix64(seed: seed ^ 0xca1)
    for _ in 0..<3 {
      for _ in 0..<Int.random(in: 1...4, using: &chance) {
        guard let line = app.randomLine?(&chance) else { return }
        let device = Int.random(in: 0..<cast.count, using: &chance)
        if cast[device].account != nil { world.play(.app(device, line)) }
        world.wait(Int64.random(in: 0...400, using: &chance))
      }
      guard world.expectConvergence(within: Self.calmLimit, rule: .pushNeeded) else { return }
    }
    world.checkEdits()
    world.expectRest()
  }

  private func outcome(of world: World) -> StoryOutcome {
    var faults: [String: Int] = [:]
    for deed in deeds where deed.isTrouble { faults[deed.kind, default: 0] += 1 }
    return StoryOutcome(
      violations: world.inspector.violations, digest: world.trace.digest, events: world.eventCount,
      milliseconds: world.now.milliseconds, faults: faults, trace: world.trace)
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
