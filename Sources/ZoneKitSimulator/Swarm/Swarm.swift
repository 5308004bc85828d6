import ZoneKitPush
import ZoneKitRecords
import ZoneKitSync

/// Draws stories: each seed has its own mix of troubles, so that some see many of one kind and none of another.
package struct Swarm: Sendable {
  /// The apps that stories are drawn for.
  package var apps: [SimulatedApp]
  /// How many devices a story has, at least 1.
  package var devices = 3
  /// How long its first part takes, in virtual minutes.
  package var minutes: Int64 = 10

  /// The troubles that stories may have.
  package var troubles = Set(SwarmDraw.Trouble.allCases)

  /// A swarm over those apps, which all take part in random stories.
  package init(apps: [SimulatedApp]) { self.apps = apps }

  /// The story of a seed.
  package func story(seed: UInt64) -> Story {
    var draw = SwarmDraw(seed: seed, devices: devices, allowed: troubles)
    var app = apps[Int(draw.number(UInt64(apps.count)))]
    draw.adapt(&app.configuration)
    var story = Story(seed: seed, cast: draw.cast(), app: app)
    draw.adapt(&story.limits)
    story.policy = draw.policy()
    story.deeds = draw.deeds(lasting: minutes * 60_000, app: app)
    var episodes = EpisodeDraw(seed: seed, devices: devices, allowed: troubles)
    episodes.add(to: &story.deeds, app: app)
    return story
  }
}
