import ZoneKitPush
import ZoneKitRecords
import Testing

@Suite struct DeliveryTests {
  @Test func `a change reaches every connected device of the user in one send, and no one else`() {
    var gateway = PushGateway(devices: ["A", "B"])
    gateway.register("C", for: Account(container: nanny.container, environment: nanny.environment, user: "parent"))
    gateway.register("D", for: Account(container: "iCloud.other", environment: nanny.environment, user: "nanny"))
    gateway.register("E", for: Account(container: nanny.container, environment: .production, user: "nanny"))
    for (connection, device) in ["A", "B", "C", "D", "E"].enumerated() {
      gateway.hello(device, on: UInt64(connection))
    }
    let effects = gateway.turn([notice("n1")], at: 5)
    #expect(effects.actions == [.send(to: [ConnectionID(0), ConnectionID(1)], [notification("n1", at: 5)])])
    #expect(effects.outcomes == [Fate(.delivered, "n1", ["A", "B"])])
  }

  @Test func `the device that made the change is left out`() {
    var gateway = PushGateway(devices: ["A", "B"])
    gateway.hello("A", on: 1)
    gateway.hello("B", on: 2)
    let effects = gateway.turn([notice("n1", by: "A")])
    #expect(effects.actions == [.send(to: [ConnectionID(2)], [notification("n1", by: "A", at: 0)])])
    #expect(effects.outcomes == [Fate(.excludedOrigin, "n1", ["A"]), Fate(.delivered, "n1", ["B"])])
    #expect(gateway.counters.excludedOrigin == 1)
    #expect(gateway.counters.made == 1)
  }

  @Test func `with a leak rate the origin gets pushes for some of its changes`() {
    var gateway = PushGateway(policy: PushGateway.Policy(leakRate: 0.25), devices: ["A"])
    gateway.hello("A", on: 1)
    var seed = SplitMix64(seed: 7)
    for _ in 0..<4000 {
      gateway.notify(notice("n", by: "A"), using: &seed)
      _ = gateway.endTurn(at: moment(0)) { _ in 0 }
    }
    #expect((900...1100).contains(gateway.counters.delivered))
    #expect(gateway.counters.delivered + gateway.counters.excludedOrigin == 4000)
  }

  @Test func `without a leak rate the generator is not asked`() {
    var gateway = PushGateway(devices: ["A"])
    var seed = SplitMix64(seed: 7)
    gateway.notify(notice("n1", by: "A"), using: &seed)
    #expect(seed == SplitMix64(seed: 7))
  }

  @Test func `each matching subscription makes a notification with the change's ID, except a mute one`() {
    var gateway = PushGateway(devices: ["A"])
    gateway.hello("A", on: 1)
    let mute = Subscription(subscriptionID: "mute", kind: .database, notificationInfo: nil)
    let zone = Subscription(subscriptionID: "zone", kind: .zone(log), notificationInfo: .silent)
    var ofZone = notification("n1", subscription: "zone", at: 0)
    ofZone.subject = .zone
    let effects = gateway.turn([notice("n1", for: [silent, mute, zone])])
    #expect(effects.actions == [.send(to: [ConnectionID(1)], [notification("n1", at: 0), ofZone])])
    #expect(gateway.turn([notice("n2", for: [mute])]) == [])
    #expect(gateway.counters.made == 2)
  }

