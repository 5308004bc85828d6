import Testing
import ZoneKitRecords
import ZoneKitMemoryStores

@testable import ZoneKitSync

/// A request that fails holds back only what needs it: other zones are read, and edits are sent.
struct FailingFetchTests {
  private static let other = ZoneID(zoneName: "Other")
  private static let foreign = ZoneID(zoneName: "Foreign", owner: .user("_nobody"))

  /// A cloud with zones `Z` and `Other` that takes all saves. `refusal` is the error of a request; nil if it succeeds.
  private struct Cloud {
    var zones = [Sample.zone, FailingFetchTests.other]
    var device = ""
    var refusal: (CloudRequest) -> CloudError? = { _ in nil }
    var zoneRefusal: (ZoneID) -> CloudError? = { _ in nil }

    func answer(_ request: CloudRequest) -> CloudResponse? {
      if let error = refusal(request) { return .failure(error) }
      let subscription = Subscription(
        subscriptionID: "zonekit-database-changes", kind: .database, notificationInfo: .silent)
      switch request {
      case .createPushToken(let environment): return .pushToken(environment: environment, token: "t")
      case .registerPushToken(let registration): return .pushToken(environment: registration.environment, token: "t")
      case .lookupSubscriptions, .listSubscriptions, .modifySubscriptions:
        return .subscriptions([.subscription(subscription)])
      case .fetchDatabaseChanges:
        let listed = zones.map { ChangedZone.changed($0, token: ChangeToken("z")) }
        return .databaseChanges(DatabaseChanges(zones: listed, token: ChangeToken("d1"), moreComing: false))
      case .fetchZoneChanges(let queries):
        return .zoneChanges(
          queries.map { query in
            zoneRefusal(query.zoneID).map { .failed(query.zoneID, $0) } ?? .changes(Sample.page([], of: query.zoneID))
          })
      case .modifyRecords(let modify):
        return .records(
          modify.operations.map { .record(Sample.record($0.recordName ?? "", Sample.content("x"), by: device)) })
      case .modifyZones, .lookupRecords, .queryRecords, .createUploads, .rereferenceAssets, .listZones, .lookupZones,
        .fetchUsers, .resolveShares, .acceptShares:
        return nil
      }
    }
  }

  private func save(_ name: Name, in zoneID: ZoneID = Sample.zone) -> RecordEdit {
    var fields = Fields()
    fields["text"] = .string("x")
    return .save(Sample.id(name, in: zoneID), type: "Item", fields: fields, parent: nil, stamping: .asGiven)
  }

  private func sent(_ device: ScriptedCloud) -> [Name] {
    device.requests.flatMap { request -> [Name] in
      if case .modifyRecords(let modify) = request { modify.operations.compactMap(\.recordName) } else { [] }
    }
  }

  /// A device that has read all feeds.
  private func device() throws -> (ScriptedCloud, Cloud) {
    var device = try ScriptedCloud(Sample.configuration)
    let cloud = Cloud()
    try device.launch(cloud.answer)
    device.forget()
    return (device, cloud)
  }

  @Test(arguments: [CloudErrorCode.invalidArguments, .changeTokenExpired])
  func `a token of the database that the cloud cannot use is removed once`(code: CloudErrorCode) throws {
    var (device, cloud) = try device()
    cloud.refusal = { request in
      guard case .fetchDatabaseChanges(.some, _) = request else { return nil }
      return CloudError(code, "Unknown sync continuation type")
    }
    device.sync(.foreground, cloud.answer)
    #expect(device.facts.contains(.tokenExpired(nil)))
    #expect(device.facts.contains { if case .syncFinished = $0 { true } else { false } })
    #expect(device.coordinator.ledger.databaseToken == ChangeToken("d1"))
  }

  @Test func `a cloud that cannot use any token of the database is asked a few times, and edits are sent`() throws {
    var (device, cloud) = try device()
    cloud.refusal = { request in
      guard case .fetchDatabaseChanges = request else { return nil }
      return CloudError(.invalidArguments, "Unknown sync continuation type")
    }
    try device.edit([save("A")], cloud.answer)
    device.sync(.foreground, cloud.answer)
    try device.edit([save("B")], cloud.answer)
    #expect(sent(device) == ["A", "B"])
    #expect(device.requests.count { if case .fetchDatabaseChanges = $0 { true } else { false } } <= 4)
  }

  @Test func `an account that the cloud refuses while the disk is full is reported when the disk has room`() throws {
    var (device, cloud) = try device()
    cloud.refusal = { _ in CloudError(.notAuthenticated, "the session is over") }
    device.coordinator.store.isFull = true
    device.sync(.foreground, cloud.answer)
    #expect(!device.facts.contains { if case .signedOut = $0 { true } else { false } })
    device.coordinator.store.isFull = false
    device.tick(cloud.answer)
    #expect(device.facts.contains { if case .signedOut = $0 { true } else { false } })
    #expect(device.coordinator.nextDeadline == nil)
  }

  @Test func `a token of a zone that the cloud cannot use is removed once`() throws {
    var (device, cloud) = try device()
    cloud.refusal = { request in
      guard case .fetchZoneChanges(let queries) = request else { return nil }
      return queries.contains { $0.zoneID == Sample.zone && $0.token != nil }
        ? CloudError(.invalidArguments, "Unknown sync continuation type") : nil
    }
    device.sync(.foreground, cloud.answer)
    #expect(device.facts.contains(.tokenExpired(Sample.zone)))
    #expect(!device.facts.contains(.tokenExpired(Self.other)))
    #expect(device.facts.contains { if case .syncFinished = $0 { true } else { false } })
  }

