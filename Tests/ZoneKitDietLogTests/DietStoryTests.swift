import Testing
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
    let line = try #require(DeviceApp.dietLog.simulation.randomLine)
    var device = try DietDevice()
    var generator = SplitMix64(seed: 3)
    var refusals: [String: Int] = [:]
    var verbs: Set<String> = []
    for _ in 0..<400 {
      let line = line { generator.next() }
      verbs.insert(String(line.prefix { $0 != " " }))
      let refusal = try device.refusal(of: line)
      if !refusal.isEmpty { refusals[refusal, default: 0] += 1 }
    }
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
