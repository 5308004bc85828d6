import ZoneKitPush
import ZoneKitRecords
import Testing

@Suite struct StoringTests {
  @Test func `a device that is away has the newest notification stored and gets it with its hello`() {
    var gateway = PushGateway(devices: ["A"])
    #expect(gateway.turn([notice("n1")]).outcomes == [Fate(.stored, "n1", ["A"])])
    #expect(
      gateway.turn([notice("n2")]).outcomes == [
        Fate(.discarded(.overwritten), "n1", ["A"]), Fate(.stored, "n2", ["A"]),
      ])
    #expect(gateway.counters.stored == 1)
    let effects = gateway.hello("A", on: 1, at: 50)
    #expect(
      effects.actions == [
        .welcome(ConnectionID(1), device: "A", stored: 1), .send(to: [ConnectionID(1)], [notification("n2", at: 50)]),
      ])
    #expect(effects.outcomes == [Fate(.delivered, "n2", ["A"])])
    #expect(gateway.counters.stored == 0)
    #expect(gateway.counters.discarded(.overwritten) == 1)
    #expect(gateway.nextDeadline == nil)
  }

  @Test func `of several notifications of one turn the slot keeps the newest`() {
    var gateway = PushGateway(devices: ["A"])
    let effects = gateway.turn([notice("n1"), notice("n2", zone: ZoneID(zoneName: "Other"))])
    #expect(effects.outcomes == [Fate(.discarded(.overwritten), "n1", ["A"]), Fate(.stored, "n2", ["A"])])
  }

  @Test func `what is stored expires when its time is over, not before`() {
    var gateway = PushGateway(policy: PushGateway.Policy(timeToLive: 100), devices: ["A", "B"])
    gateway.hello("B", on: 1)
    gateway.turn([notice("n1")], at: 0)
    _ = gateway.closed(ConnectionID(1), at: moment(10))
    gateway.turn([notice("n2", by: "A")], at: 10)
    #expect(gateway.nextDeadline == MonotonicTime(milliseconds: 100))
    #expect(gateway.expire(at: moment(99)) == [])
    #expect(gateway.expire(at: moment(100)).outcomes == [Fate(.discarded(.expired), "n1", ["A"])])
    #expect(gateway.nextDeadline == MonotonicTime(milliseconds: 110))
    #expect(gateway.hello("A", on: 2, at: 100).actions == [.welcome(ConnectionID(2), device: "A", stored: 0)])
  }

  @Test func `a hello that comes before the expiry is noticed gets nothing that has expired`() {
    var gateway = PushGateway(policy: PushGateway.Policy(timeToLive: 100), devices: ["A"])
    gateway.turn([notice("n1")], at: 0)
    let effects = gateway.hello("A", on: 1, at: 100)
    #expect(effects.actions == [.welcome(ConnectionID(1), device: "A", stored: 0)])
    #expect(effects.outcomes == [Fate(.discarded(.expired), "n1", ["A"])])
  }

  @Test func `one that has expired is not counted as overwritten`() {
    var gateway = PushGateway(policy: PushGateway.Policy(timeToLive: 100), devices: ["A"])
    gateway.turn([notice("n1")], at: 0)
    let outcomes = gateway.turn([notice("n2")], at: 100).outcomes
    #expect(outcomes == [Fate(.discarded(.expired), "n1", ["A"]), Fate(.stored, "n2", ["A"])])
  }

  @Test func `the default time to live is thirty days`() {
    var gateway = PushGateway(devices: ["A"])
    gateway.turn([notice("n1")], at: 0)
    #expect(gateway.nextDeadline == MonotonicTime(milliseconds: 2_592_000_000))
  }

  @Test func `a time to live of zero stores nothing`() {
    var gateway = PushGateway(policy: PushGateway.Policy(timeToLive: 0), devices: ["A"])
    #expect(gateway.turn([notice("n1")]).outcomes == [Fate(.discarded(.deviceOffline), "n1", ["A"])])
    #expect(gateway.nextDeadline == nil)
  }

  @Test func `a slow connection is sent nothing until it drains, then the newest of each zone`() {
    var gateway = PushGateway(devices: ["A"])
    gateway.hello("A", on: 1)
    gateway.blocked(ConnectionID(1))
    #expect(gateway.turn([notice("n1")]).outcomes == [Fate(.held, "n1", ["A"])])
    gateway.turn([notice("n2", zone: ZoneID(zoneName: "Other"))])
    #expect(
      gateway.turn([notice("n3")]).outcomes == [
        Fate(.discarded(.overwritten), "n1", ["A"]), Fate(.held, "n3", ["A"]),
      ])
    #expect(gateway.counters.held == 2)
    #expect(
      gateway.drained(ConnectionID(1), at: moment(9)).actions == [
        .send(to: [ConnectionID(1)], [notification("n2", zone: "Other", at: 9), notification("n3", at: 9)])
      ])
    #expect(gateway.turn([notice("n4")]).outcomes == [Fate(.delivered, "n4", ["A"])])
    #expect(gateway.counters.held == 0)
  }

  @Test(arguments: [(64, 0), (65, 1)])
  func `a slow connection holds at most the limit`(zones: Int, dropped: Int) {
    var gateway = PushGateway(devices: ["A"])
    gateway.hello("A", on: 1)
    gateway.blocked(ConnectionID(1))
    gateway.turn((0..<zones).map { notice("n\($0)", zone: ZoneID(zoneName: Name("zone \($0)"))) })
    #expect(gateway.counters.held == zones - dropped)
    #expect(gateway.counters.discarded(.overwritten) == dropped)
  }

  @Test func `what was held when a connection ends is stored, the newest only`() {
    var gateway = PushGateway(devices: ["A"])
    gateway.hello("A", on: 1)
    gateway.blocked(ConnectionID(1))
    gateway.turn([notice("n1"), notice("n2", zone: ZoneID(zoneName: "Other"))])
    let outcomes = gateway.closed(ConnectionID(1), at: moment(0)).outcomes
    #expect(outcomes == [Fate(.discarded(.overwritten), "n1", ["A"]), Fate(.stored, "n2", ["A"])])
    #expect(gateway.counters.addUp)
  }

  @Test func `what was held goes to the connection that replaces a slow one`() {
    var gateway = PushGateway(devices: ["A"])
    gateway.hello("A", on: 1)
    gateway.blocked(ConnectionID(1))
    gateway.turn([notice("n1")])
    #expect(
      gateway.hello("A", on: 2).actions == [
        .close(ConnectionID(1), .replaced), .welcome(ConnectionID(2), device: "A", stored: 1),
        .send(to: [ConnectionID(2)], [notification("n1", at: 0)]),
      ])
  }

  @Test func `the queue of expiries stays small however often a slot is overwritten`() {
    var gateway = PushGateway(policy: PushGateway.Policy(timeToLive: 1_000_000), devices: ["A", "B"])
    gateway.turn([notice("first", by: "B")], at: 0)
    for time in 1...5000 { gateway.turn([notice("n", by: "A")], at: Int64(time)) }
    #expect(gateway.nextDeadline == MonotonicTime(milliseconds: 1_000_000))
    #expect(gateway.expire(at: moment(1_000_000)).outcomes == [Fate(.discarded(.expired), "first", ["A"])])
    #expect(gateway.nextDeadline == MonotonicTime(milliseconds: 1_005_000))
  }
}
