import ZoneKitRecords
import ZoneKitMemoryStores
import Testing

@testable import ZoneKitSync

@Suite struct `the conversation with CloudKit` {
  private static let subscription = Subscription(
    subscriptionID: "zonekit-database-changes", kind: .database, notificationInfo: .silent)

  private func word(_ request: CloudRequest) -> String {
    switch request {
    case .createPushToken: "create push token"
    case .registerPushToken: "register push token"
    case .lookupSubscriptions: "look up subscription"
    case .modifySubscriptions: "modify subscription"
    case .listSubscriptions: "list subscriptions"
    case .fetchDatabaseChanges(let token, _): "database since \(token?.text ?? "the beginning")"
    case .fetchZoneChanges(let queries):
      "zones "
        + queries.map { "\($0.zoneID.zoneName.text) since \($0.token?.text ?? "the beginning")" }
        .joined(separator: ", ")
    case .modifyZones: "make zone"
    case .modifyRecords(let modify): "send \(modify.operations.compactMap(\.recordName?.text).joined(separator: ","))"
    case .lookupRecords(_, let names): "look up \(names.map(\.text).joined(separator: ","))"
    case .queryRecords: "query"
    case .listZones, .lookupZones: "zones"
    case .createUploads, .rereferenceAssets: "assets"
    case .fetchUsers: "users"
    case .resolveShares, .acceptShares: "shares"
    }
  }

  /// A cloud in which all is well, and nothing new.
  private func answer(_ request: CloudRequest) -> CloudResponse? {
    switch request {
    case .createPushToken(let environment): .pushToken(environment: environment, token: "t")
    case .registerPushToken(let registration): .pushToken(environment: registration.environment, token: "t")
    case .lookupSubscriptions, .listSubscriptions, .modifySubscriptions:
      .subscriptions([.subscription(Self.subscription)])
    case .fetchDatabaseChanges:
      .databaseChanges(DatabaseChanges(zones: [], token: ChangeToken("d1"), moreComing: false))
    case .fetchZoneChanges(let queries):
      .zoneChanges(queries.map { .changes(Sample.page([], of: $0.zoneID)) })
    case .modifyZones: .zones([.zone(Zone(zoneID: Sample.zone, token: nil, isAtomic: true))])
    case .modifyRecords, .lookupRecords, .queryRecords, .createUploads, .rereferenceAssets, .listZones, .lookupZones,
      .fetchUsers, .resolveShares, .acceptShares:
      nil
    }
  }

  private func save(_ name: Name, _ text: String) -> RecordEdit {
    var fields = Fields()
    fields["text"] = .string(text)
    return .save(Sample.id(name), type: "Item", fields: fields, parent: nil, stamping: .asGiven)
  }

  private func saved(_ request: ModifyRecords, by device: String) -> CloudResponse {
    .records(
      request.operations.map { .record(Sample.record($0.recordName ?? "", Sample.content("x"), by: device)) })
  }

