import Testing
import ZoneKitCloud
import ZoneKitRecords
import ZoneKitPush
import ZoneKitSimulator
import ZoneKitSync

/// Checkers that look at several devices, at the cloud, at pushes and at diagnostics.
struct WorldCheckerTests {
  private func entry(_ event: LogEvent, on name: String = "A", at milliseconds: Int64 = 0) -> LogEntry {
    var device = DeviceSnapshot(name: name)
    device.deviceID = "device-\(name)"
    device.account = "nanny"
    let wall = WallTime(milliseconds: 1_800_000_000_000 + milliseconds)
    return LogEntry(event, on: device, at: Moment(wall: wall, monotonic: MonotonicTime(milliseconds: milliseconds)))
  }

  // MARK: Pushes and diagnostics

  @Test func `a push is taken for a new one once`() {
    var log = LogFeed(PushDuplicateChecker())
    #expect(log.add(.fact(.pushReceived(notificationID: "n1"))) == nil)
    #expect(log.add(.fact(.pushReceived(notificationID: nil))) == nil)
    #expect(log.add(.fact(.pushReceived(notificationID: nil))) == nil)
    #expect(log.add(.fact(.pushReceived(notificationID: "n1"))) == .repeatedPush)
    log.add(.clockSet)
    #expect(log.add(.fact(.pushReceived(notificationID: "n1"))) == nil)
  }

  @Test func `the diagnostics say which push came last`() throws {
    var log = LogFeed(DiagnosticsChecker())
    let push = PushNotification(subject: .database, notificationID: "n1")
    try log.keep(.pushReceived, .integer(1))
    try log.keep(.pushLastReceivedAt, .integer(log.wall.milliseconds))
    #expect(log.add(.pushHanded(push, countBefore: 0)) == .diagnostics)
    try log.keep(.pushLastNotificationID, .text("n1"))
    #expect(log.add(.pushHanded(push, countBefore: 0)) == nil)
    #expect(log.add(.pushHanded(push, countBefore: 1)) == .diagnostics)
  }

  @Test func `the diagnostics say when the last fetch was and what it brought`() throws {
    var log = LogFeed(DiagnosticsChecker())
    log.begin([.push])
    try log.keep(.fetchLastStartedAt, .integer(log.wall.milliseconds))
    log.wait(100)
    let end = DeviceValue.integer(log.wall.milliseconds)
    for (key, value) in [
      (DeviceKey.fetchLastFinishedAt, end), (.fetchLastSucceededAt, end), (.fetchLastReason, .text("push")),
      (.fetchLastResult, .text("ok")), (.fetchRecords, .integer(0)),
    ] { try log.keep(key, value) }
    #expect(log.finish([.push]) == .diagnostics)
    try log.keep(.fetchPages, .integer(0))
    #expect(log.finish([.push]) == nil)
    #expect(log.finish([.localChange]) == nil)
  }

  @Test func `a device takes the cloud's clock from the last answer to a save`() throws {
    var log = LogFeed(ClockOffsetChecker(ItemsApp.app.configuration))
    var record = Sample.waiting(Sample.content("a"))
    let saved = Authorship(at: log.wall.advanced(byMilliseconds: 3_600_000), author: Author(userRecordName: "_nanny"))
    record.server = ServerVersion(content: Sample.content("a"), changeTag: ChangeTag("1"), modified: saved)
    try log.keep(record)
    #expect(log.add(.fact(.recordSent(Sample.id, ChangeTag("1")))) == .diagnostics)
    try log.keep(.clockOffset, .integer(3_600_000))
    #expect(log.add(.fact(.recordSent(Sample.id, ChangeTag("1")))) == nil)
  }

  // MARK: Identity and decisions

  @Test func `a device takes a new ID only if it may be a copy`() {
    let noticed = LogEvent.fact(.cloneDetected(Sample.id, newDeviceID: "other"))
    var checker = IdentityChecker()
    #expect(checker.take(entry(noticed))?.rule == .identity)
    checker.isMadeAnew(Sample.id)
    #expect(checker.take(entry(noticed)) == nil)
    checker = IdentityChecker()
    _ = checker.take(entry(.diskReplaced, on: "B"))
    #expect(checker.take(entry(noticed)) == nil)
  }

  private func decision(_ winner: ConflictEntry.Winner, server: RecordContent? = Sample.content("b")) -> ConflictEntry {
    ConflictEntry(
      id: "c1", recordID: Sample.id, recordType: "Item", at: WallTime(milliseconds: 1), winner: winner,
      rule: "updatedAt",
      local: Sample.content("a"), server: server, serverDeviceID: "device-B", decidedBy: "device-A")
  }

