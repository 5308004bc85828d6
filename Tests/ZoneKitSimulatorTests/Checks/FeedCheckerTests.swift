import Testing
import ZoneKitCloud
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync

/// Checkers of how a device reads the feeds.
struct FeedCheckerTests {
  /// Tokens of one zone's feed, each behind a save more than the one before.
  private func tokens(_ count: Int) throws -> [ChangeToken] {
    var world = World()
    world.ask(.modifyZones([.create(Sample.zone)]), as: "nanny")
    return try (0..<count).map { number in
      let save = RecordOperation(.create, recordName: Name("r\(number)"), recordType: "Item")
      world.ask(
        .modifyRecords(ModifyRecords(zoneID: Sample.zone, operations: [save], isAtomic: false)), as: "nanny")
      guard case .zoneChanges(let results) = world.ask(Sample.zoneFetch, as: "nanny"),
        case .changes(let page)? = results.first
      else { throw StoreError(.failed, "no page", place: "test") }
      return page.token
    }
  }

  private func zone(_ token: ChangeToken?, isStale: Bool = false) -> ZoneState {
    ZoneState(zoneID: Sample.zone, token: token, isStale: isStale)
  }

  @Test func `a token never goes back unless it expired or the device was reset`() throws {
    let tokens = try tokens(2)
    var log = LogFeed(TokenOrderChecker())
    log.device.zones = [zone(tokens[1])]
    #expect(log.add(.settled) == nil)
    log.device.zones = [zone(tokens[0])]
    #expect(log.add(.settled) == .tokenWentBack)
    for event in [LogEvent.fact(.tokenExpired(Sample.zone)), .resetting, .diskReplaced] {
      log.device.zones = [zone(tokens[1])]
      #expect(log.add(.settled) == nil)
      log.add(event)
      log.device.zones = [zone(tokens[0])]
      #expect(log.add(.settled) == nil)
    }
  }

  @Test func `a record is hidden only while its zone is read`() {
    var log = LogFeed(HiddenRecordChecker())
    log.device.hiddenRecords = [Sample.id]
    log.device.zones = [zone(nil, isStale: true)]
    #expect(log.add(.settled) == nil)
    log.device.zones = [zone(nil)]
    #expect(log.add(.settled) == .view)
    log.device.isSyncing = true
    #expect(log.add(.settled) == nil)
  }

  private func listing(_ token: String) -> CloudResponse {
    .databaseChanges(
      DatabaseChanges(
        zones: [.changed(Sample.zone, token: ChangeToken("z"))], token: ChangeToken(token), moreComing: false))
  }

  private func page(_ token: String, moreComing: Bool = false) -> CloudResponse {
    let changes = ZoneChanges(
      zoneID: Sample.zone, page: RecordPage(), token: ChangeToken(token), moreComing: moreComing)
    return .zoneChanges([.changes(changes)])
  }

  @Test func `a zone that is listed as changed is read before the sync ends well`() {
    var log = LogFeed(ListedZoneChecker())
    log.start()
    log.begin([.push])
    log.send(Sample.databaseFetch)
    log.answer(listing("d1"))
    log.device.databaseToken = ChangeToken("d1")
    #expect(log.finish([.push]) == .requestMissing)
    log.answer(page("z1", moreComing: true))
    #expect(log.finish([.push]) == .requestMissing)
    log.answer(page("z2"))
    #expect(log.finish([.push]) == nil)
  }

  @Test func `a listed zone is remembered over a restart where the token of the list was kept`() {
    var log = LogFeed(ListedZoneChecker())
    log.start()
    log.begin([.push])
    log.send(Sample.databaseFetch)
    log.answer(listing("d1"))
    log.device.databaseToken = ChangeToken("d1")
    log.start()
    log.begin([.launch])
    log.send(.fetchDatabaseChanges(since: ChangeToken("d1"), limit: 10))
    #expect(log.finish([.launch]) == .requestMissing)
    // A disk that failed kept neither.
    log.add(.storeFailed)
    #expect(log.finish([.launch]) == nil)
  }

  @Test func `the token of the database's feed is kept`() {
    var log = LogFeed(ListedZoneChecker())
    log.start()
    log.begin([.push])
    log.send(Sample.databaseFetch)
    log.answer(listing("d1"))
    log.answer(page("z1"))
    #expect(log.finish([.push]) == .requestMissing)
    log.device.databaseToken = ChangeToken("d1")
    #expect(log.finish([.push]) == nil)
  }

  @Test func `the token of a zone's last page is kept`() {
    var log = LogFeed(KeptTokenChecker())
    log.begin([.push])
    log.answer(page("z1"))
    log.device.zones = [zone(ChangeToken("z0"))]
    #expect(log.finish([.push]) == .requestMissing)
    log.device.zones = [zone(ChangeToken("z1"))]
    #expect(log.finish([.push]) == nil)
    for fact in [.tokenExpired(Sample.zone), .zoneCreated(Sample.zone)] as [DeviceFact] {
      log.answer(page("z2"))
      log.add(.fact(fact))
      #expect(log.finish([.push]) == nil)
    }
  }

  @Test func `a zone is thrown away only where the feed lists it as deleted`() {
    let removal = LogEvent.fact(.zoneRemoved(Sample.zone, discarded: 0, isPurge: false))
    let deletion = CloudResponse.databaseChanges(
      DatabaseChanges(zones: [.deleted(Sample.zone, ZoneEnding(.deleted))], token: ChangeToken("d"), moreComing: false))
    var log = LogFeed(ZoneRemovalChecker(Sample.configuration()))
    #expect(log.add(removal) == .lostEdit)
    log.send(Sample.databaseFetch)
    log.answer(deletion)
    #expect(log.add(removal) == nil)
  }
}
