import Testing
import ZoneKitPush
import ZoneKitRecords

@Suite struct `the receivers of pushes` {
  private static let account = PushGateway.Account(container: "c", environment: .development, user: "nanny")
  private let now = Moment(wall: WallTime(milliseconds: 5_000), monotonic: MonotonicTime(milliseconds: 5))
  private var gateway = PushGateway(policy: PushGateway.Policy(isOpen: true))

  init() {
    for device in ["A", "B"] {
      let registration = PushRegistration(token: "t-\(device)", environment: .development, deviceID: "id-\(device)")
      _ = gateway.register(registration, for: Self.account)
    }
  }

  @Test mutating func `are listed with their connection and what waits for them`() {
    _ = gateway.hello(PushGateway.ConnectionID(1), token: "t-A", device: "A", at: now)
    _ = gateway.watch(PushGateway.ConnectionID(2), user: "nanny", device: "d7", at: now)
    _ = gateway.deliver(PushNotification(notificationID: "n-1"), toDevice: "t-B", at: now)
    #expect(gateway.receivers.map(\.name) == ["A", "id-B", "d7"])
    #expect(gateway.receivers.map(\.isConnected) == [true, false, true])
    #expect(gateway.receivers.map(\.since) == [now.wall, nil, now.wall])
    #expect(gateway.receivers.map { $0.waiting.map(\.notificationID) } == [[], ["n-1"], []])
    _ = gateway.closed(PushGateway.ConnectionID(2), at: now)
    #expect(gateway.receivers.map(\.name) == ["A", "id-B"])
  }

  @Test mutating func `are found by name, device ID and token`() {
    _ = gateway.hello(PushGateway.ConnectionID(1), token: "t-A", device: "A", at: now)
    for name in ["A", "id-A", "t-A", "id-B"] { #expect(gateway.knows(name)) }
    #expect(!gateway.knows("C"))
    #expect(gateway.deliver(PushNotification(), toDevice: "C", at: now) == nil)
    #expect(gateway.recipient(of: PushGateway.ConnectionID(1))?.names == ["A", "id-A", "t-A"])
    #expect(gateway.recipient(of: PushGateway.ConnectionID(1))?.users == ["nanny"])
    #expect(gateway.namesOfDevices.map(\.name) == ["A", "id-B"])
  }

  @Test mutating func `get no notification for a subscription that is mute`() {
    _ = gateway.hello(PushGateway.ConnectionID(1), token: "t-A", device: "A", at: now)
    var dice = SplitMix64(seed: 1)
    for info in [NotificationInfo(), NotificationInfo.silent, NotificationInfo(alertBody: "News")] {
      gateway.notify(
        Notice(
          database: DatabaseID(container: "c", environment: .development, user: "nanny", scope: .private),
          zoneID: ZoneID(zoneName: "Notes"), notificationID: "n", originDeviceID: nil, committedAt: now.wall,
          subscriptions: [Subscription(subscriptionID: "all", kind: .database, notificationInfo: info)]),
        using: &dice)
      let sent = gateway.endTurn(at: now) { _ in 1 }.contains { if case .send = $0 { true } else { false } }
      #expect(sent == info.makesPush)
    }
    #expect(!NotificationInfo().makesPush && NotificationInfo.silent.makesPush)
  }
}
