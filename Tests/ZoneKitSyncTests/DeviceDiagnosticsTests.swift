import ZoneKitRecords
import ZoneKitMemoryStores
import ZoneKitSync
import Testing

@Suite struct DeviceDiagnosticsTests {
  private let now = WallTime(milliseconds: 1_000_000)
  private let zone = ZoneID(zoneName: "Notes")
  private let journal = ZoneID(zoneName: "ConflictJournal")

  private func store(_ transition: DeviceTransition) throws -> MemoryDeviceStore {
    var store = MemoryDeviceStore()
    try store.commit(transition)
    return store
  }

  private func record(
    _ name: Name, type: Name = "Note", in zone: ZoneID? = nil, pendingSince: Int64? = nil, quarantine: Quarantine? = nil
  ) -> LocalRecord {
    LocalRecord(
      recordID: RecordID(recordName: name, zoneID: zone ?? self.zone), recordType: type,
      local: RecordContent(fields: .empty), pendingSince: pendingSince.map { WallTime(milliseconds: $0) },
      quarantine: quarantine)
  }

  private func diagnostics(_ transition: DeviceTransition, state: LiveState? = nil) throws -> DeviceDiagnostics {
    try DeviceDiagnostics(of: try store(transition), name: "A", state: state, at: now)
  }

  @Test func `an empty store is signed out and has nothing to tell`() throws {
    let found = try diagnostics(DeviceTransition())
    #expect(found.state == .notRunning)
    #expect(found.user == nil)
    #expect(found.push.received == 0 && !found.push.drought && found.push.lastReceivedAt == nil)
    #expect(found.fetch.tokenAge == nil)
    #expect(found.subscription.state == .unknown && found.subscription.origin == nil)
    #expect(found.counts.isEmpty && found.conflicts.last.isEmpty && found.traces.isEmpty)
  }

  @Test func `a stopped device is not running, and a running one reports its state`() throws {
    let signedIn = DeviceTransition(values: [ValueChange(.account, .text("nanny"))])
    #expect(try diagnostics(signedIn).state == .notRunning)
    #expect(try diagnostics(signedIn, state: .debouncing).state == .debouncing)
    #expect(try diagnostics(signedIn).user == "nanny")
  }

  @Test func `values are found under their names`() throws {
    let found = try diagnostics(
      DeviceTransition(values: [
        ValueChange(.pushReceived, .integer(3)), ValueChange(.pushDuplicates, .integer(1)),
        ValueChange(.pushUnknownSubscription, .integer(2)), ValueChange(.pushWithoutID, .integer(4)),
        ValueChange(.pushOtherAccount, .integer(5)), ValueChange(.pushLastReceivedAt, .integer(11)),
        ValueChange(.pushLastSentAt, .integer(10)), ValueChange(.pushLastHandledAt, .integer(12)),
        ValueChange(.pushLastLedToChangeAt, .integer(13)), ValueChange(.pushLastNotificationID, .text("N")),
        ValueChange(.pushDrought, .integer(1)), ValueChange(.clockOffset, .integer(-7)),
        ValueChange(.databaseToken, .text("t")), ValueChange(.databaseTokenAt, .integer(999_400)),
        ValueChange(.subscriptionState, .text("active")), ValueChange(.subscriptionOrigin, .text("found")),
        ValueChange(.stormRecord, .text("R")), ValueChange(.retryAfter, .integer(14)),
      ]))
    let push = found.push
    let times = [push.lastSentAt, push.lastReceivedAt, push.lastHandledAt, push.lastLedToChangeAt]
    #expect(times == (10...13).map { WallTime(milliseconds: $0) })
    #expect([push.received, push.duplicates, push.unknownSubscription, push.withoutID] == [3, 1, 2, 4])
    #expect(push.otherAccount == 5 && push.drought && push.lastNotificationID == "N")
    #expect(found.fetch.tokenAge == 600)
    #expect(found.clockOffset == -7)
    #expect(found.subscription.state == .active && found.subscription.origin == .found)
    #expect(found.conflicts.storm == "R")
    #expect(found.send.retryAfter == WallTime(milliseconds: 14))
  }