  @Test func `the app judges decisions`() {
    var checker = DecisionChecker { $0.winner == .server ? "the other one is newer" : nil }
    let model = ReferenceModel(stampField: nil)
    #expect(checker.take(entry(.fact(.conflict(decision(.local)))), model) == [])
    #expect(
      checker.take(entry(.fact(.conflict(decision(.server)))), model) == [Finding(.decision, "the other one is newer")])
  }

  @Test func `both devices journal the same decision, each from its side`() {
    let model = ReferenceModel(stampField: nil)
    for (seen, count) in [(ConflictEntry.Winner.server, 0), (.local, 1)] {
      var checker = DecisionChecker { _ in nil }
      _ = checker.take(entry(.fact(.conflict(decision(.local)))), model)
      #expect(checker.take(entry(.fact(.conflict(decision(seen))), on: "B"), model).count == count)
    }
  }

  @Test func `a conflict with a deletion needs one`() {
    let key = RecordKey(account: "nanny", id: Sample.id)
    var model = ReferenceModel(stampField: nil)
    var checker = DecisionChecker { _ in nil }
    model.edited(key, from: nil, to: Sample.content("a"), by: 0)
    #expect(checker.take(entry(.fact(.conflict(decision(.local, server: nil)))), model).map(\.rule) == [.decision])
    model.edited(key, from: Sample.content("a"), to: nil, by: 1)
    #expect(checker.take(entry(.fact(.conflict(decision(.local, server: nil)))), model) == [])
  }

  @Test func `a value that the cloud wrote first is not missed after a user replaced it`() {
    let key = RecordKey(account: "nanny", id: Sample.id)
    for (isReplaced, count) in [(true, 0), (false, 1)] {
      var model = ReferenceModel(stampField: nil)
      // The cloud made the record with the value a.
      let seen = isReplaced ? "a" : "x"
      model.edited(key, from: Sample.content(seen), to: Sample.content("b"), by: 0)
      model.edited(key, from: nil, to: Sample.content("a"), by: 1)
      let complaint = model.complaint(about: key, final: Sample.content("b"), journal: [], refused: [])
      #expect([complaint].compactMap { $0?.0 } == Array(repeating: .lostEdit, count: count))
    }
  }

  @Test func `a device forgets the decisions that it took with its account`() {
    var checker = DecisionChecker { _ in nil }
    _ = checker.take(entry(.fact(.conflict(decision(.local)))), ReferenceModel(stampField: nil))
    #expect(checker.taken["A"] == ["c1": "nanny"])
    _ = checker.take(
      entry(.fact(.accountChanged(from: "nanny", to: nil, discarded: 0))), ReferenceModel(stampField: nil))
    #expect(checker.taken["A"] == nil)
  }

  @Test func `a record that went with its zone does not come back as it was`() {
    let key = RecordKey(account: "nanny", id: Sample.id)
    let by = Authorship(at: WallTime(milliseconds: 1), author: Author(userRecordName: "_nanny"))
    let record = Record(
      recordName: "i1", recordType: "Item", fields: Sample.content("a").fields, changeTag: ChangeTag("1"),
      created: by, modified: by)
    var checker = ReturnedRecordChecker()
    checker.zoneGoes(Sample.zone, with: [record], of: "nanny", waiting: [])
    #expect(checker.finding(key, Sample.content("a"))?.rule == .resurrection)
    #expect(checker.finding(key, Sample.content("b")) == nil)
    checker.take(
      entry(.edited([EditedRecord(Sample.id, from: nil, to: Sample.content("a"))], trueTime: WallTime(milliseconds: 1)))
    )
    #expect(checker.finding(key, Sample.content("a")) == nil)
    // What waits on a device is its user's own.
    checker.zoneGoes(Sample.zone, with: [record], of: "nanny", waiting: [Sample.id])
    #expect(checker.finding(key, Sample.content("a")) == nil)
  }

  // MARK: The cloud

  @Test func `an atomic batch that failed has written nothing`() {
    let failed = CloudResponse.atomicFailure([Sample.failed("i1", .invalidArguments)])
    #expect(AtomicBatchChecker.finding(answers: [failed, .records([])], transactions: 0, commits: [1]) == nil)
    #expect(
      AtomicBatchChecker.finding(answers: [failed, .records([])], transactions: 0, commits: [2])?.rule == .tornBatch)
    #expect(AtomicBatchChecker.finding(answers: [failed, .records([])], transactions: 1, commits: [2]) == nil)
    #expect(AtomicBatchChecker.finding(answers: [.records([])], transactions: 0, commits: [1]) == nil)
  }

  @Test func `no record refers to one that is not there`() {
    let zone = ZoneKey(database: World().database(of: "nanny"), zoneName: "Items")
    let broken = StoredReference(source: "i1", field: "bound", target: "i2", action: .validate)
    #expect(ReferenceChecker.finding(nil, in: zone) == nil)
    #expect(ReferenceChecker.finding(broken, in: zone)?.rule == .reference)
  }

  @Test func `every change notifies all subscriptions to the whole database`() {
    let database = World().database(of: "nanny")
    let all = Subscription(subscriptionID: "all", kind: .database, notificationInfo: .silent)
    let zone = Subscription(subscriptionID: "zone", kind: .zone(Sample.zone), notificationInfo: .silent)
    func notice(_ subscriptions: [Subscription]) -> Notice {
      Notice(
        database: database, zoneID: Sample.zone, notificationID: "n", originDeviceID: nil,
        committedAt: WallTime(milliseconds: 1), subscriptions: subscriptions)
    }
    #expect(NoticeChecker.finding(notice([all]), subscriptions: [all, zone]) == nil)
    #expect(NoticeChecker.finding(notice([zone]), subscriptions: [all, zone])?.rule == .subscription)
  }
}
