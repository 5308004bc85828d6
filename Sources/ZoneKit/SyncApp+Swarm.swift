import ZoneKitTimeline
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSimulator

extension SyncApp {
  /// Simulates random edits on several devices with random faults, once for each seed.
  ///
  /// Each seed draws its own faults. After the faults end, all devices and the cloud must agree, no edit may be lost
  /// without a recorded decision or refusal, deleted records must stay deleted, further edits must arrive by pushes
  /// alone, and then no device may send requests. For the first seed that fails, the steps are reduced to the shortest
  /// sequence that fails, and the failure is thrown.
  ///
  /// - Parameters:
  ///   - seeds: The seeds. An unoptimized build simulates one of the default size in 0.1 to 0.5 seconds.
  ///   - devices: The number of devices, at least 1.
  ///   - duration: The duration of the phase with faults, in virtual time.
  ///   - troubles: The kinds of faults that may occur.
  ///   - edits: Returns the next edits of a user on a device with that view. It may use only its arguments.
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
