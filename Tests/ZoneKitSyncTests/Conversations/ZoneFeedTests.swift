import Testing
import ZoneKitRecords
import ZoneKitMemoryStores

@testable import ZoneKitSync

/// Settings of a coordinator for a cloud without a database feed and without subscriptions.
@Suite struct `a sync without the database's feed` {
  private static let zones = [Sample.zone, Sample.journal]

  private static var configuration: CoordinatorConfiguration {
    var configuration = Sample.configuration
    configuration.traits.feeds = .zones(zones)
    configuration.pushes.subscriptionID = nil
    configuration.pushes.emptyPushTries = 0
    return configuration
  }

  private func word(_ request: CloudRequest) -> String {
    switch request {
    case .fetchDatabaseChanges: "database"
    case .fetchZoneChanges(let queries):
      "read "
        + queries.map { "\($0.zoneID.zoneName) since \($0.token?.text ?? "the beginning")" }
        .joined(separator: ", ")
    case .modifyZones: "make zone"
    case .modifyRecords(let modify): "send \(modify.operations.compactMap(\.recordName?.text).joined(separator: ","))"
    case .lookupRecords(_, let names): "look up \(names.map(\.text).joined(separator: ","))"
    case .createPushToken, .registerPushToken, .lookupSubscriptions, .modifySubscriptions, .listSubscriptions,
      .listZones, .lookupZones, .queryRecords, .createUploads, .rereferenceAssets, .fetchUsers, .resolveShares,
      .acceptShares:
      "something else"
    }
  }

  /// A cloud in which all is well, and nothing new.
  private func answer(_ request: CloudRequest) -> CloudResponse? {
    switch request {
    case .fetchZoneChanges(let queries): .zoneChanges(queries.map { .changes(Sample.page([], of: $0.zoneID)) })
    case .modifyRecords(let modify):
      .records(
        modify.operations.map {
          .record(Sample.record($0.recordName ?? "", Sample.content($0.recordName?.text ?? ""), tag: "2", by: "me"))
        })
    case .modifyZones: .zones([.zone(Zone(zoneID: Sample.zone, token: nil, isAtomic: true))])
    case .fetchDatabaseChanges:
      .databaseChanges(DatabaseChanges(zones: [], token: ChangeToken("d1"), moreComing: false))
    case .createPushToken, .registerPushToken, .lookupSubscriptions, .modifySubscriptions, .listSubscriptions,
      .listZones, .lookupZones, .lookupRecords, .queryRecords, .createUploads, .rereferenceAssets, .fetchUsers,
      .resolveShares, .acceptShares:
      nil
    }
  }

  private func save(_ name: Name) throws -> RecordEdit {
    let fields = try Sample.content(name.text).fields.decoded()
    return .save(Sample.id(name), type: "Item", fields: fields, parent: nil, stamping: .asGiven)
  }

  @Test func `reads the app's zones, and prepares no pushes`() throws {
    var cloud = try ScriptedCloud(Self.configuration)
    try cloud.launch(answer)
    #expect(cloud.requests.map(word) == ["read Z since the beginning, ConflictJournal since the beginning"])
    #expect(cloud.facts.last == .syncFinished([.launch], records: 0, pages: 2))
    cloud.forget()
    cloud.sync(.foreground, answer)
    #expect(cloud.requests.map(word) == ["read Z since t1, ConflictJournal since t1"])
  }

  @Test func `for a push reads the zone that it names`() throws {
    var cloud = try ScriptedCloud(Self.configuration)
    try cloud.launch(answer)
    cloud.forget()
    var push = PushNotification(notificationID: "1")
    push.zoneID = Sample.zone
    cloud.push(push, answer)
    #expect(cloud.requests.map(word) == ["read Z since t1"])
    cloud.forget()
    cloud.push(PushNotification(notificationID: "2"), answer)
    #expect(cloud.requests.map(word) == ["read Z since t1, ConflictJournal since t1"])
  }

  @Test func `for the pushes of two zones reads both, and the next sync for a push only its own`() throws {
    var cloud = try ScriptedCloud(Self.configuration)
    try cloud.launch(answer)
    cloud.forget()
    let pushes = [Sample.journal, Sample.zone].enumerated().map { index, zoneID in
      var push = PushNotification(notificationID: "\(index)")
      push.zoneID = zoneID
      return push
    }
    cloud.push(pushes, answer)
    #expect(cloud.requests.map(word) == ["read Z since t1, ConflictJournal since t1"])
    cloud.forget()
    var last = PushNotification(notificationID: "last")
    last.zoneID = Sample.journal
    cloud.push(last, answer)
    #expect(cloud.requests.map(word) == ["read ConflictJournal since t1"])
  }

