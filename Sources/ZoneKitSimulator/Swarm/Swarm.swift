import ZoneKitDeviceHost

/// Draws stories. Each seed has its own mix of faults, so that some stories have many of one kind and none of another.
package struct Swarm: Sendable {
  /// The apps of the stories.
  package var apps: [DeviceApp]
  /// The number of devices, at least 1.
  package var devices = 3
  /// The duration of the part with faults, in virtual minutes.
  package var minutes: Int64 = 10

  /// The apps of which each story may have devices beside those of its own app, on the same cloud.
  package var others: [DeviceApp] = []
  /// The kinds of faults that may occur.
  package var troubles = Set(SwarmDraw.Trouble.allCases)

  /// A swarm of those apps. Each must have random commands.
  package init(apps: [DeviceApp]) { self.apps = apps }

  /// The story of a seed.
  package func story(seed: UInt64) -> Story {
    var draw = SwarmDraw(seed: seed, allowed: troubles)
    let app = draw.oneOf(apps)
    var story = Story(seed: seed, app: app)
    story.draft.devices = draw.begin(app, devices: devices)
    story.draft.options += draw.options(app)
    let guests = draw.guests(among: others.filter { $0.name != app.name }, after: story.draft.devices.count)
    story.others = guests.map(\.app)
    story.draft.devices += guests.flatMap(\.cast)
    story.steps = draw.steps(lasting: minutes * 60_000, app: app, beside: guests)
    return story
  }
}
