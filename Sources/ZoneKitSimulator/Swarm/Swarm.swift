import ZoneKitDeviceHost

/// Draws stories: each seed has its own mix of faults, so that some stories see many of one kind and none of another.
package struct Swarm: Sendable {
  /// The apps that stories are drawn for.
  package var apps: [DeviceApp]
  /// How many devices a story has, at least 1.
  package var devices = 3
  /// How long its first part takes, in virtual minutes.
  package var minutes: Int64 = 10

  /// The faults that stories may have.
  package var troubles = Set(SwarmDraw.Trouble.allCases)

  /// A swarm over those apps, each of which has random lines.
  package init(apps: [DeviceApp]) { self.apps = apps }

  /// The story of a seed.
  package func story(seed: UInt64) -> Story {
    var draw = SwarmDraw(seed: seed, devices: devices, allowed: troubles)
    let app = apps[Int(draw.number(UInt64(apps.count)))]
    var story = Story(seed: seed, app: app)
    story.draft.options += draw.deviceOptions(beside: app.configuration)
    story.draft.devices = draw.cast()
    story.draft.options += draw.cloudOptions()
    var steps = draw.steps(lasting: minutes * 60_000, app: app)
    var episodes = EpisodeDraw(seed: seed, devices: story.draft.devices.map(\.name), allowed: troubles)
    episodes.add(to: &steps, app: app)
    story.steps = steps
    return story
  }
}
