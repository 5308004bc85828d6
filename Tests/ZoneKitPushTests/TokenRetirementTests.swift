import ZoneKitPush
import ZoneKitRecords
import Testing

@Suite struct TokenRetirementTests {
  private let policy = PushGateway.Policy(retiresReplacedTokens: true)

  @Test func `restored registrations end no tokens, in any order`() {
    var gateway = PushGateway(policy: policy)
    for token in ["t-2", "t-1"] {
      let registration = PushRegistration(token: token, environment: .development, deviceID: "A")
      let effects = gateway.register(registration, for: nanny, isRestored: true)
      #expect(effects == [.fact(.registered(device: "A", account: nanny))])
    }
    #expect(gateway.counters.registrations == 2)
  }

  private func registration(_ token: String, of device: String?) -> PushRegistration {
    PushRegistration(token: token, environment: .development, deviceID: device)
  }

  private func hello(_ gateway: inout PushGateway, _ token: String, on connection: UInt64) -> [Effect] {
    gateway.hello(ConnectionID(connection), token: token, device: "A", at: moment(0)).actions
  }

  @Test func `a device's new token ends its old one: the connection closes and a hello is refused`() {
    var gateway = PushGateway(policy: policy, devices: ["A"])
    gateway.hello("A", on: 1)
    #expect(
      gateway.register(registration("new", of: "A"), for: nanny) == [
        .close(ConnectionID(1), .unregistered), .fact(.registered(device: "A", account: nanny)),
        .fact(.retired(device: "A", token: "t-A", account: nanny)),
      ])
    #expect(gateway.counters.registrations == 1)
    #expect(hello(&gateway, "t-A", on: 2) == [.close(ConnectionID(2), .unregistered)])
    #expect(hello(&gateway, "new", on: 3) == [.welcome(ConnectionID(3), device: "A", stored: 0)])
    #expect(gateway.turn([notice("n1")]).outcomes == [Fate(.delivered, "n1", ["A"])])
  }

  @Test func `what is stored for the old token goes with it`() {
    var gateway = PushGateway(policy: policy, devices: ["A"])
    gateway.turn([notice("n1")])
    #expect(
      gateway.register(registration("new", of: "A"), for: nanny).outcomes == [
        Fate(.discarded(.tokenNotActive), "n1", ["A"])
      ])
    #expect(gateway.counters.addUp)
  }

  @Test func `by default tokens are valid side by side and an ended one is unknown`() {
    var gateway = PushGateway(devices: ["A"])
    _ = gateway.register(registration("new", of: "A"), for: nanny)
    #expect(gateway.counters.registrations == 2)
    #expect(gateway.turn([notice("n1")]).outcomes == [Fate(.stored, "n1", ["A", "A"])])
    _ = gateway.unregister(token: "t-A")
    #expect(hello(&gateway, "t-A", on: 1) == [.close(ConnectionID(1), .badDeviceToken)])
  }

  @Test func `tokens of other devices, other containers and nameless devices stay`() {
    var gateway = PushGateway(policy: policy, devices: ["A", "B"])
    let elsewhere = Account(container: "iCloud.other", environment: nanny.environment, user: nanny.user)
    _ = gateway.register(registration("elsewhere", of: "A"), for: elsewhere)
    _ = gateway.register(registration("nameless", of: nil), for: nanny)
    _ = gateway.register(registration("nameless too", of: nil), for: nanny)
    #expect(gateway.counters.registrations == 5)
    let parent = Account(container: nanny.container, environment: nanny.environment, user: "parent")
    _ = gateway.register(registration("new", of: "A"), for: parent)
    #expect(gateway.counters.registrations == 6, "a user does not end another one's tokens")
    #expect(hello(&gateway, "t-A", on: 1) == [.welcome(ConnectionID(1), device: "A", stored: 0)])
  }

  @Test func `the token of an account that was registered longest ago ends when there are too many`() {
    var gateway = PushGateway(devices: ["A"])
    let limit = PushGateway.tokensPerAccount
    for number in 1..<limit { _ = gateway.register(registration("\(number)", of: nil), for: nanny) }
    #expect(gateway.counters.registrations == limit)
    _ = gateway.register(registration("t-A", of: "A"), for: nanny)
    let parent = Account(container: nanny.container, environment: nanny.environment, user: "parent")
    _ = gateway.register(registration("parent's", of: nil), for: parent)
    #expect(gateway.counters.registrations == limit + 1)
    for number in 1...300 { _ = gateway.register(registration("more \(number)", of: nil), for: nanny) }
    #expect(gateway.counters.registrations == limit + 1)
    #expect(gateway.owner(of: "t-A") == nil && gateway.owner(of: "more 100") == nil)
    #expect(gateway.owner(of: "more 101") == nanny.user && gateway.owner(of: "parent's") == "parent")
  }

  @Test func `a token that is registered again lives again`() {
    var gateway = PushGateway(policy: policy, devices: ["A"])
    _ = gateway.register(registration("new", of: "A"), for: nanny)
    _ = gateway.register(registration("t-A", of: "A"), for: nanny)
    #expect(hello(&gateway, "t-A", on: 1) == [.welcome(ConnectionID(1), device: "A", stored: 0)])
    #expect(hello(&gateway, "new", on: 2) == [.close(ConnectionID(2), .unregistered)])
    _ = gateway.unregister(token: "t-A")
    #expect(hello(&gateway, "t-A", on: 3) == [.close(ConnectionID(3), .unregistered)])
    #expect(hello(&gateway, "never", on: 4) == [.close(ConnectionID(4), .badDeviceToken)])
  }

  @Test(arguments: [(1_000, PushGateway.CloseReason.unregistered), (1_001, .badDeviceToken)])
  func `a thousand ended tokens are remembered`(ended: Int, reason: PushGateway.CloseReason) {
    var gateway = PushGateway(policy: policy)
    for number in 0...ended { _ = gateway.register(registration("t\(number)", of: "A"), for: nanny) }
    #expect(hello(&gateway, "t0", on: 1) == [.close(ConnectionID(1), reason)])
  }
}
