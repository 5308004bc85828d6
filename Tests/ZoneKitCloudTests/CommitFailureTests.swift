import ZoneKitRecords
import ZoneKitMemoryStores
import Testing
import ZoneKitCloud

@Suite struct `a commit that fails` {
  private let full = StoreError(.full, "database or disk is full (13)", place: "Notes.zone")

  private func batch(_ name: Name, in zone: ZoneID) -> CloudRequest {
    .modifyRecords(ModifyRecords(zoneID: zone, operations: [.create(name)], isAtomic: true))
  }

  private func code(_ response: CloudResponse) -> CloudErrorCode? {
    if case .failure(let error) = response { error.code } else { nil }
  }

  @Test func `turns the answers of all that touched the place into failures, and leaves everything as it was`() throws {
    var cloud = TestCloud.withNotes()
    let other = ZoneID(zoneName: "Other")
    _ = cloud.ask(.modifyZones([.create(other)]))
    let before = cloud.server.status(of: cloud.database)
    let notes = CommitFailure.Place.zone(ZoneKey(database: cloud.database, zoneName: "Notes"))
    cloud.server.store.failNextCommit(of: notes, with: full)
    let requests = [
      batch("a", in: cloud.notes), batch("a", in: other),
      .lookupRecords(zoneID: cloud.notes, recordNames: ["a"]), .lookupRecords(zoneID: other, recordNames: ["a"]),
      .fetchZoneChanges([
        ZoneChangesQuery(zoneID: other, token: nil), ZoneChangesQuery(zoneID: cloud.notes, token: nil),
      ]),
      .listZones, .listSubscriptions,
    ]
    for request in requests { cloud.receive(request) }
    let effects = cloud.endTurn()
    let wanted = CloudError(
      .serviceUnavailable, "the disk is full: Notes.zone: database or disk is full (13) (full)",
      retryAfterMilliseconds: 10_000)
    #expect(effects.answers[0] == .failure(wanted))
    let codes: [CloudErrorCode?] = [
      .serviceUnavailable, nil, .serviceUnavailable, nil, .serviceUnavailable, .serviceUnavailable, nil,
    ]
    #expect(effects.answers.map(code) == codes)
    #expect(effects.notices.map(\.zoneID.zoneName) == ["Other"])
    #expect(effects.facts.last == .commitFailed(CommitFailure(place: notes, error: full)))
    #expect(effects.facts.count == 2)
    #expect(cloud.header == before.zones.first { $0.zoneName == "Notes" })
    #expect(cloud.record("a") == nil)
    #expect(cloud.perform(.create("a")).record?.changeTag == ChangeTag(sequence: 1))
  }

  @Test func `also voids refusals that rest on what was not kept`() {
    var cloud = TestCloud.withNotes()
    cloud.server.store.commitError = full
    cloud.receive(.modifyZones([.delete(cloud.notes)]))
    cloud.receive(batch("a", in: cloud.notes))
    #expect(cloud.endTurn().answers.map(code) == [.serviceUnavailable, .serviceUnavailable])
    cloud.server.store.commitError = nil
    #expect(cloud.perform(.create("a")).error == nil)
  }

  @Test func `of a database keeps registrations and subscriptions from counting`() throws {
    var cloud = TestCloud.withNotes()
    cloud.server.store.failNextCommit(of: .database(cloud.database), with: full)
    let subscription = Subscription(subscriptionID: "db", kind: .database, notificationInfo: .silent)
    let registration = PushRegistration(token: "dG9r", environment: .development, deviceID: nil)
    cloud.receive(.modifySubscriptions([.create(subscription)]))
    cloud.receive(.registerPushToken(registration))
    cloud.receive(batch("a", in: cloud.notes))
    cloud.receive(.createPushToken(environment: .development))
    let effects = cloud.endTurn()
    #expect(effects.answers.map(code) == [.serviceUnavailable, .serviceUnavailable, nil, nil])
    #expect(!effects.contains { if case .registered = $0 { true } else { false } })
    let state = cloud.server.status(of: cloud.database).state
    #expect(state.subscriptions == [] && state.registrations == [])
  }

  @Test func `does not keep a subscription that fires once from firing, and the change is answered`() throws {
    var cloud = TestCloud.withNotes()
    let once = Subscription(subscriptionID: "db", kind: .database, notificationInfo: .silent, firesOnce: true)
    _ = cloud.ask(.modifySubscriptions([.create(once)]))
    cloud.server.store.failNextCommit(of: .database(cloud.database), with: full)
    let effects = cloud.effects(of: batch("a", in: cloud.notes))
    #expect(effects.answers.map(code) == [nil])
    #expect(effects.notices.map(\.subscriptions) == [[once]])
    #expect(cloud.server.status(of: cloud.database).state.subscriptions == [once])
  }

  @Test func `or a read that does so refuses the request as a whole`() {
    var cloud = TestCloud.withNotes()
    cloud.server.store.readError = StoreError(.corrupt, "malformed (11)", place: "Notes.zone")
    let wanted = CloudError(
      .serviceUnavailable, "the store is damaged: Notes.zone: malformed (11) (corrupt)",
      retryAfterMilliseconds: 10_000)
    let requests: [CloudRequest] = [
      batch("a", in: cloud.notes), .listZones, .lookupZones([cloud.notes]), .modifyZones([.delete(cloud.notes)]),
      .lookupRecords(zoneID: cloud.notes, recordNames: ["a"]), .fetchDatabaseChanges(since: nil, limit: 1),
      .fetchZoneChanges([ZoneChangesQuery(zoneID: cloud.notes, token: nil)]), .listSubscriptions,
      .modifySubscriptions([.delete("a")]),
    ]
    for request in requests {
      var error = wanted
      switch request {
      case .modifyRecords, .lookupRecords, .fetchZoneChanges, .lookupZones, .modifyZones: error.code = .zoneBusy
      default: break
      }
      #expect(cloud.ask(request) == .failure(error))
    }
  }

  @Test func `is no crash: after one, only what was committed is there`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.perform(.create("a"))
    cloud.receive(batch("b", in: cloud.notes))
    var restarted = cloud
    restarted.server = ZoneServer(store: cloud.server.store)
    restarted.server.store.crash()
    #expect(restarted.record("a") != nil && restarted.record("b") == nil)
    _ = cloud.endTurn()
    #expect(cloud.record("b") != nil)
  }

  @Test func `cannot come of a turn without requests`() {
    var cloud = TestCloud()
    cloud.server.store.commitError = full
    #expect(cloud.endTurn() == [])
  }
}
