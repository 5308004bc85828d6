import Testing
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync

/// Checkers of what a device asks for, and when.
struct RequestCheckerTests {
  @Test func `requests within a minute are counted up to the limit`() {
    var log = LogFeed(RequestRateChecker(limit: 3))
    #expect(log.send(Sample.zoneFetch) == nil)
    log.wait(40_000)
    #expect(log.send(Sample.zoneFetch) == nil)
    log.wait(30_000)
    #expect(log.send(Sample.zoneFetch) == nil)
    #expect(log.send(Sample.zoneFetch) == .storm)
  }

  @Test func `a feed is asked only within a sync`() {
    var log = LogFeed(FeedReasonChecker())
    log.start()
    #expect(log.send(Sample.save("i1")) == nil)
    #expect(log.send(Sample.databaseFetch) == .fetchWithoutReason)
    #expect(log.begin([.push]) == nil)
    #expect(log.send(Sample.databaseFetch) == nil)
    log.finish([.push])
    #expect(log.send(Sample.zoneFetch) == .fetchWithoutReason)
    #expect(log.begin([]) == .fetchWithoutReason)
  }

  @Test func `a sync that has only edits to send asks the database's feed only after a refusal`() {
    var log = LogFeed(FeedReasonChecker())
    log.start()
    log.device.databaseToken = ChangeToken("token")
    log.begin([.launch])
    log.finish([.launch])
    log.begin([.localChange])
    #expect(log.send(Sample.databaseFetch) == .fetchWithoutReason)
    log.finish([.localChange])
    log.begin([.localChange])
    log.send(Sample.save("i1"))
    log.answer(.records([Sample.failed("i1", .serverRecordChanged)]))
    #expect(log.send(Sample.databaseFetch) == nil)
    // A sync behind one that failed asks for what it may have missed.
    log.add(.fact(.syncFailed([.localChange], CloudError(.networkFailure, "no"), retryIn: 2_000)))
    log.begin([.localChange])
    #expect(log.send(Sample.databaseFetch) == nil)
  }

  @Test func `nothing is asked while the app knows that there is no link`() {
    var log = LogFeed(OfflineRequestChecker())
    #expect(log.send(Sample.databaseFetch) == nil)
    log.device.isOnline = false
    #expect(log.send(Sample.databaseFetch) == .requestTooEarly)
  }

  @Test func `a page that was asked for ahead is not asked for again`() {
    var log = LogFeed(ReadAheadChecker())
    #expect(log.add(.sent(Sample.zoneFetch)) == nil)
    #expect(log.add(.settled) == nil)
    #expect(log.add(.sent(Sample.zoneFetch)) == nil)
    #expect(log.add(.sent(Sample.databaseFetch)) == nil)
    #expect(log.add(.sent(Sample.zoneFetch)) == .storm)
    // The next process asks for itself.
    #expect(log.add(.processStarting) == nil)
    #expect(log.add(.sent(Sample.zoneFetch)) == nil)
  }

  @Test func `a save that needs a missing record is not repeated before that one can be there`() throws {
    var child = Sample.content("a")
    var fields = try child.fields.decoded()
    fields["parent"] = .reference(Reference(recordName: "i2", action: .validate))
    child.fields = EncodedFields(fields)
    var log = LogFeed(RefusedSaveChecker())
    log.start()
    try log.keep(Sample.waiting(child))
    var parent = Sample.waiting(Sample.content("b"))
    (parent.recordID, parent.sent) = (RecordID(recordName: "i2", zoneID: Sample.zone), nil)
    try log.keep(parent)
    #expect(log.send(Sample.save("i1")) == nil)
    log.answer(.records([Sample.failed("i1", .referenceViolation)]))
    #expect(log.send(Sample.save("i1", "i2")) == nil)
    log.answer(.records([Sample.failed("i1", .referenceViolation), Sample.failed("i2", .invalidArguments)]))
    #expect(log.send(Sample.save("i1")) == .retry)
    log.answer(.records([Sample.failed("i1", .referenceViolation)]))
    // A changed child may go, and any one when the parent is in the cloud.
    fields["title"] = .string("c")
    try log.keep(Sample.waiting(RecordContent(fields: EncodedFields(fields))))
    #expect(log.send(Sample.save("i1")) == nil)
    log.answer(.records([Sample.failed("i1", .referenceViolation)]))
    parent.server = ServerVersion(Sample.record("i2"))
    try log.keep(parent)
    #expect(log.send(Sample.save("i1")) == nil)
  }

  @Test func `nothing is asked before the retry time`() throws {
    var log = LogFeed(RetryTimeChecker())
    log.start()
    log.begin([.push])
    log.add(.fact(.syncFailed([.push], CloudError(.zoneBusy, "no", retryAfterMilliseconds: 5_000), retryIn: 5_000)))
    log.wait(4_999)
    #expect(log.send(Sample.databaseFetch) == .retry)
    log.wait(1)
    #expect(log.send(Sample.databaseFetch) == nil)
  }

  @Test func `a retry time holds over a restart where the disk has it and the clock was not set`() throws {
    var log = LogFeed(RetryTimeChecker())
    log.start()
    try log.keep(.retryAfter, .integer(1))
    log.add(.fact(.syncFailed([.push], CloudError(.zoneBusy, "no", retryAfterMilliseconds: 50_000), retryIn: 50_000)))
    log.start()
    #expect(log.send(Sample.databaseFetch) == .retry)
    log.add(.clockSet)
    log.start()
    #expect(log.send(Sample.databaseFetch) == nil)
  }

  @Test func `wishes within the quiet time join, and one request is under way`() {
    var log = LogFeed(SyncSpacingChecker(Sample.configuration { $0.pacing.quiet = 250 }))
    #expect(log.begin([.push]) == nil)
    log.wait(249)
    #expect(log.begin([.push]) == .requestTooEarly)
    log.wait(1)
    // The user does not wait.
    #expect(log.begin([.manual]) == nil)
    log.wait(250)
    #expect(log.begin([.push]) == nil)
    #expect(log.add(.request(RequestID(number: 9), Sample.zoneFetch, isAlone: true)) == nil)
    #expect(log.add(.request(RequestID(number: 10), Sample.zoneFetch, isAlone: false)) == .requestTooEarly)
  }

  @Test func `a full cloud is asked to keep nothing more in the same sync`() {
    var log = LogFeed(FullCloudChecker())
    let delete = RecordOperation(.delete, recordName: "i2")
    let deletion = CloudRequest.modifyRecords(ModifyRecords(zoneID: Sample.zone, operations: [delete], isAtomic: false))
    log.begin([.localChange])
    #expect(log.send(Sample.save("i1")) == nil)
    log.answer(.records([Sample.failed("i1", .quotaExceeded)]))
    #expect(log.send(deletion) == nil)
    #expect(log.send(Sample.save("i2")) == .retry)
    log.begin([.localChange])
    #expect(log.send(Sample.save("i2")) == nil)
  }
}
