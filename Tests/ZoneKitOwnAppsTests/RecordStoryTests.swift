import Testing
import ZoneKitDeviceHost
import ZoneKitOwnApps
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync

/// Devices of records in random worlds.
@Suite struct RecordStoryTests {
  private func story(_ seed: UInt64, _ app: DeviceApp = .records) -> Story {
    var swarm = Swarm(apps: [app])
    swarm.minutes = 3
    return swarm.story(seed: seed)
  }

  @Test(arguments: [1, 11, 21] as [UInt64])
  func `all devices agree with the cloud at the end of any story`(first: UInt64) throws {
    for seed in first..<first + 10 {
      let outcome = try story(seed).play()
      #expect(outcome.end == .held, "seed \(seed): \(outcome.violations.map(\.description))")
    }
  }

  @Test func `a policy by which the older edit wins is found`() throws {
    var app = DeviceApp.records
    let stamp: Name = "updatedAt"
    app.simulation.mergePolicy = MergePolicy { conflict in
      guard let local = conflict.local, let server = conflict.server else { return Resolution(.delete, rule: "delete") }
      let isNewer = MergePolicy.isNewer(local, than: server, stamp: stamp)
      return Resolution(isNewer ? .adoptServer : .keepLocal, rule: "updatedAt")
    }
    #expect(try (1...20).contains { try story($0, app).play().end != .held })
  }
}
