import Testing
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync

/// The key-value app in random worlds: its adapter carries every request and answer as bytes, its conversation asks, and its
/// policy merges.
@Suite struct KeyValueStoryTests {
  /// What happens to devices, links and clouds that speak any protocol. Zones are not deleted in this one, and there are no
  /// pushes.
  private static let troubles: Set<SwarmDraw.Trouble> = [
    .kill, .crashPoint, .powerCut, .forceQuit, .background, .offline, .link, .account, .clock, .reset, .disk,
    .cloudCrash,
    .serverError, .serverOddity, .tokens, .quota, .visibility, .twin, .push, .leak, .subscription, .tombstones,
  ]

  private static func story(_ seed: UInt64, policy: MergePolicy = KeyValueApp.greatest) -> Story {
    var swarm = Swarm(apps: [KeyValueApp.app(policy: policy)])
    swarm.devices = 2
    swarm.minutes = 1
    swarm.troubles = troubles
    return swarm.story(seed: seed)
  }

  @Test(arguments: Array(stride(from: 1, through: 181, by: 20)) as [UInt64])
  func `all devices agree with the cloud at the end of any story`(first: UInt64) throws {
    for seed in first..<first + 20 {
      let outcome = try Self.story(seed).play(carryingMessages: true)
      #expect(outcome.end == .held, "seed \(seed): \(outcome.violations.map(\.description))")
    }
  }

  private static func breaksSomeStory(_ policy: MergePolicy) throws -> Bool {
    try (1...40).contains { try story($0, policy: policy).play(carryingMessages: true).end != .held }
  }

  @Test func `a policy that lets the smaller value win is found`() throws {
    let smallest = MergePolicy { conflict in
      let (local, server) = (KeyValueApp.value(conflict.local) ?? "", KeyValueApp.value(conflict.server) ?? "")
      return Resolution(local < server ? .keepLocal : .adoptServer, rule: "smallest")
    }
    #expect(try Self.breaksSomeStory(smallest))
  }

  @Test func `a policy that makes a new value of every conflict is found`() throws {
    let restless = MergePolicy { conflict in
      var fields = Fields()
      fields[KeyValueApp.field] = .string((KeyValueApp.value(conflict.local) ?? "") + "!")
      return Resolution(.merged(RecordContent(fields: EncodedFields(fields))), rule: "restless")
    }
    #expect(try Self.breaksSomeStory(restless))
  }
}
