import ZoneKitRecords

extension Story {
  /// How the story ends: healing, then all must agree; then some calm edits, which pushes alone have to spread; then there
  /// must be peace. What is left to chance comes from the seed alone, so that the end is known before the story is played.
  package var ending: [EndingStep] {
    var steps: [EndingStep] = [.recover(restarting: deeds.contains(where: \.harmsSubscription))] + looking
    // Nobody tells a device what its copy has just sent.
    if hasTwins { steps += [.deed(.wait(130_000))] + looking }
    steps.append(.converge(within: Self.livenessLimit, .convergence))
    if hasTwins { steps += tellingTwinsApart }
    // Copies that saw nothing of each other cannot know that they are several.
    return steps + [.checkEdits, .checkViews, .haltUnlessNamesDiffer] + calm
  }

  /// How long healing may take at most, in milliseconds: more than the hour for which a full cloud is left alone.
  static var livenessLimit: Int64 { 4_500_000 }
  /// How long pushes may take to spread an edit in calm weather, in milliseconds.
  static var calmLimit: Int64 { 20_000 }

  /// Whether a device was ever restored from another one's disk.
  private var hasTwins: Bool { deeds.contains { if case .restoreCopy = $0 { true } else { false } } }

  /// What is not visible yet when a device starts is found by nobody's push; and everybody sends first.
  private var looking: [EndingStep] { [.deed(.wait(limits.visibleDelay + 3_000)), .look] }

  /// Two copies of one device are told apart when one sees what the other wrote; before, neither is told of it.
  private var tellingTwinsApart: [EndingStep] {
    var steps: [EndingStep] = [.note("twins")]
    var chance = SplitMix64(seed: seed ^ 0x2)
    for device in cast.indices where cast[device].account != nil {
      for _ in 0..<3 { steps += edit(on: device, &chance) }
      steps.append(.deed(.wait(1_000)))
      steps += looking + [.deed(.wait(1_000))]
    }
    return steps + looking + [.converge(within: Self.livenessLimit, .convergence)]
  }

  private var calm: [EndingStep] {
    var steps: [EndingStep] = [.note("calm")]
    var chance = SplitMix64(seed: seed ^ 0xca1)
    let agreement = EndingStep.converge(within: Self.calmLimit, .pushNeeded)
    for _ in 0..<3 {
      for _ in 0..<Int.random(in: 1...4, using: &chance) {
        steps += edit(on: Int.random(in: 0..<cast.count, using: &chance), &chance)
        steps.append(.deed(.wait(Int64.random(in: 0...400, using: &chance))))
      }
      steps.append(agreement)
    }
    // Everybody at the very same moment, over ways of one length: one turn of the cloud tells each of several changes.
    var link = Link()
    link.up.delay = 20...20
    steps += cast.indices.map { .deed(.link($0, link)) }
    for device in cast.indices { steps += edit(on: device, &chance) }
    steps.append(agreement)
    return steps + wakingSleepers(&chance) + [
      .checkEdits, .checkViews, .checkLeftovers, .deed(.wait(World.aftermath)), .rest(World.restTime),
    ]
  }

  /// A push wakes apps that sleep, as soon as their budget allows.
  private func wakingSleepers(_ chance: inout SplitMix64) -> [EndingStep] {
    let sleepers = cast.indices.dropFirst()
    let agreement = EndingStep.converge(within: Self.calmLimit, .pushNeeded)
    var steps: [EndingStep] = [.note("asleep"), .deed(.wait(3_600_000))]
    steps += sleepers.map { .deed(.background($0)) }
    steps.append(.deed(.wait(60_000)))
    steps += edit(on: 0, &chance)
    steps.append(agreement)
    steps += sleepers.map { .deed(.foreground($0)) }
    return steps + [agreement]
  }

  private func edit(on device: Int, _ chance: inout SplitMix64) -> [EndingStep] {
    guard cast[device].account != nil, let line = app.randomLine?(&chance) else { return [] }
    return [.deed(.app(device, line))]
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
}