  @Test(
    arguments: [CloudErrorCode.internalError, .zoneNotFound, .permissionFailure, .invalidArguments], [false, true])
  func `a zone of an unknown owner does not hold back the others`(code: CloudErrorCode, isWhole: Bool) throws {
    var (device, cloud) = try device()
    cloud.zones.append(Self.foreign)
    let error = CloudError(code, "no such owner")
    if isWhole {
      cloud.refusal = { request in
        guard case .fetchZoneChanges(let queries) = request else { return nil }
        return queries.contains { $0.zoneID == Self.foreign } ? error : nil
      }
    } else {
      cloud.zoneRefusal = { $0 == Self.foreign ? error : nil }
    }
    device.sync(.foreground, cloud.answer)
    for zone in [Sample.zone, Self.other] {
      #expect(device.facts.contains(.pageMerged(zone, records: 0, moreComing: false)))
    }
    try device.edit([save("A"), save("B", in: Self.other)], cloud.answer)
    #expect(sent(device) == ["A", "B"])
    device.forget()
    device.sync(.push, cloud.answer)
    #expect(device.requests.count < 40)
  }

  @Test(arguments: [CloudErrorCode.internalError, .serviceUnavailable, .serverResponseLost, .permissionFailure])
  func `edits are sent while the database's feed fails`(code: CloudErrorCode) throws {
    var (device, cloud) = try device()
    cloud.refusal = { request in
      if case .fetchDatabaseChanges = request { CloudError(code, "no") } else { nil }
    }
    device.sync(.foreground, cloud.answer)
    for name: Name in ["A", "B", "C"] { try device.edit([save(name)], cloud.answer) }
    #expect(sent(device) == ["A", "B", "C"])
    #expect(device.requests.count { if case .fetchDatabaseChanges = $0 { true } else { false } } <= 4)
    cloud.refusal = { _ in nil }
    device.sync(.manual, cloud.answer)
    #expect(device.coordinator.isIdle)
    #expect(
      device.facts.contains {
        if case .syncFinished(let reasons, _, _) = $0 { reasons.contains(.manual) } else { false }
      })
  }

  @Test(arguments: [CloudErrorCode.internalError, .serviceUnavailable, .serverResponseLost, .permissionFailure])
  func `a missing zone is not created again while the database's feed fails`(code: CloudErrorCode) throws {
    var (device, cloud) = try device()
    cloud.refusal = { request in
      switch request {
      case .modifyRecords: CloudError(.zoneNotFound, "no such zone")
      case .fetchDatabaseChanges: CloudError(code, "no")
      default: nil
      }
    }
    for name: Name in ["A", "B"] { try device.edit([save(name)], cloud.answer) }
    #expect(!device.requests.contains { if case .modifyZones = $0 { true } else { false } })
    #expect(!device.facts.contains { if case .zoneLost = $0 { true } else { false } })
    #expect(try device.coordinator.store.record(Sample.id("A"))?.isPending == true)
    cloud.refusal = { _ in nil }
    device.forget()
    device.sync(.manual, cloud.answer)
    #expect(Set(sent(device)) == ["A", "B"])
  }

  @Test(arguments: [CloudErrorCode.internalError, .serviceUnavailable])
  func `edits are sent and feeds are read while the push token cannot be registered`(code: CloudErrorCode) throws {
    var device = try ScriptedCloud(Sample.configuration)
    var cloud = Cloud()
    cloud.refusal = { request in
      if case .createPushToken = request { CloudError(code, "no") } else { nil }
    }
    try device.launch(cloud.answer)
    try device.edit([save("A")], cloud.answer)
    #expect(sent(device) == ["A"])
    #expect(device.facts.contains(.pageMerged(Self.other, records: 0, moreComing: false)))
  }

  @Test func `the retry time of one zone applies to that zone only`() throws {
    var (device, cloud) = try device()
    let error = CloudError(.serviceUnavailable, "the zone's file is damaged", retryAfterMilliseconds: 60_000)
    cloud.zoneRefusal = { $0 == Sample.zone ? error : nil }
    device.sync(.foreground, cloud.answer)
    device.forget()
    try device.edit([save("B", in: Self.other)], cloud.answer)
    device.sync(.push, cloud.answer)
    #expect(sent(device) == ["B"])
    #expect(device.facts.contains(.pageMerged(Self.other, records: 0, moreComing: false)))
    #expect(
      !device.requests.contains {
        if case .fetchZoneChanges(let queries) = $0 { queries.contains { $0.zoneID == Sample.zone } } else { false }
      })
  }

  @Test func `a zone to which nothing can be sent does not hold back the others`() throws {
    var (device, cloud) = try device()
    cloud.refusal = { request in
      guard case .modifyRecords(let modify) = request, modify.zoneID == Sample.zone else { return nil }
      return CloudError(.zoneBusy, "busy", retryAfterMilliseconds: 60_000)
    }
    try device.edit([save("A"), save("B", in: Self.other)], cloud.answer)
    try device.edit([save("C", in: Self.other)], cloud.answer)
    #expect(sent(device) == ["A", "B", "C"])
  }

  @Test func `a new record that was sent without an answer is not sent again before the feeds were read`() throws {
    var (device, cloud) = try device()
    cloud.refusal = { request in
      if case .modifyRecords = request { CloudError(.serverResponseLost, "lost") } else { nil }
    }
    try device.edit([save("A")], cloud.answer)
    device.forget()
    cloud.refusal = { request in
      if case .fetchDatabaseChanges = request { CloudError(.internalError, "no") } else { nil }
    }
    device.sync(.manual, cloud.answer)
    try device.edit([save("B")], cloud.answer)
    #expect(sent(device) == ["B"])
    cloud.refusal = { _ in nil }
    device.forget()
    device.sync(.manual, cloud.answer)
    #expect(sent(device) == ["A"])
  }
}