  @Test func `after a failed sync for a push reads all zones`() throws {
    var cloud = try ScriptedCloud(Self.configuration)
    try cloud.launch(answer)
    cloud.forget()
    var push = PushNotification(notificationID: "1")
    push.zoneID = Sample.zone
    cloud.push(push) { _ in .failure(CloudError(.networkFailure, "no")) }
    cloud.forget()
    cloud.tick(answer)
    #expect(cloud.requests.map(word) == ["read Z since t1, ConflictJournal since t1"])
  }

  @Test func `creates a zone that is nowhere when something is sent to it`() throws {
    var cloud = try ScriptedCloud(Self.configuration)
    var isThere = false
    func withoutZone(_ request: CloudRequest) -> CloudResponse? {
      let missing = CloudError(.zoneNotFound, "no")
      switch request {
      case .fetchZoneChanges(let queries) where !isThere:
        return .zoneChanges(queries.map { .failed($0.zoneID, missing) })
      case .modifyRecords where !isThere: return .failure(missing)
      case .modifyZones:
        isThere = true
        return answer(request)
      default: return answer(request)
      }
    }
    try cloud.launch(withoutZone)
    #expect(cloud.requests.map(word) == ["read Z since the beginning, ConflictJournal since the beginning"])
    #expect(cloud.facts.last == .syncFinished([.launch], records: 0, pages: 0))
    cloud.forget()
    try cloud.edit([save("A")], withoutZone)
    #expect(cloud.requests.map(word) == ["send A", "make zone", "send A"])
  }

  @Test func `offers everything again where the cloud lost a zone`() throws {
    var cloud = try ScriptedCloud(Self.configuration)
    try cloud.launch(answer)
    try cloud.edit([save("A")], answer)
    cloud.forget()
    var isThere = false
    cloud.sync(.foreground) { request in
      switch request {
      case .fetchZoneChanges(let queries) where !isThere:
        return .zoneChanges(
          queries.map {
            $0.zoneID == Sample.zone
              ? .failed($0.zoneID, CloudError(.zoneNotFound, "no")) : .changes(Sample.page([], of: $0.zoneID))
          })
      case .modifyZones:
        isThere = true
        return answer(request)
      default: return answer(request)
      }
    }
    #expect(cloud.facts.contains(.zoneLost(Sample.zone, records: 1)))
    #expect(cloud.requests.map(word).suffix(2) == ["make zone", "send A"])
  }

  // MARK: Leaving the foreground, and an old version

  @Test(arguments: [false, true])
  func `sends what waits when the app leaves the foreground, if the app wants it, and reads nothing`(
    isWanted: Bool
  ) throws {
    var configuration = Self.configuration
    configuration.pacing.localChangesFetch = true
    configuration.pacing.sendsInBackground = isWanted
    configuration.pacing.paces = [.localChange: Pace(quiet: 5_000, limit: 30_000)]
    var cloud = try ScriptedCloud(configuration)
    try cloud.launch(answer)
    cloud.forget()
    cloud.leave(answer)
    try cloud.edit([save("A")], answer)
    #expect(cloud.requests == [])
    cloud.leave(answer)
    #expect(cloud.requests.map(word) == (isWanted ? ["send A"] : []))
    #expect(cloud.facts.contains(.syncFinished([.background, .localChange], records: 0, pages: 0)) == isWanted)
    cloud.leave(answer)
    #expect(cloud.requests.count == (isWanted ? 1 : 0))
  }

  @Test func `waits for the user where the cloud refuses the version of the app`() throws {
    var cloud = try ScriptedCloud(Self.configuration)
    let old = CloudError(.incompatibleVersion, "the schema is 1, the cloud's is 2")
    try cloud.launch { _ in .failure(old) }
    #expect(cloud.facts.contains(.syncFailed([.launch], old, retryIn: nil)))
    #expect(!cloud.facts.contains(.signedOut(old)) && cloud.coordinator.liveState != .signedOut)
    let count = cloud.requests.count
    cloud.sync(.foreground, answer)
    try cloud.edit([save("A")], answer)
    #expect(cloud.requests.count == count)
    cloud.sync(.manual, answer)
    #expect(cloud.requests.map(word).last == "send A")
  }

