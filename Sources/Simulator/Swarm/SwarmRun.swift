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
    world.heal(cast, restarting: deeds.contains(where: \.harmsSubscription))
    world.lookEverywhere()
    if hasTwins {
      // Nobody tells a device what its copy has just sent.
      world.wait(130_000)
      world.lookEverywhere()
    }
    if world.expectConvergence(within: Self.livenessLimit, rule: .convergence), tellTwinsApart(&world) {
      world.checkEdits()
      world.checkViews()
      // Copies that saw nothing of each other cannot know that they are two.
      if world.namesDiffer { calm(&world) }
    }
    return outcome(of: world)
  }

  /// How long healing may take at most, in milliseconds: more than the hour for which a full cloud is left alone.
  static var livenessLimit: Int64 { 4_500_000 }
  /// How long pushes may take to spread an edit in calm weather, in milliseconds.
  static var calmLimit: Int64 { 20_000 }

  /// Whether a device was ever restored from another one's disk.
  private var hasTwins: Bool { deeds.contains { if case .restoreCopy = $0 { true } else { false } } }

  /// Two copies of one device are told apart when one sees what the other wrote; before, neither is told of it. Says whether
  /// all agree afterwards.
  private func tellTwinsApart(_ world: inout World) -> Bool {
    guard hasTwins else { return true }
    world.note(.cloud, .step, "twins")
    var chance = SplitMix64(seed: seed ^ 0x2)
    for device in cast.indices where cast[device].account != nil {
      for _ in 0..<3 { if let line = app.randomLine?(&chance) { world.play(.app(device, line)) } }
      world.wait(1_000)
      world.lookEverywhere()
      world.wait(1_000)
    }
    world.lookEverywhere()
    return world.expectConvergence(within: Self.livenessLimit, rule: .convergence)
  }

  private func calm(_ world: inout World) {
    world.note(.cloud, .step, "calm")
    var chance = SplitMix64(seed: seed ^ 0xca1)
    for _ in 0..<3 {
      for _ in 0..<Int.random(in: 1...4, using: &chance) {
        edit(on: Int.random(in: 0..<cast.count, using: &chance), of: &world, &chance)
        world.wait(Int64.random(in: 0...400, using: &chance))
      }
      guard world.expectConvergence(within: Self.calmLimit, rule: .pushNeeded) else { return }
    }
    // Everybody at the very same moment, over ways of one length: one turn of the cloud tells each of several changes.
    for device in cast.indices {
      var link = Link()
      link.up.delay = 20...20
      world.setLink(device, link)
    }
    for device in cast.indices { edit(on: device, of: &world, &chance) }
    guard world.expectConvergence(within: Self.calmLimit, rule: .pushNeeded), wakeSleepers(&world, &chance) else {
      return
    }
    world.checkEdits()
    world.checkViews()
    world.checkLeftovers()
    world.expectRest()
  }

  /// A push wakes apps that sleep, as soon as their budget allows. Says whether all agree afterwards.
  private func wakeSleepers(_ world: inout World, _ chance: inout SplitMix64) -> Bool {
    world.note(.cloud, .step, "asleep")
    world.wait(3_600_000)
    for device in cast.indices.dropFirst() { world.background(device) }
    world.wait(60_000)
    edit(on: 0, of: &world, &chance)
    let isAwake = world.expectConvergence(within: Self.calmLimit, rule: .pushNeeded)
    for device in cast.indices.dropFirst() { world.foreground(device) }
    return isAwake && world.expectConvergence(within: Self.calmLimit, rule: .pushNeeded)
  }

  private func edit(on device: Int, of world: inout World, _ chance: inout SplitMix64) {
    guard cast[device].account != nil, let line = app.randomLine?(&chance) else { return }
    world.play(.app(device, line))
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
  /// Whether pushes may be missing until a device looks at its subscription, which a running one does once a day.
  fileprivate var harmsSubscription: Bool {
    switch self {
    case .administer(_, .dropSubscription), .administer(_, .muteSubscription): true
    case .fault(let fault): fault.action == .forgetSubscriptions || fault.action == .muteSubscriptions
    default: false
    }
  }

  /// Whether it makes trouble.
  package var isTrouble: Bool {
    switch self {
    case .wait, .app, .sync, .start, .foreground, .clearFaults: false
    default: true
    }
  }
}
