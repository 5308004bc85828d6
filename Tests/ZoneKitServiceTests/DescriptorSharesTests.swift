import Testing
import ZoneKitStorage

@testable import ZoneKitService

@Suite struct `the file descriptors of a server` {
  @Test(arguments: [1, 40, 58, 66, 200, 1_024, 20_000, 1_048_576, UInt64.max])
  func `are for the store, for connections, and some for connections of requests only`(descriptors: UInt64) {
    let shares = DescriptorShares(of: descriptors)
    #expect((1...CloudFiles.openZoneLimit).contains(shares.openZones))
    #expect(shares.withPush >= 1)
    #expect(shares.withPush < shares.connections)
    #expect(shares.ofAddress < shares.connections && shares.ofAddress >= 1)
    #expect(shares.pushOfAddress <= shares.ofAddress && shares.pushOfAddress >= 1)
    if shares.connections > 3 { #expect(shares.ofAddress < shares.withPush && shares.pushOfAddress < shares.ofAddress) }
    guard descriptors >= 66 else { return }
    let store = CloudFiles.descriptors(openZoneLimit: shares.openZones)
    #expect(DescriptorShares.own + store + shares.connections <= Int(clamping: descriptors))
    #expect(shares.connections >= store)
  }

  @Test func `are enough for ten thousand idle push connections where the system allows twenty thousand`() {
    #expect(DescriptorShares(of: 20_000).pushOfAddress > 10_000)
  }
}