  @Test func `notices of one turn are coalesced by subscription and zone, the newest winning`() {
    var gateway = PushGateway(devices: ["A"])
    gateway.hello("A", on: 1)
    let effects = gateway.turn([
      notice("n1"), notice("n2", zone: ZoneID(zoneName: "Other")), notice("n3"),
    ])
    #expect(
      effects.actions == [
        .send(to: [ConnectionID(1)], [notification("n2", zone: "Other", at: 0), notification("n3", at: 0)])
      ])
    #expect(
      effects.outcomes == [
        Fate(.coalesced, "n1", ["A"]), Fate(.delivered, "n2", ["A"]), Fate(.delivered, "n3", ["A"]),
      ])
  }

  @Test func `notices of different turns are not coalesced`() {
    var gateway = PushGateway(devices: ["A"])
    gateway.hello("A", on: 1)
    gateway.turn([notice("n1")])
    gateway.turn([notice("n2")])
    #expect(gateway.counters.delivered == 2)
  }

  @Test func `devices that missed one notice of a turn get another send`() {
    var gateway = PushGateway(devices: ["A", "B", "C"])
    for (connection, device) in ["A", "B", "C"].enumerated() { gateway.hello(device, on: UInt64(connection)) }
    let other = ZoneID(zoneName: "Other")
    #expect(
      gateway.turn([notice("n1", by: "B"), notice("n2", zone: other)]).actions == [
        .send(
          to: [ConnectionID(0), ConnectionID(2)],
          [notification("n1", by: "B", at: 0), notification("n2", zone: "Other", at: 0)]),
        .send(to: [ConnectionID(1)], [notification("n2", zone: "Other", at: 0)]),
      ])
  }

  @Test func `silent notifications have low priority, visible ones are immediate`() {
    var gateway = PushGateway(devices: ["A"])
    let loud = Subscription(
      subscriptionID: "loud", kind: .database, notificationInfo: NotificationInfo(alertBody: "Changed"))
    let priorities = gateway.turn([notice("n1", for: [silent, loud])]).compactMap { effect in
      if case .fact(.handled(let handling)) = effect { handling.priority } else { nil }
    }
    #expect(priorities == [.low, .immediate])
  }

  @Test func `the public database's zone owner stays nameless`() {
    var gateway = PushGateway(policy: PushGateway.Policy(isOpen: true))
    _ = gateway.watch(ConnectionID(1), user: DatabaseID.publicUser, at: moment(0))
    var change = notice("n1")
    change.database = DatabaseID(container: "c", environment: .development, user: "nanny", scope: .public)
    guard case .send(_, let notifications)? = gateway.turn([change]).first else {
      Issue.record("nothing was sent")
      return
    }
    #expect(notifications.first?.zoneID == log)
    #expect(notifications.first?.scope == .public)
  }

  @Test func `a payload that is too long is pruned once for all, and dropped where that does not help`() {
    var gateway = PushGateway(devices: ["A", "B"])
    gateway.hello("A", on: 1)
    var seed = SplitMix64(seed: 1)
    gateway.notify(notice("n1"), using: &seed)
    let effects = gateway.endTurn(at: moment(0)) { $0.container == nil ? 4096 : 4097 }
    var pruned = notification("n1", at: 0)
    pruned.committedAt = nil
    pruned.sentAt = nil
    pruned.container = nil
    pruned.isPruned = true
    #expect(effects.actions == [.send(to: [ConnectionID(1)], [pruned])])
    #expect(gateway.hello("B", on: 2).actions.last == .send(to: [ConnectionID(2)], [pruned]))
    gateway.notify(notice("n2"), using: &seed)
    let dropped = gateway.endTurn(at: moment(0)) { _ in 4097 }
    #expect(dropped.outcomes == [Fate(.discarded(.payloadTooLarge), "n2", ["A", "B"])])
    #expect(gateway.counters.addUp)
  }

  @Test func `a notification given by hand reaches the device of that name as it is`() {
    var gateway = PushGateway(devices: ["A", "B"])
    gateway.hello("A", on: 1)
    let given = PushNotification(info: NotificationInfo(alertBody: "Hello"))
    #expect(
      gateway.deliver(given, toDevice: "A", at: moment(0))?.actions == [.send(to: [ConnectionID(1)], [given])])
    #expect(gateway.deliver(given, toDevice: "B", at: moment(0))?.outcomes == [Fate(.stored, nil, ["B"])])
    #expect(gateway.deliver(given, toDevice: "C", at: moment(0)) == nil)
    #expect(gateway.counters.addUp)
  }
}
