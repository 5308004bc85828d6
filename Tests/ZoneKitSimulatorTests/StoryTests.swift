import ZoneKitScenarios
import ZoneKitDeviceHost
import Testing
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync

/// Random stories, and the scenario files that are written of them.
struct StoryTests {
  private static let app = ItemsApp.app

  /// An app that finds fault with every decision that merges two versions.
  private static let captious: DeviceApp = {
    var app = ItemsApp.app
    app.name = "Captious"
    app.simulation.judge = { entry in entry.rule == "merged" ? "merged at all" : nil }
    return app
  }()

  /// An app that asks for no pushes: in calm weather nothing tells its devices of anything.
  private static let deaf: DeviceApp = {
    var app = ItemsApp.app
    app.name = "Deaf"
    app.configuration.pushes.subscriptionID = nil
    return app
  }()

  /// An app whose rules put a mark into the first record, and stamp it as if a user had.
  private static let restless: DeviceApp = {
    var app = ItemsApp.app { view in
      guard let records = try? view.store.records(in: ZoneID(zoneName: "Items"), metBefore: .max),
        let first = records.first(where: { $0.local != nil && $0.pendingSince == nil }),
        var fields = try? first.local?.fields.decoded(), fields["mark"] == nil
      else { return [] }
      fields["mark"] = .string("seen")
      return [.save(first.recordID, type: "Item", fields: fields, parent: nil, stamping: .now)]
    }
    app.name = "Restless"
    return app
  }()

  /// The same app under another name and in another container.
  private static let second: DeviceApp = {
    var app = ItemsApp.app
    app.name = "Second"
    app.container = "iCloud.com.example.second"
    return app
  }()

  private static func story(_ seed: UInt64, of app: DeviceApp) -> Story {
    var swarm = Swarm(apps: [app])
    swarm.minutes = 4
    return swarm.story(seed: seed)
  }

  private static func play(_ scenario: Scenario, of app: DeviceApp) throws -> ScenarioOutcome {
    var player = try ScenarioPlayer(scenario, apps: [app])
    return player.play()
  }

  private static func scenario(_ header: String) throws -> Scenario {
    try Scenario(parsing: "scenario \"s\"\n" + header)
  }

  @Test func `devices with two apps share a cloud, and all of them do something`() throws {
    var swarm = Swarm(apps: [Self.app])
    swarm.minutes = 4
    swarm.others = [Self.app, Self.second]
    for seed in UInt64(1)...4 {
      let mixed = swarm.story(seed: seed)
      #expect(mixed.others.map(\.name) == ["Second"])
      let others = mixed.draft.devices.filter { $0.app != nil }
      #expect(others.count == 2)
      let active = Set(mixed.steps.compactMap(\.device))
      #expect(active == Set(mixed.draft.devices.map(\.name)))
      #expect(try Scenario(parsing: mixed.scenario.text) == mixed.scenario)
      #expect(try mixed.play().end == .held)
    }
  }

  @Test func `an account has devices with one app`() throws {
    let twice = try Self.scenario(
      "devices A signed in as nanny\ndevices B of app Second signed in as nanny\nA syncs\n")
    #expect(throws: PlayingError.self) { try ScenarioPlayer(twice, apps: [Self.app, Self.second]) }
    let unknown = try Self.scenario("devices A of app Third signed in as nanny\nA syncs\n")
    #expect(throws: PlayingError.self) { try ScenarioPlayer(unknown, apps: [Self.app, Self.second]) }
  }

