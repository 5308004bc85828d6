import ZoneKitPush
import ZoneKitRecords
import Testing

@Suite struct ConnectionTests {
  @Test func `a registered token is welcomed`() {
    var gateway = PushGateway(devices: ["A"])
    #expect(
      gateway.hello("A", on: 1) == [
        .welcome(ConnectionID(1), device: "A", stored: 0), .fact(.connected(device: "A", watches: false)),
      ])
  }

  @Test func `an unknown token is refused`() {
    var gateway = PushGateway(devices: ["A"])
    #expect(
      gateway.hello("B", on: 1) == [
        .close(ConnectionID(1), .badDeviceToken), .fact(.refused(.badDeviceToken)),
      ])
  }

  @Test func `a newer connection of a token wins, and the end of the older one changes nothing`() {
    var gateway = PushGateway(devices: ["A"])
    gateway.hello("A", on: 1)
    #expect(
      gateway.hello("A", on: 2).actions == [
        .close(ConnectionID(1), .replaced), .welcome(ConnectionID(2), device: "A", stored: 0),
      ])
    #expect(gateway.closed(ConnectionID(1), at: moment(0)) == [])
    #expect(gateway.turn([notice("n1")]).actions == [.send(to: [ConnectionID(2)], [notification("n1", at: 0)])])
  }

  @Test func `input after the hello closes the connection`() {
    var gateway = PushGateway(devices: ["A"])
    gateway.hello("A", on: 1)
    #expect(
      gateway.lineReceived(ConnectionID(1), at: moment(0)) == [
        .close(ConnectionID(1), .unexpectedInput), .fact(.disconnected(device: "A")),
      ])
    #expect(gateway.turn([notice("n1")]).outcomes == [Fate(.stored, "n1", ["A"])])
  }

  @Test func `a second hello on a connection is input after the hello`() {
    var gateway = PushGateway(policy: PushGateway.Policy(isOpen: true), devices: ["A"])
    gateway.hello("A", on: 1)
    #expect(gateway.hello("A", on: 1).actions == [.close(ConnectionID(1), .unexpectedInput)])
    gateway.hello("A", on: 2)
    #expect(
      gateway.watch(ConnectionID(2), user: "nanny", at: moment(0)).actions
        == [.close(ConnectionID(2), .unexpectedInput)])
  }

  @Test func `events of connections that nobody knows change nothing`() {
    var gateway = PushGateway(devices: ["A"])
    gateway.blocked(ConnectionID(9))
    #expect(gateway.drained(ConnectionID(9), at: moment(0)) == [])
    #expect(gateway.closed(ConnectionID(9), at: moment(0)) == [])
    #expect(gateway.lineReceived(ConnectionID(9), at: moment(0)) == [])
    #expect(gateway.unregister(token: "t-B") == [])
  }

  @Test func `unregistering closes the connection and forgets what is stored`() {
    var gateway = PushGateway(devices: ["A", "B"])
    gateway.hello("A", on: 1)
    gateway.turn([notice("n1")])
    #expect(
      gateway.unregister(token: "t-A") == [
        .close(ConnectionID(1), .unregistered), .fact(.unregistered(device: "A")),
      ])
    #expect(gateway.unregister(token: "t-B").outcomes == [Fate(.discarded(.tokenNotActive), "n1", ["B"])])
    #expect(gateway.counters.registrations == 0)
    #expect(gateway.nextDeadline == nil)
    #expect(gateway.turn([notice("n2")]) == [])
  }

  @Test func `a token that ends within a turn gets nothing of that turn`() {
    var gateway = PushGateway(devices: ["A", "B"])
    var seed = SplitMix64(seed: 1)
    gateway.hello("B", on: 2)
    gateway.notify(notice("n1"), using: &seed)
    #expect(gateway.unregister(token: "t-A").outcomes == [Fate(.discarded(.tokenNotActive), "n1", ["A"])])
    gateway.register("C")
    #expect(gateway.endTurn(at: moment(0)) { _ in 0 }.outcomes == [Fate(.delivered, "n1", ["B"])])
    #expect(gateway.counters.addUp)
  }

  @Test func `registering again changes nothing but the device`() {
    var gateway = PushGateway(devices: ["A"])
    gateway.turn([notice("n1")])
    let again = gateway.register(
      PushRegistration(token: "t-A", environment: .development, deviceID: "A2"), for: nanny)
    #expect(again == [.fact(.registered(device: "A2", account: nanny))])
    #expect(gateway.counters.registrations == 1)
    #expect(gateway.turn([notice("n2", by: "A2")]).outcomes == [Fate(.excludedOrigin, "n2", ["A2"])])
    #expect(gateway.counters.stored == 1)
  }

  @Test(arguments: [nanny.container, "iCloud.other"])
  func `a token stays with the user who registered it first`(container: Name) {
    var gateway = PushGateway(devices: ["A"])
    #expect(gateway.owner(of: "t-A") == nanny.user)
    #expect(gateway.owner(of: "t-B") == nil)
    let parent = Account(container: container, environment: nanny.environment, user: "parent")
    #expect(gateway.register("A", for: parent) == [])
    #expect(gateway.turn([notice("n1", in: parent)]) == [])
    #expect(gateway.turn([notice("n2")]).outcomes == [Fate(.stored, "n2", ["A"])])
    _ = gateway.unregister(token: "t-A")
    gateway.register("A", for: parent)
    #expect(gateway.owner(of: "t-A") == "parent")
  }

  @Test func `a token gets notifications of every container for which it is registered`() {
    var gateway = PushGateway(devices: ["A"])
    let other = Account(container: "iCloud.other", environment: .development, user: "nanny")
    gateway.register("A", for: other)
    gateway.hello("A", on: 1)
    #expect(gateway.turn([notice("n1")]).outcomes == [Fate(.delivered, "n1", ["A"])])
    #expect(gateway.turn([notice("n2", in: other)]).outcomes == [Fate(.delivered, "n2", ["A"])])
    #expect(gateway.counters.registrations == 1)
  }

  @Test(arguments: PushGateway.CloseReason.allCases)
  func `every reason for closing has a sentence`(reason: PushGateway.CloseReason) {
    #expect(!reason.message.isEmpty && reason.message != reason.rawValue)
  }
}
