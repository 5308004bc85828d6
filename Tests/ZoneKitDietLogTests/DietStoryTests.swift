import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitDietLog
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitSimulator

struct DietStoryTests {
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `random stories keep all promises`(seed: UInt64) throws {
    let outcome = try Swarm(apps: [.dietLog]).story(seed: seed).play()
    #expect(outcome.violations.map { "\($0)" } == [])
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `a story is the same over messages and over values`(seed: UInt64) throws {
    var swarm = Swarm(apps: [.dietLog])
    swarm.minutes = 3
    var story = swarm.story(seed: seed)
    story.draft.options.append(.choice(.wire, "direct"))
    let (values, messages) = (try story.play(), try story.play(carryingMessages: true))
    #expect(values.end == .held)
    #expect(values.digest == messages.digest)
  }

  @Test func `each step that a swarm draws reads as itself`() throws {
    for seed in 1...120 as ClosedRange<UInt64> {
      let scenario = Swarm(apps: [.dietLog]).story(seed: seed).scenario
      #expect(try Scenario(parsing: scenario.text) == scenario)
    }
  }

  @Test func `random commands use all verbs, and most of them are possible`() throws {
    var device = try DietDevice()
    let (verbs, refusals) = try device.performRandomCommands(400, seed: 3)
    #expect(verbs == Set(DietCommand.verbs).subtracting(["list", "day", "recent", "show", "conflicts"]))
    #expect(refusals.values.reduce(0, +) < 150, "\(refusals)")
    #expect(!refusals.keys.contains { $0.hasPrefix("unexpected") || $0.contains("is no value") }, "\(refusals)")
    let flaw = DeviceApp.dietLog.simulation.flaw
    for collection in DietLog.schema.collections.map(\.name) {
      for document in try device.documents(collection) {
        #expect(flaw(document.id, RecordContent(fields: EncodedFields(document.fields))) == nil)
      }
    }
  }
}