  @Test func `a device signs in only accounts of its app`() throws {
    let scenario = try Self.scenario(
      "devices A signed in as nanny\ndevices B of app Second signed in as granny\nB signs in as nanny\n")
    var player = try ScenarioPlayer(scenario, apps: [Self.app, Self.second])
    guard case .impossible(let error) = player.play().end else { return #expect(Bool(false), "it was played") }
    #expect("\(error)".contains("account nanny belongs to another app"))
  }

  /// Plays a story and the scenario that its text reads as, and compares them; returns the invariant that both break.
  private static func compare(_ story: Story, of app: DeviceApp) throws -> Violation.Rule? {
    let read = try Scenario(parsing: story.scenario.text)
    #expect(read == story.scenario)
    let (played, again) = (try story.play(), try play(read, of: app))
    #expect(again.end == played.end)
    #expect(again.violations == played.violations)
    #expect(again.digest == played.digest)
    #expect(again.events == played.events)
    return played.violations.first?.rule
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `a story that breaks nothing and the scenario that its text reads as do the same`(seed: UInt64) throws {
    #expect(try Self.compare(Self.story(seed, of: Self.app), of: Self.app) == nil)
  }

  @Test func `each step that a swarm draws reads as itself`() throws {
    for seed in 41...200 as ClosedRange<UInt64> {
      let scenario = Self.story(seed, of: Self.app).scenario
      #expect(try Scenario(parsing: scenario.text) == scenario)
    }
  }

  @Test func `a story that breaks an invariant and the scenario that its text reads as break the same one`() throws {
    var broken: [Violation.Rule: Int] = [:]
    for app in [Self.captious, Self.deaf, Self.restless] {
      for seed in 1...6 as ClosedRange<UInt64> {
        if let rule = try Self.compare(Self.story(seed, of: app), of: app) { broken[rule, default: 0] += 1 }
      }
    }
    #expect(broken.count >= 3, "\(broken)")
    #expect(broken.values.reduce(0, +) >= 12, "\(broken)")
  }

  @Test func `a story ends at the first broken invariant`() throws {
    let story = try #require(try (1...20).map { Self.story($0, of: Self.deaf) }.first { !(try $0.play().isHeld) })
    let outcome = try story.play()
    guard case .broken(let failure) = outcome.end else {
      Issue.record("the story ended so: \(outcome.end)")
      return
    }
    #expect(outcome.steps.allSatisfy { $0.line <= failure.line })
    #expect(story.scenario.steps.contains { $0.number > failure.line })
  }

  @Test(arguments: [captious.name, deaf.name, restless.name])
  func `a story made short is a scenario that ends with what it breaks`(name: String) throws {
    let apps = [Self.app, Self.captious, Self.deaf, Self.restless]
    let app = try #require(apps.first { $0.name == name })
    let seed = try #require(try (1...20).first { try !Self.story($0, of: app).play().violations.isEmpty })
    let shrunk = try #require(try Shrinker.shortest(of: Self.story(seed, of: app), playLimit: 60))
    #expect(shrunk.story.steps.count < Self.story(seed, of: app).steps.count)
    let read = try Scenario(parsing: shrunk.scenario.text)
    #expect(read == shrunk.scenario)
    #expect(read.app == name)
    let outcome = try Self.play(read, of: app)
    #expect(outcome.violations == shrunk.outcome.violations)
    guard case .broken(let failure) = outcome.end else {
      Issue.record("the scenario ended so: \(outcome.end)")
      return
    }
    #expect(read.steps.last?.number == failure.line)
    // The plain app breaks nothing of it.
    var plain = read
    plain.app = Self.app.name
    #expect(try Self.play(plain, of: Self.app).end == .held)
  }

  @Test func `shrinking removes the options without which the story fails the same way`() throws {
    // Without pushes the calm at the end fails, whatever the options are.
    let drawn = (1...20).map { Self.story($0, of: Self.deaf) }.first { $0.draft.options.count > 4 }
    var story = try #require(drawn)
    story.steps = []
    let shrunk = try #require(try Shrinker.shortest(of: story))
    #expect(shrunk.scenario.options == [.seed(story.seed), .choice(.lenient, "on")])
  }

  @Test func `copies that share a device ID end the play before the calm`() throws {
    var scenario = Scenario(name: "copies")
    scenario.app = Self.app.name
    scenario.devices = [ScenarioDevice("A", account: "nanny"), ScenarioDevice("B", account: "nanny")]
    scenario.options = [.choice(.lenient, "on")]
    scenario.steps = [
      ScenarioLine(0, .wait(TimeSpan(milliseconds: 3_000))), ScenarioLine(0, .stopUnlessDeviceIDsDiffer),
      ScenarioLine(0, .link(.offline(.named(["B"])))), ScenarioLine(0, .life(.restoreOnto(of: "A", to: "B"))),
      ScenarioLine(0, .stopUnlessDeviceIDsDiffer), ScenarioLine(0, .note("not reached")),
    ]
    let outcome = try Self.play(scenario, of: Self.app)
    #expect(outcome.end == .held)
    #expect(outcome.steps.map(\.text) == scenario.steps.prefix(4).map(\.step.text))
  }
}
