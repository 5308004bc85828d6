import ZoneKitTimeline
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSimulator

extension SyncApp {
  /// Lets users do at random what `edits` says, on several devices and under random troubles, once for each seed.
  ///
  /// Every seed has troubles of its own. When they are over, all devices and the cloud must agree, no edit may be lost
  /// without a decision or refusal on record, what was deleted must stay deleted, pushes alone must spread further
  /// edits, and then there must be peace. The first seed that breaks a promise is made as short as possible, and thrown.
  ///
  /// - Parameters:
  ///   - seeds: The seeds; an unoptimized build plays one of the usual size in a tenth to half a second.
  ///   - devices: How many devices there are, at least 1.
  ///   - duration: How long the troubles last, in virtual time.
  ///   - troubles: What may happen.
  ///   - edits: What a user does next on a device that looks so. It looks at nothing else, and draws from `Chance` only.
  public func swarm(
    seeds: ClosedRange<UInt64>, devices: Int = 3, duration: Duration = .minutes(10),
    troubles: Set<Trouble> = Set(Trouble.allCases),
    edits: @escaping @Sendable (DeviceView, inout Chance) -> [RecordEdit]
  ) throws(SwarmFailure) {
    var swarm = Swarm(apps: [simulated(doing: edits)])
    swarm.devices = devices
    swarm.minutes = max(1, duration.milliseconds / 60_000)
    swarm.troubles = Set(troubles.map(\.simulated))
    for seed in seeds {
      if let shrunk = Self.shortest(of: swarm.story(seed: seed)) { throw Self.failure(seed: seed, shrunk) }
    }
  }

  private static func failure(seed: UInt64, _ shrunk: Shrunk) -> SwarmFailure {
    let timeline = Timeline(shrunk.outcome.trace, title: "seed \(seed)", limit: 60)
    return SwarmFailure(
      seed: seed, violation: shrunk.outcome.violations.first?.description ?? "",
      story: shrunk.story.steps.map(\.text),
      timelineText: timeline.text, timelineSVG: timeline.svg)
  }

  private static func shortest(of story: Story) -> Shrunk? {
    do {
      return try Shrinker.shortest(of: story, playLimit: 200)
    } catch {
      preconditionFailure("an empty store in memory can be read: \(error)")
    }
  }
}
