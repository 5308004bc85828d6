import ZoneKitPush
import ZoneKitRecords
import Testing

@Suite struct WatchingTests {
  var gateway = PushGateway(policy: PushGateway.Policy(isOpen: true))

  @Test func `watching is refused unless the service is open`() {
    var strict = PushGateway()
    #expect(
      strict.watch(ConnectionID(1), user: "nanny", device: "d7", at: moment(0)) == [
        .close(ConnectionID(1), .forbidden), .fact(.refused(.forbidden)),
      ])
  }

  @Test mutating func `a watcher sees a change that no subscription matches`() {
    #expect(
      gateway.watch(ConnectionID(1), user: "nanny", device: "d7", at: moment(0)) == [
        .welcome(ConnectionID(1), device: "d7", stored: 0), .fact(.connected(device: "d7", watches: true)),
      ])
    #expect(
      gateway.turn([notice("n1", for: [])]).actions
        == [.send(to: [ConnectionID(1)], [notification("n1", subscription: "watch", at: 0)])])
  }

  @Test mutating func `a watcher sees the notifications of the user's subscriptions where there are some`() {
    _ = gateway.watch(ConnectionID(1), user: "nanny", at: moment(0))
    #expect(gateway.turn([notice("n1")]).actions == [.send(to: [ConnectionID(1)], [notification("n1", at: 0)])])
    let mute = Subscription(subscriptionID: "mute", kind: .database, notificationInfo: nil)
    #expect(
      gateway.turn([notice("n2", for: [mute])]).actions
        == [.send(to: [ConnectionID(1)], [notification("n2", subscription: "watch", at: 0)])])
  }

  @Test mutating func `a registered device gets nothing of what only a watcher sees`() {
    gateway.register("A")
    gateway.hello("A", on: 1)
    _ = gateway.watch(ConnectionID(2), user: "nanny", at: moment(0))
    #expect(
      gateway.turn([notice("n1", for: [])]).actions
        == [.send(to: [ConnectionID(2)], [notification("n1", subscription: "watch", at: 0)])])
    #expect(
      gateway.turn([notice("n2")]).actions
        == [.send(to: [ConnectionID(1), ConnectionID(2)], [notification("n2", at: 0)])])
  }

  @Test mutating func `a watcher that names itself does not see its own changes`() {
    _ = gateway.watch(ConnectionID(1), user: "nanny", device: "d7", at: moment(0))
    _ = gateway.watch(ConnectionID(2), user: "nanny", at: moment(0))
    #expect(
      gateway.turn([notice("n1", by: "d7", for: [])]).actions
        == [.send(to: [ConnectionID(2)], [notification("n1", by: "d7", subscription: "watch", at: 0)])])
  }

  @Test(
    arguments: [
      (nil, nil, [true, true, true]), ("iCloud.test", nil, [true, true, false]),
      (nil, .production, [false, true, false]),
      ("iCloud.test", .production, [false, true, false]), ("iCloud.none", nil, [false, false, false]),
    ] as [(Name?, Environment?, [Bool])])
  mutating func `a watcher sees the containers and environments that it asks for`(
    container: Name?, environment: Environment?, seen: [Bool]
  ) {
    _ = gateway.watch(
      ConnectionID(1), user: "nanny", container: container, environment: environment, at: moment(0))
    let accounts = [
      nanny, Account(container: "iCloud.test", environment: .production, user: "nanny"),
      Account(container: "iCloud.other", environment: .development, user: "nanny"),
    ]
    #expect(accounts.map { !gateway.turn([notice("n1", in: $0)]).isEmpty } == seen)
    #expect(
      gateway.turn([notice("n1", in: Account(container: "iCloud.test", environment: .production, user: "x"))]) == [])
  }

  @Test mutating func `a watcher is gone with its connection, and what was held for it too`() {
    _ = gateway.watch(ConnectionID(1), user: "nanny", device: "d7", at: moment(0))
    gateway.blocked(ConnectionID(1))
    gateway.turn([notice("n1")])
    #expect(gateway.counters.watchers == 1)
    #expect(
      gateway.closed(ConnectionID(1), at: moment(0)).outcomes == [Fate(.discarded(.deviceOffline), "n1", ["d7"])])
    #expect(gateway.turn([notice("n2")]) == [])
    #expect(gateway.counters.watchers == 0)
    #expect(gateway.counters.addUp)
  }

  @Test mutating func `ten thousand watchers come, see one change in one send, and go`() {
    for number in 0..<10_000 { _ = gateway.watch(ConnectionID(UInt64(number)), user: "nanny", at: moment(0)) }
    #expect(
      gateway.turn([notice("n1")]).actions
        == [.send(to: (0..<10_000).map { ConnectionID($0) }, [notification("n1", at: 0)])])
    for number in 0..<9_999 { _ = gateway.closed(ConnectionID(UInt64(number)), at: moment(0)) }
    #expect(gateway.turn([notice("n2")]).actions == [.send(to: [ConnectionID(9_999)], [notification("n2", at: 0)])])
  }
}
