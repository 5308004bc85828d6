import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios

extension Story {
  /// The ending of the story: all faults end, then all devices must agree; then there are a few edits without faults,
  /// which have to arrive by pushes alone; then no device may send requests. Random decisions depend on the seed alone,
  /// so the ending is known before the story is played.
  package var ending: [ScenarioStep] {
    var steps: [ScenarioStep] = [.link(.recover(restarting: steps.contains(where: \.harmsSubscription)))] + looking
    // Without pushes a device does not learn what the others send after its last sync.
    if !isAnnounced { steps += [Self.wait(Self.convergenceLimit)] + looking }
    // No push tells a device what its copy has just sent.
    if hasCopies { steps += [Self.wait(130_000)] + looking }
    steps.append(Self.convergence(within: Self.convergenceLimit))
    if hasCopies { steps += tellingCopiesApart }
    // Copies that have not seen each other's changes cannot know of each other.
    return steps + [
      .expect(.noEditLost, within: nil), .expect(.currentViews, within: nil), .expect(.copiesToldApart, within: nil),
      .stopUnlessDeviceIDsDiffer,
    ] + calm
  }

  /// The time limit for agreement after the faults, in milliseconds: more than the hour for which devices do not save
  /// to a full cloud.
  private static var convergenceLimit: Int64 { 4_500_000 }
  /// The time limit for the arrival of an edit by push without faults, in milliseconds.
  private static var pushLimit: Int64 { 20_000 }

  private static func wait(_ milliseconds: Int64) -> ScenarioStep { .wait(TimeSpan(milliseconds: milliseconds)) }

  private static func convergence(within limit: Int64, byPushes: Bool = false) -> ScenarioStep {
    .expect(.convergence(byPushes: byPushes), within: TimeSpan(milliseconds: limit))
  }

  /// The steps that bring any edit to all devices without faults: by pushes, or by syncs if pushes do not announce all.
  private var spreading: [ScenarioStep] {
    guard !isAnnounced else { return spreadingByPushes }
    // The photo of a restored row is uploaded only now, and the row names it afterwards.
    let namesPhotos = ([app] + others).contains { $0.photoEdits != nil }
    return looking + (namesPhotos ? looking : []) + [Self.convergence(within: Self.pushLimit)]
  }

  private var spreadingByPushes: [ScenarioStep] { [Self.convergence(within: Self.pushLimit, byPushes: true)] }

  /// Whether pushes announce every edit of all apps.
  private var isAnnounced: Bool { ([app] + others).allSatisfy(\.announcesEverything) }

  /// Whether pushes announce all edits that `announcedEdit` draws.
  private var canBeAnnounced: Bool {
    ([app] + others).allSatisfy { app in
      app.announcesEverything || (!sendsInParts && app.simulation.announcedLine != nil)
    }
  }

  /// Whether devices send what belongs together in many small requests. An event about the first one then comes long before
  /// the rest.
  private var sendsInParts: Bool {
    draft.options.contains { option in
      if case .count(.batchLimit, let limit) = option { return limit < 10 }
      if case .count(.sendPage, _) = option { return true }
      if case .count(.sendWindow, _) = option { return true }
      return false
    }
  }

  /// Whether a device was restored from another one's disk.
  private var hasCopies: Bool { steps.contains { if case .life(.restoreOnto) = $0 { true } else { false } } }

  /// The age from which feeds show a commit, in milliseconds.
  private var visibleDelay: Int64 {
    draft.options.lazy.compactMap { if case .span(.visibleDelay, let span) = $0 { span.milliseconds } else { nil } }
      .last ?? 0
  }

  /// Steps in which every user opens the app. No push announces what was not visible yet when a device started; and
  /// every device sends first.
  private var looking: [ScenarioStep] { [Self.wait(visibleDelay + 3_000), .life(.look(.every))] }

  /// Steps by which copies of a device detect each other. A copy is detected when one sees what the other wrote; before
  /// that, neither gets pushes for it.
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
        let device = devices[Int.random(in: 0..<devices.count, using: &chance)]
        steps += edit(on: device, isAnnounced: canBeAnnounced, &chance)
        steps.append(Self.wait(Int64.random(in: 0...400, using: &chance)))
      }
      steps += canBeAnnounced ? spreadingByPushes : spreading
    }
    // All edits at the same time over links of equal delay, so that one turn of the cloud makes several notifications
    // for each device.
    var link = Link()
    link.up.delay = 20...20
    steps += devices.map { .link(.set(.named([$0.name]), link)) }
    for device in devices { steps += edit(on: device, &chance) }
    steps += spreading
    return steps + (([app] + others).allSatisfy(\.conversation.usesPushes) ? wakingSleepers(&chance) : []) + [
      .expect(.noEditLost, within: nil), .expect(.currentViews, within: nil), .expect(.nothingLeft, within: nil),
      Self.wait(World.aftermath), .expect(.nobodyAsks(TimeSpan(milliseconds: World.restTime)), within: nil),
    ]
  }

  /// Steps that let the system wake suspended apps, as soon as their budget allows.
  private func wakingSleepers(_ chance: inout SplitMix64) -> [ScenarioStep] {
    let sleepers = draft.devices.dropFirst().map { DeviceChoice.named([$0.name]) }
    var steps: [ScenarioStep] = [.note("asleep"), Self.wait(3_600_000)]
    steps += sleepers.map { .life(.background($0)) }
    steps.append(Self.wait(60_000))
    steps += edit(on: draft.devices[0], &chance)
    steps += spreading
    steps += sleepers.map { .life(.foreground($0)) }
    return steps + spreading
  }

  /// A random command on a device; if `isAnnounced`, one that a push announces.
  private func edit(
    on device: ScenarioDevice, isAnnounced: Bool = false, _ chance: inout SplitMix64
  ) -> [ScenarioStep] {
    let app = app(on: device)
    let lines = isAnnounced && !app.announcesEverything ? app.simulation.announcedLine : app.simulation.randomLine
    guard device.account != nil, let line = lines?({ chance.next() }) else { return [] }
    return [.app(.perform(.named([device.name]), line))]
  }
}

extension DeviceApp {
  /// Whether pushes announce every edit.
  fileprivate var announcesEverything: Bool { conversation.usesPushes && configuration.traits.announcedTypes == nil }
}

extension ScenarioStep {
  /// Whether pushes may be missing until a device checks its subscription, which a running one does once a day.
  fileprivate var harmsSubscription: Bool {
    switch self {
    case .cloud(.loseSubscription), .cloud(.muteSubscription), .cloud(.forgetSubscriptions), .cloud(.muteSubscriptions):
      true
    default: false
    }
  }
}
