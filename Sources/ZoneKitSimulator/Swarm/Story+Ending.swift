import ZoneKitRecords
import ZoneKitScenarios

extension Story {
  /// How the story ends: all faults end, then everyone must agree; then come a few edits without faults, which pushes
  /// alone have to spread; then nobody may ask for anything. What is left to chance comes from the seed alone, so that the
  /// ending is known before the story is played.
  package var ending: [ScenarioStep] {
    var steps: [ScenarioStep] = [.link(.recover(restarting: steps.contains(where: \.harmsSubscription)))] + looking
    // Nobody tells a device what its copy has just sent.
    if hasCopies { steps += [Self.wait(130_000)] + looking }
    steps.append(Self.convergence(within: Self.convergenceLimit))
    if hasCopies { steps += tellingCopiesApart }
    // Copies that saw nothing of each other cannot know that they are several.
    return steps + [
      .expect(.noEditLost, within: nil), .expect(.currentViews, within: nil), .expect(.copiesToldApart, within: nil),
      .stopUnlessDeviceIDsDiffer,
    ] + calm
  }

  /// How long it may take at most after the faults until everyone agrees, in milliseconds: more than the hour for which a
  /// full cloud is left alone.
  private static var convergenceLimit: Int64 { 4_500_000 }
  /// How long pushes may take to spread an edit without faults, in milliseconds.
  private static var pushLimit: Int64 { 20_000 }

  private static func wait(_ milliseconds: Int64) -> ScenarioStep { .wait(TimeSpan(milliseconds: milliseconds)) }

  private static func convergence(within limit: Int64, byPushes: Bool = false) -> ScenarioStep {
    .expect(.convergence(byPushes: byPushes), within: TimeSpan(milliseconds: limit))
  }

  private static var convergenceByPushes: ScenarioStep { convergence(within: pushLimit, byPushes: true) }

  /// Whether a device was ever restored from another one's disk.
  private var hasCopies: Bool { steps.contains { if case .life(.restoreOnto) = $0 { true } else { false } } }

  /// How old a commit must be for feeds to show it, in milliseconds.
  private var visibleDelay: Int64 {
    draft.options.lazy.compactMap { if case .span(.visibleDelay, let span) = $0 { span.milliseconds } else { nil } }
      .last ?? 0
  }

  /// What is not visible yet when a device starts is found by nobody's push; and everybody sends first.
  private var looking: [ScenarioStep] { [Self.wait(visibleDelay + 3_000), .life(.look(.every))] }

  /// Two copies of one device are told apart when one sees what the other wrote; before, neither is notified of it.
  private var tellingCopiesApart: [ScenarioStep] {
    var steps: [ScenarioStep] = [.note("twins")]
    var chance = SplitMix64(seed: seed ^ 0x2)
    for device in draft.devices where device.account != nil {
      for _ in 0..<3 { steps += edit(on: device, &chance) }
      steps.append(Self.wait(1_000))
      steps += looking + [Self.wait(1_000)]
    }
    return steps + looking + [Self.convergence(within: Self.convergenceLimit)]
  }

  private var calm: [ScenarioStep] {
    var steps: [ScenarioStep] = [.note("calm")]
    var chance = SplitMix64(seed: seed ^ 0xca1)
    let devices = draft.devices
    for _ in 0..<3 {
      for _ in 0..<Int.random(in: 1...4, using: &chance) {
        steps += edit(on: devices[Int.random(in: 0..<devices.count, using: &chance)], &chance)
        steps.append(Self.wait(Int64.random(in: 0...400, using: &chance)))
      }
      steps.append(Self.convergenceByPushes)
    }
    // Everybody at the very same moment, over ways of one length: one turn of the cloud tells each of several changes.
    var link = Link()
    link.up.delay = 20...20
    steps += devices.map { .link(.set(.named([$0.name]), link)) }
    for device in devices { steps += edit(on: device, &chance) }
    steps.append(Self.convergenceByPushes)
    return steps + wakingSleepers(&chance) + [
      .expect(.noEditLost, within: nil), .expect(.currentViews, within: nil), .expect(.nothingLeft, within: nil),
      Self.wait(World.aftermath), .expect(.nobodyAsks(TimeSpan(milliseconds: World.restTime)), within: nil),
    ]
  }

  /// A push wakes suspended apps, as soon as their budget allows.
  private func wakingSleepers(_ chance: inout SplitMix64) -> [ScenarioStep] {
    let sleepers = draft.devices.dropFirst().map { DeviceChoice.named([$0.name]) }
    var steps: [ScenarioStep] = [.note("asleep"), Self.wait(3_600_000)]
    steps += sleepers.map { .life(.background($0)) }
    steps.append(Self.wait(60_000))
    steps += edit(on: draft.devices[0], &chance)
    steps.append(Self.convergenceByPushes)
    steps += sleepers.map { .life(.foreground($0)) }
    return steps + [Self.convergenceByPushes]
  }

  private func edit(on device: ScenarioDevice, _ chance: inout SplitMix64) -> [ScenarioStep] {
    guard device.account != nil, let line = app.simulation.randomLine?({ chance.next() }) else { return [] }
    return [.app(.perform(.named([device.name]), line))]
  }
}

extension ScenarioStep {
  /// Whether pushes may be missing until a device looks at its subscription, which a running one does once a day.
  fileprivate var harmsSubscription: Bool {
    switch self {
    case .cloud(.loseSubscription), .cloud(.muteSubscription): true
    default: false
    }
  }
}
