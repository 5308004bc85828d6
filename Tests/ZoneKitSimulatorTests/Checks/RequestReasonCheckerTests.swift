import Testing
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync

/// Checkers of why and how often devices ask, and of what an edit leaves.
struct RequestReasonCheckerTests {
  @Test func `a sync for a push needs one since the last sync for a push`() {
    var log = LogFeed(IdleLookChecker(Sample.configuration()))
    log.start()
    log.add(.fact(.pushReceived(notificationID: "1")))
    #expect(log.begin([.push]) == nil)
    log.finish([.push])
    #expect(log.begin([.push]) == .fetchWithoutReason)
  }

  @Test func `few fetches without news follow each other when nothing happens`() {
    var log = LogFeed(IdleLookChecker(Sample.configuration { $0.pushes.emptyPushTries = 1 }))
    log.start()
    for _ in 0..<5 { #expect(log.finish([.emptyPush]) == nil) }
    #expect(log.finish([.emptyPush]) == .fetchWithoutReason)
    log.add(.syncWanted)
    #expect(log.finish([.emptyPush]) == nil)
  }

  @Test func `a sync asks a question again only after it has sent something`() {
    var log = LogFeed(RepeatedRequestChecker())
    log.start()
    log.begin([.launch])
    for _ in 0..<2 {
      #expect(log.send(Sample.databaseFetch) == nil)
      log.answer(.databaseChanges(DatabaseChanges(zones: [], token: ChangeToken("1"), moreComing: false)))
    }
    #expect(log.send(Sample.databaseFetch) == .storm)
    log.send(Sample.save("i1"))
    #expect(log.send(Sample.databaseFetch) == nil)
  }

  @Test func `a zone is not asked before the retry time of an item`() {
    var log = LogFeed(ItemRetryChecker())
    log.start()
    log.send(Sample.save("i1"))
    log.answer(.records([.failed("i1", CloudError(.zoneBusy, "no", retryAfterMilliseconds: 5_000))]))
    #expect(log.send(Sample.databaseFetch) == nil)
    log.wait(4_000)
    #expect(log.send(Sample.save("i1")) == .retry)
    log.wait(1_000)
    #expect(log.send(Sample.save("i1")) == nil)
  }

  @Test func `a version that another one replaces before it is sent is in the journal`() throws {
    var log = LogFeed(BeatenVersionChecker(Sample.configuration()))
    log.start()
    let (ours, theirs) = (Sample.content("a"), Sample.content("b"))
    try log.keep(Sample.waiting(ours))
    log.add(.edited([EditedRecord(Sample.id, from: nil, to: ours)], trueTime: log.wall))
    #expect(log.add(.settled) == nil)
    try log.keep(LocalRecord(recordID: Sample.id, recordType: "Item", local: theirs))
    #expect(log.add([.settled, .settled]) == [.decision])
  }

  @Test func `a user may replace an edit before it is sent`() throws {
    var log = LogFeed(BeatenVersionChecker(Sample.configuration()))
    log.start()
    let (first, second) = (Sample.content("a"), Sample.content("b"))
    try log.keep(Sample.waiting(first))
    log.add(.edited([EditedRecord(Sample.id, from: nil, to: first)], trueTime: log.wall))
    try log.keep(Sample.waiting(second))
    // The log has the edit after the event that it is part of.
    log.add(.settled)
    log.add(.edited([EditedRecord(Sample.id, from: first, to: second)], trueTime: log.wall))
    #expect(log.add(.settled) == nil)
  }
}
