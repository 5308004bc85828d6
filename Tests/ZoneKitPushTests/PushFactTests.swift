import Testing
import ZoneKitPush
import ZoneKitRecords

@Suite struct PushFactTests {
  @Test func aDeliveryIsReportedWithItsOutcomeAndDevices() throws {
    var gateway = PushGateway(devices: ["a"])
    let facts = gateway.turn([notice("n1")], at: 5).compactMap { effect -> Fact? in
      if case .fact(let fact) = effect { Fact(fact) } else { nil }
    }
    let fact = try #require(facts.first)
    #expect(facts.count == 1)
    #expect(fact.kind == .notificationHandled)
    #expect(fact.text == "push n1 for a: stored")
    #expect(JSON.object(fact.members)["outcome"] == "stored")
    #expect(JSON.object(fact.members)["devices"] == ["a"])
  }

  @Test func aDiscardedNotificationNamesItsReason() {
    var gateway = PushGateway(policy: .init(timeToLive: 0), devices: ["a"])
    let texts = gateway.turn([notice("n1")], at: 5).compactMap { effect -> String? in
      if case .fact(let fact) = effect { Fact(fact).text } else { nil }
    }
    #expect(texts == ["push n1 for a: discarded, device offline"])
  }

  @Test func aRegistrationNamesTheDeviceAndItsUser() {
    let fact = Fact(PushFact.registered(device: "a", account: nanny))
    #expect(fact.kind == .tokenRegistered)
    #expect(fact.members == [JSON.Member("device", "a"), JSON.Member("user", "nanny")])
  }
}
