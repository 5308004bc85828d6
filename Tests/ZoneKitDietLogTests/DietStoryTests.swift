import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitDietLog
import ZoneKitRecords
import ZoneKitSimulator

struct DietStoryTests {
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `random stories keep all promises`(seed: UInt64) throws {
    let outcome = try Swarm(apps: [.dietLog]).story(seed: seed).play()
    #expect(outcome.violations.map { "\($0)" } == [])
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
        #expect(flaw(RecordContent(fields: EncodedFields(document.fields))) == nil)
      }
    }
  }
}
