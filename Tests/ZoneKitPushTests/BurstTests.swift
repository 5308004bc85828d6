import ZoneKitPush
import ZoneKitRecords
import Testing

@Suite struct BurstTests {
  private let loud = Subscription(
    subscriptionID: "loud", kind: .database, notificationInfo: NotificationInfo(alertBody: "Changed"))

  /// A service with a window of a second and A connected.
  private func gateway(heldLimit: Int = 64) -> PushGateway {
    var gateway = PushGateway(
      policy: PushGateway.Policy(heldLimit: heldLimit, burstWindow: 1_000), devices: ["A"])
    gateway.hello("A", on: 1)
    return gateway
  }

  @Test func `silent notifications go out together when the window of the first is over`() {
    var gateway = gateway()
    #expect(gateway.turn([notice("n1")], at: 100).outcomes == [Fate(.held, "n1", ["A"])])
    #expect(gateway.turn([notice("n2")], at: 900).actions == [])
    #expect(gateway.counters.held == 2)
    #expect(gateway.nextDeadline == MonotonicTime(milliseconds: 1_100))
    #expect(gateway.expire(at: moment(1_099)) == [])
    let effects = gateway.expire(at: moment(1_100))
    #expect(
      effects.actions == [
        .send(to: [ConnectionID(1)], [notification("n1", at: 1_100), notification("n2", at: 1_100)])
      ])
    #expect(effects.outcomes == [Fate(.delivered, "n1", ["A"]), Fate(.delivered, "n2", ["A"])])
    #expect(gateway.nextDeadline == nil)
    gateway.turn([notice("n3")], at: 1_200)
    #expect(gateway.nextDeadline == MonotonicTime(milliseconds: 2_200))
    #expect(gateway.counters.addUp)
  }

  @Test func `without a window nothing is gathered`() {
    var gateway = PushGateway(devices: ["A"])
    gateway.hello("A", on: 1)
    #expect(gateway.turn([notice("n1")]).outcomes == [Fate(.delivered, "n1", ["A"])])
    #expect(PushGateway.Policy().burstWindow == 0)
  }

  @Test func `a notification that the user sees ends the burst`() {
    var gateway = gateway()
    gateway.turn([notice("n1")])
    let outcomes = gateway.turn([notice("n2", for: [loud])], at: 10).outcomes
    #expect(outcomes == [Fate(.delivered, "n1", ["A"]), Fate(.delivered, "n2", ["A"])])
    #expect(gateway.nextDeadline == nil)
    #expect(gateway.turn([notice("n3", for: [loud])], at: 20).outcomes == [Fate(.delivered, "n3", ["A"])])
    #expect(gateway.counters.addUp)
  }

  @Test func `one given by hand does not wait`() {
    var gateway = gateway()
    gateway.turn([notice("n1")])
    let given = PushNotification(notificationID: "given")
    #expect(
      gateway.deliver(given, toDevice: "A", at: moment(5))?.outcomes == [
        Fate(.delivered, "n1", ["A"]), Fate(.delivered, "given", ["A"]),
      ])
  }

  @Test func `a burst holds at most the limit`() {
    var gateway = gateway(heldLimit: 2)
    gateway.turn([notice("n1")])
    gateway.turn([notice("n2")])
    #expect(
      gateway.turn([notice("n3")]).outcomes == [
        Fate(.discarded(.overwritten), "n1", ["A"]), Fate(.held, "n3", ["A"]),
      ])
    #expect(gateway.expire(at: moment(1_000)).outcomes.map(\.notificationID) == ["n2", "n3"])
    #expect(gateway.counters.addUp)
  }

  @Test func `what is gathered when the connection ends is stored, the newest only`() {
    var gateway = gateway()
    gateway.turn([notice("n1")])
    gateway.turn([notice("n2")])
    let outcomes = gateway.closed(ConnectionID(1), at: moment(10)).outcomes
    #expect(outcomes == [Fate(.discarded(.overwritten), "n1", ["A"]), Fate(.stored, "n2", ["A"])])
    #expect(gateway.expire(at: moment(1_000)) == [])
    #expect(
      gateway.hello("A", on: 2).outcomes == [Fate(.delivered, "n2", ["A"])], "what was stored does not wait again")
  }

  @Test func `what is gathered goes to the connection that replaces the other`() {
    var gateway = gateway()
    gateway.turn([notice("n1")])
    #expect(
      gateway.hello("A", on: 2, at: 5).actions == [
        .close(ConnectionID(1), .replaced), .welcome(ConnectionID(2), device: "A", stored: 1),
        .send(to: [ConnectionID(2)], [notification("n1", at: 5)]),
      ])
    #expect(gateway.nextDeadline == nil)
  }

  @Test func `a connection that becomes slow keeps what is gathered until it drains`() {
    var gateway = gateway()
    gateway.turn([notice("n1")])
    #expect(gateway.drained(ConnectionID(1), at: moment(1)) == [], "it was not slow")
    gateway.blocked(ConnectionID(1))
    #expect(gateway.nextDeadline == nil)
    #expect(gateway.expire(at: moment(1_000)) == [])
    #expect(gateway.drained(ConnectionID(1), at: moment(2_000)).outcomes == [Fate(.delivered, "n1", ["A"])])
    #expect(gateway.counters.addUp)
  }

  @Test func `a token that ends takes what is gathered with it`() {
    var gateway = gateway()
    gateway.turn([notice("n1")])
    #expect(gateway.unregister(token: "t-A").outcomes == [Fate(.discarded(.tokenNotActive), "n1", ["A"])])
    #expect(gateway.nextDeadline == nil)
    #expect(gateway.counters.held == 0)
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `every notification has exactly one outcome, with any events between`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let policy = PushGateway.Policy(
      timeToLive: 3_000, heldLimit: 3, slot: .random, burstWindow: 500, retiresReplacedTokens: true)
    var gateway = PushGateway(policy: policy)
    var clock: Int64 = 0
    for number in 0..<400 {
      clock += Int64.random(in: 0...200, using: &generator)
      let device = ["A", "B", "C"].randomElement(using: &generator) ?? "A"
      let connection = ConnectionID(UInt64.random(in: 0..<400, using: &generator))
      switch Int.random(in: 0..<12, using: &generator) {
      case 0:
        let token = "t-\(["A", "B", "C", "D"].randomElement(using: &generator) ?? "A")"
        _ = gateway.register(
          PushRegistration(token: token, environment: .development, deviceID: device), for: nanny)
      case 1: gateway.hello(device, on: UInt64(number), at: clock)
      case 2: _ = gateway.closed(connection, at: moment(clock))
      case 3: gateway.blocked(connection)
      case 4: _ = gateway.drained(connection, at: moment(clock))
      case 5: _ = gateway.unregister(token: "t-" + device)
      case 6: _ = gateway.expire(at: moment(clock))
      default:
        gateway.notify(notice("n\(number)", for: [Bool.random(using: &generator) ? silent : loud]), using: &generator)
        _ = gateway.endTurn(at: moment(clock)) { _ in 0 }
      }
      #expect(gateway.counters.addUp)
    }
    while let due = gateway.nextDeadline { _ = gateway.expire(at: moment(max(clock, due.milliseconds))) }
    #expect(gateway.counters.stored == 0)
  }
}
