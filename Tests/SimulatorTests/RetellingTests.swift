import PushGateway
import Records
import Simulator
import SyncCoordinator
import Testing
import ZoneServer

/// Stories of the swarm told as scenarios.
struct RetellingTests {
  private static let app = ScenarioPlayer.App("Items", ItemsApp.app)

  /// An app whose devices do not agree on who wins: each takes its own version, as long as it is another one.
  private static let stubborn: ScenarioPlayer.App = {
    var app = ItemsApp.app
    app.configuration.mergePolicy = MergePolicy { _ in Resolution(.keepLocal, rule: "mine") }
    return ScenarioPlayer.App("Stubborn", app)
  }()

  /// An app that takes whatever the cloud has, and forgets to say so.
  private static let careless: ScenarioPlayer.App = {
    var app = ItemsApp.app
    app.judge = { entry in entry.rule == "merged" ? "merged at all" : nil }
    return ScenarioPlayer.App("Careless", app)
  }()

  private static func story(_ seed: UInt64, of app: ScenarioPlayer.App) -> Story {
    var swarm = Swarm(apps: [app.app])
    swarm.minutes = 4
    return swarm.story(seed: seed)
  }

  /// What happened, without the words in which stories and scenarios name their own steps, up to the first broken promise.
  private static func happenings(_ trace: Trace) -> [String] {
    let events = trace.events.prefix { event in
      if case .mark(let mark) = event.content { mark.kind != .broken } else { true }
    }
    return events.filter { event in
      guard case .mark(let mark) = event.content else { return true }
      return mark.kind != .step && mark.kind != .kept
    }.map(trace.line)
  }

  private static func play(_ scenario: Scenario, of app: ScenarioPlayer.App) throws -> ScenarioOutcome {
    var settings = ScenarioPlayer.Settings()
    settings.keepsEvents = true
    var player = try ScenarioPlayer(scenario, apps: [app], settings: settings)
    return player.play()
  }

  /// Plays a story and the scenario that its text reads as, and compares them; says which promise was broken.
  private static func compare(_ story: Story, of app: ScenarioPlayer.App) throws -> Violation.Rule? {
    let told = try story.play(keepsEvents: true)
    let scenario = try Scenario(retelling: story, of: app, endingSteps: told.endingSteps, named: "retold")
    let read = try Scenario(parsing: scenario.text)
    #expect(read == scenario)
    let outcome = try play(read, of: app)
    #expect(outcome.violations.first == told.violations.first, "\(outcome.end)")
    let (ours, theirs) = (happenings(outcome.trace), happenings(told.trace))
    let index = zip(ours, theirs).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    #expect(index == nil, "\(index.map { "\(ours[$0])\n\(theirs[$0])" } ?? "")")
    #expect(ours.count == theirs.count)
    if told.violations.isEmpty {
      #expect(outcome.end == .held)
      #expect(outcome.events == told.events)
      #expect(outcome.milliseconds == told.milliseconds)
    } else if case .broken = outcome.end {
    } else {
      Issue.record("the scenario ended so: \(outcome.end)")
    }
    return told.violations.first?.rule
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `a story that breaks nothing and its scenario do the same, event by event`(seed: UInt64) throws {
    #expect(try Self.compare(Self.story(seed, of: Self.app), of: Self.app) == nil)
  }
}
