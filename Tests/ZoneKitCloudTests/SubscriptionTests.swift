import ZoneKitRecords
import Testing
import ZoneKitCloud

@Suite struct `subscriptions` {
  let database = Subscription(subscriptionID: "db", kind: .database, notificationInfo: .silent)

  private func zone(_ id: String = "z") -> Subscription {
    Subscription(subscriptionID: id, kind: .zone(ZoneID(zoneName: "Notes")), notificationInfo: .silent)
  }

  private func codes(_ response: CloudResponse) -> [CloudErrorCode?] {
    guard case .subscriptions(let results) = response else { return [] }
    return results.map { if case .failed(_, let error) = $0 { error.code } else { nil } }
  }

  @Test func `are created, replaced by their ID, found and listed`() {
    var cloud = TestCloud.withNotes()
    #expect(
      cloud.ask(.modifySubscriptions([.create(zone()), .create(database)]))
        == .subscriptions([.subscription(zone()), .subscription(database)]))
    var changed = database
    changed.notificationInfo = nil
    #expect(cloud.ask(.modifySubscriptions([.create(changed)])) == .subscriptions([.replaced(changed)]))
    #expect(cloud.ask(.listSubscriptions) == .subscriptions([.subscription(changed), .subscription(zone())]))
    let lookup = cloud.ask(.lookupSubscriptions(["z", "none"]))
    #expect(codes(lookup) == [nil, .unknownItem])
    guard case .subscriptions(let found) = lookup else { return }
    #expect(found[0] == .subscription(zone()))
  }

  @Test func `are updated and deleted only where they are`() {
    var cloud = TestCloud.withNotes()
    #expect(codes(cloud.ask(.modifySubscriptions([.update(zone()), .delete("z")]))) == [.unknownItem, .unknownItem])
    _ = cloud.ask(.modifySubscriptions([.create(zone())]))
    var changed = database
    changed.subscriptionID = "z"
    #expect(cloud.ask(.modifySubscriptions([.update(changed)])) == .subscriptions([.subscription(changed)]))
    #expect(cloud.ask(.modifySubscriptions([.delete("z")])) == .subscriptions([.deleted("z")]))
    #expect(cloud.ask(.listSubscriptions) == .subscriptions([]))
  }

  @Test func `of one request see each other, and the last word counts`() {
    var cloud = TestCloud.withNotes()
    let operations: [SubscriptionOperation] = [
      .create(zone("a")), .delete("a"), .create(zone("b")), .delete("b"), .create(database), .update(database),
      .delete("b"),
    ]
    var renewed = database
    renewed.subscriptionID = "b"
    let response = cloud.ask(.modifySubscriptions(operations + [.create(renewed)]))
    #expect(codes(response) == [nil, nil, nil, nil, nil, nil, .unknownItem, nil])
    #expect(cloud.ask(.listSubscriptions) == .subscriptions([.subscription(renewed), .subscription(database)]))
  }

  @Test func `without an ID get one`() {
    var cloud = TestCloud.withNotes()
    var nameless = database
    nameless.subscriptionID = ""
    guard case .subscriptions(let results) = cloud.ask(.modifySubscriptions([.create(nameless)])),
      case .subscription(let named) = results[0]
    else { return }
    #expect(named.subscriptionID.utf8.count == 36 && named.subscriptionID == named.subscriptionID.uppercased())
    #expect(cloud.ask(.listSubscriptions) == .subscriptions([.subscription(named)]))
  }

  @Test func `of the same content under two IDs are two`() {
    var cloud = TestCloud.withNotes()
    _ = cloud.ask(.modifySubscriptions([.create(zone("a")), .create(zone("b"))]))
    guard case .subscriptions(let results) = cloud.ask(.listSubscriptions) else { return }
    #expect(results.count == 2)
  }

  @Test func `are refused where there is nothing to hear of`() {
    var cloud = TestCloud.withNotes()
    let ofDefault = Subscription(subscriptionID: "a", kind: .zone(.defaultZone), notificationInfo: nil)
    let ofNone = Subscription(subscriptionID: "b", kind: .zone(ZoneID(zoneName: "None")), notificationInfo: nil)
    let long = Subscription(
      subscriptionID: String(repeating: "i", count: 256), kind: .database, notificationInfo: nil)
    let why = CloudError(.invalidArguments, "no type")
    let response = cloud.ask(
      .modifySubscriptions([
        .create(ofDefault), .create(ofNone), .create(long), .malformed(subscriptionID: nil, why), .create(database),
      ]))
    #expect(codes(response) == [.invalidArguments, .zoneNotFound, .invalidArguments, .invalidArguments, nil])
    cloud.database.scope = .shared
    #expect(codes(cloud.ask(.modifySubscriptions([.create(database), .create(zone())]))) == [nil, .zoneNotFound])
    cloud.database = DatabaseID(container: "iCloud.a", environment: .development, user: "nanny", scope: .public)
    #expect(codes(cloud.ask(.modifySubscriptions([.create(database)]))) == [.invalidArguments])
  }

  @Test(arguments: Environment.allCases)
  func `of push tokens: one is made up of 32 random bytes`(environment: Environment) throws {
    var cloud = TestCloud()
    guard case .pushToken(environment, let token) = cloud.ask(.createPushToken(environment: environment)) else {
      Issue.record("no token")
      return
    }
    #expect(Base64.decode(token)?.count == 32)
    #expect(cloud.ask(.createPushToken(environment: environment)) != .pushToken(environment: environment, token: token))
    #expect(cloud.server.status(of: cloud.database).state.registrations == [])
  }

  @Test func `of push tokens: a registration is kept with the account, the newer device of a token counting`() throws {
    var cloud = TestCloud()
    let account = cloud.database
    cloud.database.scope = .shared
    let first = PushRegistration(token: "dG9r", environment: .development, deviceID: nil)
    let kept = PushRegistration(token: "dG9r", environment: .development, deviceID: "d1")
    let answer = CloudResponse.pushToken(environment: .development, token: "dG9r")
    #expect(cloud.effects(of: .registerPushToken(first)) == [.answer(Ticket(1), answer), .registered(kept, account)])
    #expect(cloud.server.status(of: account).state.registrations == [kept])
    let moved = PushRegistration(token: "dG9r", environment: .production, deviceID: "d2")
    _ = cloud.ask(.registerPushToken(moved))
    #expect(cloud.server.status(of: account).state.registrations == [moved])
  }

  @Test func `of push tokens: one that was created for another account, container or environment is refused`() throws {
    var cloud = TestCloud()
    guard case .pushToken(_, let token) = cloud.ask(.createPushToken(environment: .development)) else {
      Issue.record("no token")
      return
    }
    let registration = PushRegistration(token: token, environment: .development, deviceID: "d")
    let answer = CloudResponse.pushToken(environment: .development, token: token)
    #expect(cloud.ask(.registerPushToken(registration)) == answer)
    let own = cloud.database
    for (container, environment, user) in [
      ("iCloud.b", Environment.development, own.user), (own.container, .production, own.user),
      (own.container, .development, "other"),
    ] {
      cloud.database = DatabaseID(container: container, environment: environment, user: user, scope: .private)
      cloud.caller = Caller(user: user, deviceID: "d")
      guard case .failure(let error) = cloud.ask(.registerPushToken(registration)) else {
        Issue.record("\(user) registered the token")
        continue
      }
      #expect(error.code == .permissionFailure)
      #expect(cloud.server.status(of: cloud.database).state.registrations == [])
    }
  }

  @Test func `of push tokens: what is none is refused`() {
    var cloud = TestCloud()
    let requests: [CloudRequest] = [
      .registerPushToken(PushRegistration(token: "", environment: .development, deviceID: nil)),
      .registerPushToken(
        PushRegistration(token: String(repeating: "t", count: 1025), environment: .development, deviceID: nil)),
    ]
    for request in requests {
      let effects = cloud.effects(of: request)
      guard effects.count == 1, case .failure(let error) = effects.answers[0] else {
        Issue.record("\(effects)")
        continue
      }
      #expect(error.code == .invalidArguments)
    }
  }
}
