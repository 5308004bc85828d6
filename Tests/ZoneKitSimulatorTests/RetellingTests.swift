import ZoneKitPush
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync
import Testing
import ZoneKitCloud

/// Stories of the swarm told as scenarios.
struct RetellingTests {
  private static let app = ScenarioPlayer.App("Items", ItemsApp.app)

  /// An app that finds fault with every decision that merges two versions.
  private static let captious: ScenarioPlayer.App = {
    var app = ItemsApp.app
    app.judge = { entry in entry.rule == "merged" ? "merged at all" : nil }
    return ScenarioPlayer.App("Captious", app)
  }()

  /// An app that asks for no pushes: in calm weather nothing tells its devices of anything.
  private static let deaf: ScenarioPlayer.App = {
    var app = ItemsApp.app
    app.configuration.subscriptionID = nil
    return ScenarioPlayer.App("Deaf", app)
  }()

  /// An app whose rules put a mark into the first record, and stamp it as if a user had.
  private static let restless: ScenarioPlayer.App = {
    var app = ItemsApp.app
    app.repairs = { view in
      guard let records = try? view.store.records(in: ZoneID(zoneName: "Items"), metBefore: .max),
        let first = records.first(where: { $0.local != nil && $0.pendingSince == nil }),
        var fields = try? first.local?.fields.decoded(), fields["mark"] == nil
      else { return [] }
      fields["mark"] = .string("seen")
      return [.save(first.recordID, type: "Item", fields: fields, parent: nil, stamping: .now)]
    }
    return ScenarioPlayer.App("Restless", app)
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

  @Test func `a story that breaks a promise and its scenario break the same one at the same moment`() throws {
    var broken: [Violation.Rule: Int] = [:]
    for app in [Self.captious, Self.deaf, Self.restless] {
      for seed in 1...6 as ClosedRange<UInt64> {
        if let rule = try Self.compare(Self.story(seed, of: app), of: app) { broken[rule, default: 0] += 1 }
      }
    }
    #expect(broken.count >= 3, "\(broken)")
    #expect(broken.values.reduce(0, +) >= 12, "\(broken)")
  }

  @Test(arguments: [captious.name, deaf.name, restless.name])
  func `a story made short is written as a scenario that fails the same way`(name: String) throws {
    let apps = [Self.app, Self.captious, Self.deaf, Self.restless]
    let app = try #require(apps.first { $0.name == name })
    let seed = try #require(try (1...20).first { try !Self.story($0, of: app).play().violations.isEmpty })
    let shrunk = try #require(try Shrinker.shortest(of: Self.story(seed, of: app), playLimit: 60))
    let written = try shrunk.written(for: [app])
    #expect(written.failsTheSameWay)
    #expect(written.violation == shrunk.outcome.violations.first)
    #expect(written.scenario.app == name)
    // The plain app breaks nothing of it.
    var scenario = written.scenario
    scenario.app = Self.app.name
    #expect(try Self.play(scenario, of: Self.app).end == .held)
  }

  @Test func `where the scenario holds, that is told`() throws {
    let seed = try #require(try (1...20).first { try !Self.story($0, of: Self.deaf).play().violations.isEmpty })
    let shrunk = try #require(try Shrinker.shortest(of: Self.story(seed, of: Self.deaf), playLimit: 20))
    // Another app in the same place: whoever plays the file does not break the promise.
    let written = try shrunk.written(for: [Self.app])
    #expect(!written.failsTheSameWay)
    #expect(written.violation == nil)
  }

  @Test func `what no sentence says is told`() throws {
    var story = Self.story(3, of: Self.app)
    story.deeds = [.ask("nanny", .listZones)]
    #expect(throws: RetellingError.self) { try Scenario(retelling: story, of: Self.app, named: "x") }
    story.deeds = [.powerCut(0, keeping: 333)]
    #expect(throws: RetellingError.self) { try Scenario(retelling: story, of: Self.app, named: "x") }
    story.deeds = [.fault(Fault(.loseAnswer, on: FaultScope(itemsAbove: 3)))]
    #expect(throws: RetellingError.self) { try Scenario(retelling: story, of: Self.app, named: "x") }
    story.deeds = []
    story.limits.subscriptionIndexDelay = 5
    #expect(throws: RetellingError.self) { try Scenario(retelling: story, of: Self.app, named: "x") }
  }
}