  @Test func `begins with token and subscription, then reads the feeds`() throws {
    var cloud = try ScriptedCloud(Sample.configuration)
    try cloud.launch(answer)
    #expect(
      cloud.requests.map(word)
        == [
          "create push token", "register push token", "look up subscription", "list subscriptions",
          "database since the beginning",
        ])
    #expect(cloud.facts.contains(.pushTokenRegistered("t")))
    #expect(cloud.facts.contains(.subscriptionChecked(.found)))
    #expect(cloud.facts.last == .syncFinished([.launch], records: 0, pages: 1))
    cloud.forget()
    cloud.sync(.foreground, answer)
    #expect(cloud.requests.map(word) == ["database since d1"])
  }

  @Test(arguments: [
    (RequestKind.lookupSubscriptions, [[SyncReason.launch]]), (.fetchDatabaseChanges, [[.launch], [.reconnect]]),
  ])
  func `reads the feeds once more for a connection that was made after it asked for one`(
    moment: RequestKind, syncs: [[SyncReason]]
  ) throws {
    var cloud = try ScriptedCloud(Sample.configuration)
    cloud.connectsDuring = moment
    try cloud.launch(answer)
    cloud.tick(answer)
    let started = cloud.facts.compactMap { if case .syncStarted(let reasons) = $0 { reasons.list } else { nil } }
    #expect(started.prefix(syncs.count) == syncs[...] && cloud.connectsDuring == nil)
    #expect(started.filter { $0.contains(.reconnect) }.count == syncs.count - 1)
  }

  @Test func `reads the feeds for a connection that was made before a sync that failed`() throws {
    var cloud = try ScriptedCloud(Sample.configuration)
    cloud.connectsDuring = .lookupSubscriptions
    try cloud.launch { request in
      if case .fetchDatabaseChanges = request { nil } else { answer(request) }
    }
    cloud.forget()
    cloud.tick(answer)
    #expect(cloud.requests.map(word).contains("database since the beginning"))
  }

  @Test func `asks nothing after the end of the session until the user signs in or asks for a sync`() throws {
    var cloud = try ScriptedCloud(Sample.configuration)
    try cloud.launch(answer)
    cloud.forget()
    cloud.endSession("over", answer)
    cloud.endSession("over", answer)
    #expect(cloud.facts == [.signedOut(CloudError(.notAuthenticated, "over"))])
    cloud.sync(.foreground, answer)
    #expect(cloud.requests.isEmpty)
    cloud.sync(.manual, answer)
    #expect(cloud.requests.map(word) == ["database since d1"])
  }

  @Test func `finds a subscription that another device made between the look and the save`() throws {
    var cloud = try ScriptedCloud(Sample.configuration)
    try cloud.launch { request in
      switch request {
      case .lookupSubscriptions(let ids): .subscriptions([.failed(ids.first, CloudError(.unknownItem, "no"))])
      case .modifySubscriptions: .subscriptions([.replaced(Self.subscription)])
      default: answer(request)
      }
    }
    #expect(cloud.facts.contains(.subscriptionChecked(.found)))
    #expect(try cloud.coordinator.store.values()[.subscriptionOrigin] == .text("found"))
  }

  @Test func `goes on without pushes where the token is refused, and comes back for it`() throws {
    var cloud = try ScriptedCloud(Sample.configuration)
    try cloud.launch { request in
      if case .createPushToken = request { return .failure(CloudError(.permissionFailure, "no")) }
      return answer(request)
    }
    #expect(cloud.requests.map(word).last == "database since the beginning")
    #expect(cloud.facts.contains(.pushTokenFailed(CloudError(.permissionFailure, "no"))))
    cloud.forget()
    cloud.sync(.foreground, answer)
    #expect(cloud.requests.map(word) == ["database since d1"])
    cloud.forget()
    cloud.sync(.manual, answer)
    #expect(cloud.requests.map(word).prefix(2) == ["create push token", "register push token"])
  }

  @Test func `makes a missing zone before it sends, and sends edits without reading the feeds`() throws {
    var cloud = try ScriptedCloud(Sample.configuration)
    try cloud.launch(answer)
    cloud.sync(.foreground, answer)
    cloud.forget()
    let me = cloud.coordinator.deviceID
    var isMade = false
    try cloud.edit([save("A", "x")]) { request in
      switch request {
      case .modifyRecords(let modify):
        return isMade
          ? saved(modify, by: me) : .failure(CloudError(.zoneNotFound, "no zone"))
      case .modifyZones:
        isMade = true
        return answer(request)
      default: return answer(request)
      }
    }
    #expect(cloud.requests.map(word) == ["send A", "make zone", "send A"])
    #expect(cloud.facts.contains(.zoneCreated(Sample.zone)))
    #expect(try cloud.coordinator.store.census().pending == 0)
  }

  @Test func `halves a batch that is too large, and quarantines a record that is too large alone`() throws {
    var cloud = try ScriptedCloud(Sample.configuration)
    try cloud.launch(answer)
    cloud.sync(.foreground, answer)
    cloud.forget()
    let me = cloud.coordinator.deviceID
    try cloud.edit([save("A", "x"), save("B", "x"), save("C", "x")]) { request in
      guard case .modifyRecords(let modify) = request else { return answer(request) }
      if modify.operations.count > 1 || modify.operations[0].recordName == "A" {
        return .failure(CloudError(.limitExceeded, "too large"))
      }
      return saved(modify, by: me)
    }
    #expect(cloud.requests.map(word) == ["send A,B,C", "send A", "send B,C", "send B", "send C"])
    #expect(try cloud.coordinator.store.quarantined(limit: 9).map(\.quarantine) == [.refused("too large")])
  }

  @Test func `asks the database's feed what happened to a known zone that is missing, once`() throws {
    let content = Sample.content("x")
    var store = MemoryDeviceStore()
    var transition = DeviceTransition(
      records: [Sample.local("A", content, server: Sample.version(content))],
      values: [
        ValueChange(.deviceID, .text("me")), ValueChange(.account, .text("nanny")),
        ValueChange(.databaseToken, .text("d0")),
      ])
    transition.zones = [ZoneState(zoneID: Sample.zone, token: ChangeToken("t0"), fullFetches: 1)]
    try store.commit(transition)
    var cloud = try ScriptedCloud(Sample.configuration, store: store)
    try cloud.launch { request in
      switch request {
      case .fetchZoneChanges: .zoneChanges([.failed(Sample.zone, CloudError(.zoneNotFound, "no zone"))])
      case .modifyRecords(let modify): saved(modify, by: "me")
      default: answer(request)
      }
    }
    #expect(
      cloud.requests.map(word).drop { $0 != "database since d0" }
        == [
          "database since d0", "zones Z since t0", "database since d1", "zones Z since t0", "make zone", "send A",
        ])
    #expect(cloud.facts.contains(.zoneLost(Sample.zone, records: 1)))
    #expect(cloud.facts.last == .syncFinished([.launch], records: 0, pages: 2))
  }

  @Test func `asks again for a zone for which an answer had no room`() throws {
    let other = ZoneID(zoneName: "Y")
    var store = MemoryDeviceStore()
    var transition = DeviceTransition(
      values: [
        ValueChange(.deviceID, .text("me")), ValueChange(.account, .text("nanny")),
        ValueChange(.databaseToken, .text("d0")),
      ])
    transition.zones = [Sample.zone, other].map { zoneID in
      var state = ZoneState(zoneID: zoneID, token: ChangeToken("t0"), fullFetches: 1)
      state.isStale = true
      return state
    }
    try store.commit(transition)
    var cloud = try ScriptedCloud(Sample.configuration, store: store)
    var answers = 0
    try cloud.launch { request in
      guard case .fetchZoneChanges(let queries) = request else { return answer(request) }
      answers += 1
      return .zoneChanges(
        queries.map { query in
          let isFirst = query.zoneID == queries[0].zoneID
          return .changes(
            Sample.page(
              isFirst ? [.saved(Sample.record(Name("R\(answers)"), Sample.content("x"), by: "other"))] : [],
              of: query.zoneID,
              token: isFirst ? "t1" : "t0", moreComing: !isFirst))
        })
    }
    #expect(cloud.requests.map(word).suffix(2) == ["zones Y since t0, Z since t0", "zones Z since t0"])
    #expect(cloud.facts.last == .syncFinished([.launch], records: 2, pages: 3))
  }

  @Test func `looks up fewer records at a time if the answer would be too large`() throws {
    var cloud = try ScriptedCloud(Sample.configuration)
    try cloud.launch(answer)
    cloud.sync(.foreground, answer)
    cloud.forget()
    let me = cloud.coordinator.deviceID
    var isRefused = false
    try cloud.edit([save("A", "x"), save("B", "x"), save("C", "x")]) { request in
      switch request {
      case .modifyRecords(let modify) where !isRefused:
        isRefused = true
        return .records(
          modify.operations.map { .failed($0.recordName, CloudError(.serverRecordChanged, "client oplock error")) })
      case .modifyRecords(let modify): return saved(modify, by: me)
      case .lookupRecords(_, let names):
        if names.count > 1 { return .failure(CloudError(.limitExceeded, "too large")) }
        return .records(names.map { .record(Sample.record($0, Sample.content("y"), by: "other")) })
      default: return answer(request)
      }
    }
    #expect(
      cloud.requests.map(word).prefix(5) == ["send A,B,C", "look up A,B,C", "look up A", "look up B", "look up C"])
  }

  @Test func `does not end a full fetch if one of the records to look up failed`() throws {
    var store = MemoryDeviceStore()
    let known = Sample.version(Sample.content("old"))
    let edits: [Name] = ["A", "B"]
    var transition = DeviceTransition(
      records: edits.map { Sample.local($0, Sample.content("new"), server: known, revision: 1) },
      values: [ValueChange(.deviceID, .text("me")), ValueChange(.account, .text("nanny"))])
    transition.zones = [ZoneState(zoneID: Sample.zone, token: ChangeToken("t0"), isStale: true)]
    try store.commit(transition)
    var configuration = Sample.configuration
    configuration.limits.lookups = 1
    var cloud = try ScriptedCloud(configuration, store: store)
    var refused: Name? = "A"
    func script(_ request: CloudRequest) -> CloudResponse? {
      switch request {
      case .fetchZoneChanges(let queries) where queries.contains { $0.token == ChangeToken("t0") }:
        .failure(CloudError(.changeTokenExpired, "expired"))
      case .lookupRecords(_, let names) where names == [refused]:
        .records([.failed("A", CloudError(.internalError, "no"))])
      case .lookupRecords(_, let names):
        .records(names.map { .record(Sample.record($0, Sample.content("old"))) })
      case .modifyRecords(let modify): saved(modify, by: "me")
      default: answer(request)
      }
    }
    try cloud.launch(script)
    #expect(cloud.requests.map(word).contains("look up A"))
    #expect(cloud.coordinator.zoneStates.map(\.isInFullFetch) == [true])
    refused = nil
    cloud.forget()
    cloud.sync(.manual, script)
    #expect(cloud.coordinator.zoneStates.map(\.isInFullFetch) == [false])
  }

  @Test func `keeps a change token for each database, and asks with the one of its own`() throws {
    var store = MemoryDeviceStore()
    try store.commit(
      DeviceTransition(values: [
        ValueChange(.deviceID, .text("me")), ValueChange(.account, .text("nanny")),
        ValueChange(.databaseToken, .text("private 0")), ValueChange(.sharedDatabaseToken, .text("shared 0")),
      ]))
    var configuration = Sample.configuration
    configuration.traits.scope = .shared
    var cloud = try ScriptedCloud(configuration, store: store)
    try cloud.launch(answer)
    #expect(cloud.requests.map(word).contains("database since shared 0"))
    #expect(!cloud.requests.map(word).contains("database since private 0"))
    let values = try cloud.coordinator.store.values()
    #expect(values[.databaseToken] == .text("private 0"))
    #expect(values[.sharedDatabaseToken] == .text("d1"))
    #expect(values[.sharedDatabaseTokenAt] != nil)
    #expect(values[.databaseTokenAt] == nil)
  }

  @Test func `reports what it does while it waits`() throws {
    var coordinator = try SyncCoordinator(store: MemoryDeviceStore(), configuration: Sample.configuration)
    var generator = SplitMix64(seed: 1)
    var effects = try coordinator.launch(account: "nanny", at: Sample.moment(1), using: &generator)
    var states: [String: LiveState] = [:]
    var now: Int64 = 1
    while case .send(let id, let request)? = effects.first(where: { if case .send = $0 { true } else { false } }) {
      states[word(request)] = coordinator.liveState
      if case .lookupSubscriptions = request {
        let state = try coordinator.diagnostics(name: "A", at: WallTime(milliseconds: now)).subscription.state
        #expect(state == .pending)
      }
      now += 1
      let response = try #require(answer(request))
      effects = coordinator.received(id, .success(response), at: Sample.moment(now), using: &generator)
    }
    #expect(states["look up subscription"] == .fetching)
    #expect(states["database since the beginning"] == .fetching)
    #expect(coordinator.liveState == .idle)
  }
}
