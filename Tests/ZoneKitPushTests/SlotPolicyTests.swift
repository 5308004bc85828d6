import ZoneKitPush
import ZoneKitRecords
import Testing

@Suite struct SlotPolicyTests {
  private func gateway(
    _ slot: PushGateway.SlotPolicy, timeToLive: Int64 = 1_000, devices: [String] = ["A"]
  ) -> PushGateway {
    PushGateway(policy: PushGateway.Policy(timeToLive: timeToLive, slot: slot), devices: devices)
  }

  @Test func `the newest is kept unless another policy is set`() {
    #expect(PushGateway.Policy().slot == .newest)
  }

  @Test func `with the oldest kept, what comes later is dropped`() {
    var gateway = gateway(.oldest)
    let other = ZoneID(zoneName: "Other")
    #expect(
      gateway.turn([notice("n1"), notice("n2", zone: other)]).outcomes == [
        Fate(.discarded(.overwritten), "n2", ["A"]), Fate(.stored, "n1", ["A"]),
      ])
    #expect(gateway.turn([notice("n3")], at: 10).outcomes == [Fate(.discarded(.overwritten), "n3", ["A"])])
    #expect(gateway.counters.stored == 1)
    #expect(gateway.nextDeadline == MonotonicTime(milliseconds: 1_000))
    #expect(gateway.hello("A", on: 1, at: 20).outcomes == [Fate(.delivered, "n1", ["A"])])
    #expect(gateway.counters.addUp)
  }

  @Test func `the oldest gives its slot up when it has expired`() {
    var gateway = gateway(.oldest)
    gateway.turn([notice("n1")])
    #expect(
      gateway.turn([notice("n2")], at: 1_000).outcomes == [
        Fate(.discarded(.expired), "n1", ["A"]), Fate(.stored, "n2", ["A"]),
      ])
    #expect(gateway.counters.addUp)
  }

  @Test func `with a random slot, each is equally likely to be kept, independent of other devices`() {
    var kept: [String: Int] = [:]
    var alike = 0
    for seed in 0..<3_000 as Range<UInt64> {
      var gateway = gateway(.random, devices: ["A", "B"])
      var generator = SplitMix64(seed: seed)
      for id in ["n1", "n2", "n3"] {
        gateway.notify(notice(id), using: &generator)
        _ = gateway.endTurn(at: moment(0)) { _ in 0 }
      }
      let survivors = ["A", "B"].enumerated().map { place, device in
        gateway.hello(device, on: UInt64(place)).outcomes.map { $0.notificationID ?? "" }
      }
      #expect(survivors.allSatisfy { $0.count == 1 })
      kept[survivors[0][0], default: 0] += 1
      if survivors[0] == survivors[1] { alike += 1 }
      #expect(gateway.counters.addUp)
    }
    #expect(kept.keys.sorted() == ["n1", "n2", "n3"])
    #expect(kept.values.allSatisfy { (900...1_100).contains($0) })
    #expect((900...1_100).contains(alike))
  }

  @Test func `the generator is asked only where chance decides`() {
    for slot in PushGateway.SlotPolicy.allCases {
      var gateway = gateway(slot)
      var seed = SplitMix64(seed: 7)
      gateway.notify(notice("n1"), using: &seed)
      #expect((seed == SplitMix64(seed: 7)) == (slot != .random))
    }
  }
}