  @Test func `a token that was dropped has no age`() throws {
    #expect(
      try diagnostics(DeviceTransition(values: [ValueChange(.databaseTokenAt, .integer(1))])).fetch.tokenAge == nil)
  }

  @Test func `records are counted by type over all zones but the journal's`() throws {
    let found = try diagnostics(
      DeviceTransition(records: [
        record("1"), record("2", in: ZoneID(zoneName: "Other")), record("3", type: "Album"),
        record("4", type: "Conflict", in: journal),
      ]))
    #expect(found.counts.map(\.recordType) == ["Album", "Note"])
    #expect(found.counts.map(\.count) == [1, 2])
  }

  @Test func `pending and quarantined records are reported`() throws {
    let found = try diagnostics(
      DeviceTransition(records: [
        record("1", pendingSince: 30), record("2", pendingSince: 20, quarantine: .refused("too large")), record("3"),
      ]))
    #expect(found.send.pending == 2)
    #expect(found.send.oldestPendingAt == WallTime(milliseconds: 20))
    #expect(found.send.quarantined.map(\.recordID.recordName) == ["2"])
    #expect(found.send.quarantined.map(\.reason) == ["too large"])
  }

  @Test(arguments: [20, 21])
  func `the newest conflicts come first, twenty at most`(count: Int) throws {
    var transition = DeviceTransition()
    transition.conflicts = (1...count).map { number in
      ConflictEntry(
        id: "\(number)", recordID: RecordID(recordName: "R", zoneID: zone), recordType: "Note", at: now, winner: .local,
        rule: "updatedAt", local: nil, server: nil, serverDeviceID: nil, decidedBy: "A")
    }
    let found = try diagnostics(transition).conflicts.last
    #expect(found.map(\.id) == (1...count).reversed().prefix(20).map { "\($0)" })
  }

  // MARK: The live state

  private struct Rig {
    var coordinator: SyncCoordinator<MemoryDeviceStore>
    var generator = SplitMix64(seed: 1)

    init(subscriptionID: String?) throws {
      var configuration = CoordinatorConfiguration(
        mergePolicy: MergePolicy { _ in Resolution(.adoptServer, rule: "test") })
      configuration.pushes.subscriptionID = subscriptionID
      coordinator = try SyncCoordinator(store: MemoryDeviceStore(), configuration: configuration)
    }

    func moment(_ time: Int64) -> Moment {
      Moment(wall: WallTime(milliseconds: time), monotonic: MonotonicTime(milliseconds: time))
    }

    mutating func launch(_ account: Name? = "nanny") throws -> [Effect] {
      try coordinator.launch(account: account, at: moment(0), using: &generator)
    }

    /// Answers the request under way.
    mutating func answer(_ effects: [Effect], _ answer: Result<CloudResponse, CloudError>) throws -> [Effect] {
      let ids = effects.compactMap { effect -> RequestID? in
        if case .send(let id, _) = effect { id } else { nil }
      }
      return coordinator.received(try #require(ids.first), answer, at: moment(1), using: &generator)
    }
  }

  @Test func `a coordinator reports that no account is signed in`() throws {
    var rig = try Rig(subscriptionID: nil)
    #expect(rig.coordinator.liveState == .signedOut)
    _ = try rig.launch(nil)
    #expect(rig.coordinator.liveState == .signedOut)
  }

  @Test func `a coordinator fetches after the launch, backs off when that fails, and is offline without a link`() throws
  {
    var rig = try Rig(subscriptionID: nil)
    let effects = try rig.launch()
    #expect(rig.coordinator.liveState == .fetching)
    _ = try rig.answer(effects, .failure(CloudError(.networkFailure, "the cable is out")))
    #expect(rig.coordinator.liveState == .backingOff)
    _ = rig.coordinator.linkChanged(isOnline: false, at: rig.moment(2), using: &rig.generator)
    #expect(rig.coordinator.liveState == .offline)
  }

  @Test func `a refused account counts as signed out`() throws {
    var rig = try Rig(subscriptionID: nil)
    let effects = try rig.launch()
    _ = try rig.answer(effects, .failure(CloudError(.notAuthenticated, "who are you?")))
    #expect(rig.coordinator.liveState == .signedOut)
  }

  @Test func `a coordinator without work is idle, and a requested sync waits for further requests`() throws {
    var rig = try Rig(subscriptionID: nil)
    let effects = try rig.launch()
    let changes = DatabaseChanges(zones: [], token: ChangeToken("t"), moreComing: false)
    _ = try rig.answer(effects, .success(.databaseChanges(changes)))
    #expect(rig.coordinator.liveState == .idle)
    _ = rig.coordinator.requestSyncIfNeeded(reason: .push, at: rig.moment(2), using: &rig.generator)
    #expect(rig.coordinator.liveState == .debouncing)
    #expect(try rig.coordinator.diagnostics(name: "A", at: now).state == .debouncing)
  }
}