  // MARK: Sending first

  private static var sendingFirst: CoordinatorConfiguration {
    var configuration = Self.configuration
    configuration.pacing.order = .sendFirst
    configuration.pacing.localChangesFetch = true
    return configuration
  }

  @Test func `sends before it reads, also for a local change`() throws {
    var cloud = try ScriptedCloud(Self.sendingFirst)
    try cloud.launch(answer)
    cloud.forget()
    try cloud.edit([save("A")], answer)
    #expect(cloud.requests.map(word) == ["send A", "read Z since t1, ConflictJournal since t1"])
    #expect(cloud.facts.contains(.syncFinished([.localChange], records: 0, pages: 2)))
  }

  @Test func `reads before it sends where that order is not set`() throws {
    var configuration = Self.configuration
    configuration.pacing.localChangesFetch = true
    var cloud = try ScriptedCloud(configuration)
    try cloud.launch(answer)
    cloud.forget()
    try cloud.edit([save("A")], answer)
    #expect(cloud.requests.map(word) == ["read Z since t1, ConflictJournal since t1", "send A"])
  }

  @Test func `sends at the end what reading left to send`() throws {
    var cloud = try ScriptedCloud(Self.sendingFirst)
    try cloud.launch(answer)
    // The answer to the first attempt is lost, so another device may have deleted the record since.
    try cloud.edit([save("A")]) { request in
      if case .modifyRecords = request { return .failure(CloudError(.serverResponseLost, "no")) }
      return answer(request)
    }
    cloud.forget()
    cloud.sync(.manual, answer)
    #expect(cloud.requests.map(word) == ["read Z since t1, ConflictJournal since t1", "send A"])
  }

  @Test func `repeats at once what a cloud that decides may have got already`() throws {
    var configuration = Self.sendingFirst
    configuration.traits.arbiter = .cloud
    var cloud = try ScriptedCloud(configuration)
    try cloud.launch(answer)
    try cloud.edit([save("A")]) { request in
      if case .modifyRecords = request { return .failure(CloudError(.serverResponseLost, "no")) }
      return answer(request)
    }
    cloud.forget()
    cloud.sync(.manual, answer)
    #expect(cloud.requests.map(word) == ["send A", "read Z since t1, ConflictJournal since t1"])
  }

  @Test func `creates a purged zone for what is written after the device has learned of the purge`() throws {
    var configuration = Sample.configuration
    configuration.pushes.subscriptionID = nil
    var cloud = try ScriptedCloud(configuration)
    try cloud.launch(answer)
    var isPurged = true
    let purging: (CloudRequest) -> CloudResponse? = { request in
      switch request {
      case .modifyRecords where isPurged: return .failure(CloudError(.userDeletedZone, "no"))
      case .modifyZones: isPurged = false
      default: break
      }
      return answer(request)
    }
    cloud.forget()
    try cloud.edit([save("A")], purging)
    #expect(cloud.requests.map(word) == ["send A", "make zone", "send A"])
    #expect(!cloud.facts.contains(.zoneRemoved(Sample.zone, discarded: 1, isPurge: true)))
  }

  @Test func `asks the database's feed why a zone is missing before it sends again`() throws {
    var configuration = Sample.configuration
    configuration.pushes.subscriptionID = nil
    configuration.pacing.order = .sendFirst
    var cloud = try ScriptedCloud(configuration)
    try cloud.launch(answer)
    try cloud.edit([save("A")], answer)
    cloud.forget()
    try cloud.edit([save("B")]) { request in
      switch request {
      case .modifyRecords: .failure(CloudError(.zoneNotFound, "no"))
      case .fetchDatabaseChanges:
        .databaseChanges(
          DatabaseChanges(
            zones: [.deleted(Sample.zone, ZoneEnding(.deleted))], token: ChangeToken("d2"), moreComing: false))
      default: answer(request)
      }
    }
    #expect(cloud.requests.map(word) == ["send B", "database"])
    #expect(cloud.facts.contains(.zoneRemoved(Sample.zone, discarded: 1, isPurge: false)))
  }
}
