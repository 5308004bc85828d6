import Testing
import ZoneKitPush
import ZoneKitRecords

@Suite struct `polls of the web courier` {
  private static func gateway() -> PushGateway {
    var gateway = PushGateway()
    _ = gateway.register(
      PushRegistration(token: "t-web", environment: .development, deviceID: "web"), for: nanny, mayPoll: true)
    return gateway
  }

  private static func poll(_ gateway: inout PushGateway, _ number: UInt64, at time: Int64 = 0) -> [Effect] {
    gateway.poll(ConnectionID(number), token: "t-web", at: moment(time)).actions
  }

  /// The IDs of the notifications that polls get; nil for a poll that gets none.
  private static func answers(_ effects: [Effect]) -> [String?] {
    effects.compactMap { effect -> String?? in
      if case .answerPoll(_, let notification) = effect { .some(notification?.notificationID) } else { nil }
    }
  }

  @Test func `get what was made before them, one each and in order`() {
    var gateway = Self.gateway()
    gateway.turn([notice("N1", zone: ZoneID(zoneName: "A")), notice("N2", zone: ZoneID(zoneName: "B"))])
    gateway.turn([notice("N3")])
    #expect(gateway.counters.stored == 3)
    let got = (1...4).flatMap { Self.answers(Self.poll(&gateway, $0)) }
    #expect(got == ["N1", "N2", "N3"])
    #expect((gateway.counters.stored, gateway.counters.delivered) == (0, 3))
  }

  @Test func `that wait get what is made then, the oldest first`() {
    var gateway = Self.gateway()
    #expect(Self.poll(&gateway, 1).isEmpty && Self.poll(&gateway, 2).isEmpty)
    let effects = gateway.turn([
      notice("N1", zone: ZoneID(zoneName: "A")), notice("N2", zone: ZoneID(zoneName: "B")), notice("N3"),
    ]).actions
    #expect(Self.answers(effects) == ["N1", "N2"])
    #expect(effects.compactMap { if case .answerPoll(let id, _) = $0 { Int(id.number) } else { nil } } == [1, 2])
    #expect(Self.answers(Self.poll(&gateway, 3)) == ["N3"])
  }

  @Test func `are answered with nothing after their time`() {
    var gateway = Self.gateway()
    _ = Self.poll(&gateway, 1, at: 10)
    #expect(gateway.nextDeadline == MonotonicTime(milliseconds: 10 + PushGateway.pollTime))
    #expect(gateway.expire(at: moment(9 + PushGateway.pollTime)).isEmpty)
    #expect(gateway.expire(at: moment(10 + PushGateway.pollTime)) == [.answerPoll(ConnectionID(1), nil)])
    #expect(gateway.nextDeadline == nil)
    gateway.turn([notice("N1")])
    #expect(Self.answers(Self.poll(&gateway, 2)) == ["N1"])
  }

  @Test func `that were given up get nothing, and what is made then waits`() {
    var gateway = Self.gateway()
    _ = Self.poll(&gateway, 1)
    #expect(gateway.closed(ConnectionID(1), at: moment(0)).isEmpty)
    #expect(Self.answers(gateway.turn([notice("N1")]).actions).isEmpty)
    #expect(Self.answers(Self.poll(&gateway, 2)) == ["N1"])
  }

  @Test func `of an unknown token are refused`() {
    var gateway = Self.gateway()
    #expect(
      gateway.poll(ConnectionID(1), token: "nobody's", at: moment(0)) == [.refusePoll(ConnectionID(1), .badDeviceToken)]
    )
  }

  @Test func `end at a hello, which gets what the single slot keeps`() {
    var gateway = Self.gateway()
    gateway.turn([notice("N1", zone: ZoneID(zoneName: "A")), notice("N2")])
    _ = Self.poll(&gateway, 1)
    gateway.turn([notice("N3", zone: ZoneID(zoneName: "C"))])
    let effects = gateway.hello("web", on: 9).actions
    #expect(effects.first == .welcome(ConnectionID(9), device: "web", stored: 1))
    #expect(gateway.counters.discarded(.overwritten) == 1 && gateway.counters.stored == 0)
    gateway.turn([notice("N4")])
    #expect(gateway.counters.delivered == 3)
  }

  @Test func `take the token from a device on the push socket`() {
    var gateway = Self.gateway()
    gateway.hello("web", on: 9)
    #expect(Self.poll(&gateway, 1) == [.close(ConnectionID(9), .replaced)])
    #expect(Self.answers(gateway.turn([notice("N1")]).actions) == ["N1"])
  }

  @Test func `keep at most a thousand notifications, the newest`() {
    var gateway = Self.gateway()
    for number in 0...PushGateway.queueLimit { gateway.turn([notice("N\(number)")]) }
    #expect(gateway.counters.stored == PushGateway.queueLimit && gateway.counters.discarded(.overwritten) == 1)
    #expect(Self.answers(Self.poll(&gateway, 1)) == ["N1"])
  }

  @Test func `of a token that ends are answered with nothing`() {
    var gateway = Self.gateway()
    _ = Self.poll(&gateway, 1)
    #expect(gateway.unregister(token: "t-web").actions == [.answerPoll(ConnectionID(1), nil)])
  }

  @Test func `get a notification for each record that fires a query subscription`() {
    var gateway = Self.gateway()
    let query = Subscription(
      subscriptionID: "q", kind: .query(QuerySubscription(CloudQuery("Note"), in: nil, firesOn: [.create])),
      notificationInfo: .silent)
    var made = notice("N1", for: [])
    made.matches = ["a", "b"].map { Notice.Match(query, RecordNotice(.create, of: $0)) }
    gateway.turn([made])
    let names = (1...2).flatMap { Self.poll(&gateway, $0) }.compactMap { effect -> Name? in
      guard case .answerPoll(_, let notification?) = effect, notification.subject == .query else { return nil }
      return notification.record?.recordName
    }
    #expect(names == ["a", "b"])
  }

  @Test func `of an account get those subscriptions of a public database that are its own`() {
    var gateway = PushGateway()
    let mum = Account(container: nanny.container, environment: .development, user: "mum")
    for (token, account) in [("n", nanny), ("m", mum)] {
      _ = gateway.register(
        PushRegistration(token: token, environment: .development, deviceID: token), for: account, mayPoll: true)
    }
    var subscription = Subscription(
      subscriptionID: "q", kind: .query(QuerySubscription(CloudQuery("Note"), in: nil, firesOn: [.create])),
      notificationInfo: .silent)
    subscription.user = "mum"
    var made = Notice(
      database: DatabaseID(container: nanny.container, environment: .development, user: "x", scope: .public),
      zoneID: .defaultZone, notificationID: "N1", originDeviceID: nil, committedAt: WallTime(milliseconds: 7),
      subscriptions: [])
    made.matches = [Notice.Match(subscription, RecordNotice(.create, of: "a"))]
    gateway.turn([made])
    #expect(gateway.poll(ConnectionID(1), token: "n", at: moment(0)).actions.isEmpty)
    #expect(Self.answers(gateway.poll(ConnectionID(2), token: "m", at: moment(0))) == ["N1"])
  }
}
