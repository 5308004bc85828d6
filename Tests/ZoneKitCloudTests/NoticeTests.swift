import ZoneKitRecords
import Testing
import ZoneKitCloud

@Suite struct `notices` {
  private let database = Subscription(subscriptionID: "db", kind: .database, notificationInfo: .silent)

  private func zone(_ name: Name, _ id: String) -> Subscription {
    let owned = ZoneID(zoneName: name)
    return Subscription(subscriptionID: id, kind: .zone(owned), notificationInfo: .silent)
  }

  /// A cloud with the zones Notes and Other, a subscription to each of them and one to the database.
  private func subscribed() -> TestCloud {
    var cloud = TestCloud.withNotes()
    _ = cloud.ask(.modifyZones([.create(ZoneID(zoneName: "Other"))]))
    _ = cloud.ask(
      .modifySubscriptions([.create(zone("Notes", "n")), .create(zone("Other", "o")), .create(database)]))
    return cloud
  }

  private func batch(_ operations: [RecordOperation], in zone: ZoneID) -> CloudRequest {
    .modifyRecords(ModifyRecords(zoneID: zone, operations: operations, isAtomic: false))
  }

  @Test func `come one for each request and zone, with all subscriptions that match`() throws {
    var cloud = subscribed()
    let notices = cloud.effects(of: batch([.create("a"), .create("b"), .delete("x")], in: cloud.notes)).notices
    let notice = try #require(notices.first)
    #expect(notices.count == 1)
    #expect(
      notice
        == Notice(
          database: cloud.database, zoneID: ZoneID(zoneName: "Notes"),
          notificationID: notice.notificationID, originDeviceID: "d1", committedAt: cloud.now,
          subscriptions: [database, zone("Notes", "n")]))
    #expect(notice.notificationID.utf8.count == 36)
    cloud.receive(batch([.create("c")], in: cloud.notes))
    cloud.receive(batch([.create("d")], in: cloud.notes))
    let later = cloud.endTurn().notices.map(\.notificationID)
    #expect(later.count == 2 && later[0] != later[1] && !later.contains(notice.notificationID))
  }

  @Test func `do not come where nothing changed`() {
    var cloud = subscribed()
    let requests = [
      batch([], in: cloud.notes),
      batch([.delete("x"), RecordOperation(.forceDelete, recordName: "y")], in: cloud.notes),
      .modifyZones([.create(cloud.notes)]), .listZones,
    ]
    for request in requests {
      let effects = cloud.effects(of: request)
      #expect(effects.count == 1, "\(effects)")
    }
  }

  @Test func `do not come of the default zone`() {
    var cloud = subscribed()
    let effects = cloud.effects(of: batch([.create("a")], in: .defaultZone))
    #expect(effects.notices == [])
    #expect(effects.facts.count == 1)
  }

  @Test func `come without subscriptions too, for those who watch`() {
    var cloud = TestCloud.withNotes()
    #expect(cloud.effects(of: batch([.create("a")], in: cloud.notes)).notices.map(\.subscriptions) == [[]])
  }

  @Test func `of a zone's creation and deletion are for database subscriptions`() {
    var cloud = subscribed()
    let request = CloudRequest.modifyZones([.create(ZoneID(zoneName: "New")), .delete(cloud.notes)])
    let notices = cloud.effects(of: request).notices
    #expect(notices.map(\.zoneID.zoneName) == ["New", "Notes"])
    #expect(notices.map(\.subscriptions) == [[database], [database]])
  }

  @Test func `are the last of a subscription that fires once`() throws {
    var cloud = TestCloud.withNotes()
    var once = database
    once.firesOnce = true
    _ = cloud.ask(.modifySubscriptions([.create(once), .create(zone("Notes", "n"))]))
    let request = CloudRequest.modifyZones([.create(ZoneID(zoneName: "B")), .create(ZoneID(zoneName: "C"))])
    #expect(cloud.effects(of: request).notices.map(\.subscriptions) == [[once], []])
    #expect(cloud.server.status(of: cloud.database).state.subscriptions == [zone("Notes", "n")])
  }

  @Test func `and answers, registrations and facts leave in the order of the requests`() throws {
    var cloud = subscribed()
    let registration = PushRegistration(token: "dG9r", environment: .development, deviceID: "d9")
    cloud.receive(.registerPushToken(registration))
    cloud.receive(batch([.create("a"), .create("b")], in: cloud.notes))
    cloud.receive(batch([.delete("a")], in: cloud.notes))
    let effects = cloud.endTurn()
    let shape = effects.map { effect in
      switch effect {
      case .answer: "answer"
      case .notify: "notify"
      case .transacted: "transacted"
      case .registered(registration, cloud.database): "registered"
      case .registered: "registered elsewhere"
      case .unregistered: "unregistered"
      case .fact: "fact"
      }
    }
    #expect(shape == ["answer", "registered", "answer", "notify", "answer", "notify", "fact"])
    guard case .committed(let commit) = effects.facts.first else { return }
    #expect(commit.zone == ZoneKey(database: cloud.database, zoneName: "Notes"))
    #expect(commit.requests == 2 && commit.records == 3 && commit.sequence == 3 && commit.databaseSequence == 4)
  }
}
