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
    var draw = SwarmDraw(seed: seed, devices: devices, allowed: troubles)
    let app = apps[Int(draw.number(UInt64(apps.count)))]
    if app.hasTables { draw.useTables() }
    var story = Story(seed: seed, app: app)
    story.draft.options += draw.deviceOptions(beside: app.configuration)
    story.draft.devices = draw.cast()
    story.draft.options += draw.cloudOptions()
    if app.hasTables { story.draft.options += draw.tableOptions() }
    if app.documents != nil {
      // The protocol has no atomic batches.
      story.draft.options.removeAll { if case .choice(.atomic, _) = $0 { true } else { false } }
      story.draft.options += draw.documentOptions()
    }
    var steps = draw.steps(lasting: minutes * 60_000, app: app)
    var episodes = EpisodeDraw(
      seed: seed, devices: story.draft.devices.map(\.name), allowed: draw.allowed)
    episodes.add(to: &steps, app: app)
    story.steps = steps
    if troubles.contains(.clock) {
      var travel = TravelDraw(seed: seed)
      travel.add(to: &story)
    }
    var mixture = MixtureDraw(seed: seed)
    mixture.add(others.filter { $0.name != app.name }, to: &story)
    return story
  }
}
