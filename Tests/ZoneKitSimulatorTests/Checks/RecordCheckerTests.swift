import Testing
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync

/// Checkers of records: what is held back, how edits are stamped and kept, what conflicts leave.
struct RecordCheckerTests {
  // MARK: Quarantine

  private func quarantined(_ content: RecordContent) -> LocalRecord {
    var record = Sample.waiting(content)
    record.quarantine = .refused("refused")
    return record
  }

  @Test func `only a record that the cloud has something against is held back`() throws {
    for (code, rule) in [(CloudErrorCode.invalidArguments, nil), (.zoneBusy, Violation.Rule.quarantine)] {
      var log = LogFeed(QuarantineChecker())
      log.start()
      try log.keep(Sample.waiting(Sample.content("a")))
      log.send(Sample.save("i1"))
      log.answer(.records([Sample.failed("i1", code)]))
      try log.keep(quarantined(Sample.content("a")))
      #expect(log.add(.fact(.quarantined(Sample.id, reason: "refused"))) == rule)
    }
  }

  @Test func `a record that the cloud never takes is held back when the sync ends`() throws {
    var log = LogFeed(QuarantineChecker())
    log.start()
    try log.keep(Sample.waiting(Sample.content("a")))
    log.send(Sample.save("i1"))
    log.answer(.records([Sample.failed("i1", .invalidArguments)]))
    #expect(log.finish([.localChange]) == .quarantine)
    log.send(Sample.save("i1"))
    log.answer(.records([Sample.failed("i1", .invalidArguments)]))
    // The user has mended it meanwhile.
    var mended = Sample.waiting(Sample.content("b"))
    mended.sent = .saved(Sample.content("a"))
    try log.keep(mended)
    #expect(log.finish([.localChange]) == nil)
  }

  @Test func `a record is not held back for what it was before its user changed it, and no edit leaves it held back`()
    throws
  {
    var log = LogFeed(QuarantineChecker())
    log.start()
    try log.keep(Sample.waiting(Sample.content("a")))
    log.send(Sample.save("i1"))
    log.answer(.records([Sample.failed("i1", .invalidArguments)]))
    try log.keep(quarantined(Sample.content("b")))
    #expect(log.add(.fact(.quarantined(Sample.id, reason: "refused"))) == .quarantine)
    let change = EditedRecord(Sample.id, from: Sample.content("a"), to: Sample.content("b"))
    #expect(log.add(.edited([change], trueTime: log.wall)) == .quarantine)
    // The process was killed before the write.
    let nothing = EditedRecord(Sample.id, from: Sample.content("b"), to: Sample.content("b"))
    #expect(log.add(.edited([nothing], trueTime: log.wall)) == nil)
    try log.keep(Sample.waiting(Sample.content("b")))
    #expect(log.add(.edited([change], trueTime: log.wall)) == nil)
  }

  @Test func `a record that is reported as held back is, unless the same event releases it`() throws {
    for (isReleased, rule) in [(true, nil), (false, Violation.Rule.quarantine)] {
      var log = LogFeed(QuarantineChecker())
      log.start()
      try log.keep(Sample.waiting(Sample.content("a")))
      log.send(Sample.save("i1"))
      log.answer(.records([Sample.failed("i1", .referenceViolation)]))
      #expect(log.add(.fact(.quarantined(Sample.id, reason: "refused"))) == nil)
      if isReleased { #expect(log.add(.fact(.released(Sample.id))) == nil) }
      #expect(log.add(.settled) == rule)
    }
  }

  @Test func `a conflict is looked up before the sync ends for it`() {
    let end = LogEvent.fact(.syncFailed([.localChange], CloudError(.serverRecordChanged, "no"), retryIn: nil))
    var log = LogFeed(ConflictLookupChecker())
    log.begin([.localChange])
    log.send(Sample.save("i1"))
    log.answer(.records([Sample.failed("i1", .serverRecordChanged)]))
    #expect(log.add(end) == .retry)
    log.send(.lookupRecords(zoneID: Sample.zone, recordNames: ["i1"]))
    #expect(log.add(end) == nil)
  }

  // MARK: Edits

  private func edit(_ log: inout LogFeed<StampChecker>, from before: RecordContent?, to after: RecordContent?)
    -> Violation.Rule?
  {
    log.add(.edited([EditedRecord(Sample.id, from: before, to: after)], trueTime: log.wall))
  }

  @Test func `an edit has a later stamp than what it replaces, and only an edit that changes something`() {
    var log = LogFeed(StampChecker(Sample.configuration()))
    let (early, late) = (log.wall, log.wall.advanced(byMilliseconds: 1))
    let old = Sample.content("a", stamp: early)
    #expect(edit(&log, from: nil, to: old) == nil)
    #expect(edit(&log, from: old, to: Sample.content("b", stamp: late)) == nil)
    #expect(edit(&log, from: Sample.content("b", stamp: late), to: old) == .stamp)
    #expect(edit(&log, from: old, to: Sample.content("a", stamp: late)) == .stamp)
    #expect(edit(&log, from: old, to: nil) == nil)
  }

  @Test func `a right clock gives no stamp from the far future unless it replaces one`() {
    var log = LogFeed(StampChecker(Sample.configuration()))
    let future = log.wall.advanced(byMilliseconds: 400 * 86_400_000)
    #expect(edit(&log, from: nil, to: Sample.content("a", stamp: future)) == .stamp)
    let later = future.advanced(byMilliseconds: 1)
    #expect(edit(&log, from: Sample.content("a", stamp: future), to: Sample.content("b", stamp: later)) == nil)
  }

  @Test func `a rule of the app stamps nothing`() {
    var log = LogFeed(StampChecker(Sample.configuration()))
    let old = Sample.content("a", stamp: log.wall)
    #expect(log.add(.repaired([EditedRecord(Sample.id, from: old, to: Sample.content("b", stamp: log.wall))])) == nil)
    let late = log.wall.advanced(byMilliseconds: 1)
    #expect(log.add(.repaired([EditedRecord(Sample.id, from: old, to: Sample.content("b", stamp: late))])) == .stamp)
  }

  @Test func `what the app wrote is on the device`() throws {
    var fields = Fields()
    fields["title"] = .string("a")
    let edits = [RecordEdit.save(Sample.id, type: "Item", fields: fields, parent: nil, stamping: .now)]
    var log = LogFeed(KeptEditChecker(Sample.configuration()))
    #expect(log.add(.wrote(edits)) == .lostEdit)
    try log.keep(Sample.waiting(Sample.content("a", stamp: log.wall)))
    #expect(log.add(.wrote(edits)) == nil)
    #expect(log.add(.wrote([.delete(Sample.id)])) == .lostEdit)
    #expect(log.add(.wrote([.delete(Sample.id)] + edits)) == nil)
  }

  @Test func `what was written before anybody signed in is not set aside where the app wants it`() {
    var log = LogFeed(KeptEditChecker(Sample.configuration()))
    #expect(log.add(.fact(.accountChanged(from: nil, to: "nanny", discarded: 1))) == .lostEdit)
    #expect(log.add(.fact(.accountChanged(from: nil, to: "nanny", discarded: 0))) == nil)
    #expect(log.add(.fact(.accountChanged(from: "granny", to: "nanny", discarded: 1))) == nil)
  }

  // MARK: What the user sees

  @Test func `what the user sees is what the device holds once the app was notified`() throws {
    var log = LogFeed(ViewChecker(zones: [Sample.zone]))
    log.start()
    #expect(log.checker.difference(from: log.device) == nil)
    try log.keep(Sample.waiting(Sample.content("a")))
    #expect(log.checker.difference(from: log.device)?.hasSuffix("is not shown") == true)
    log.add(.recordsShown([Sample.id]))
    #expect(log.checker.difference(from: log.device) == nil)
    try log.keep(Sample.waiting(Sample.content("b")))
    #expect(log.checker.difference(from: log.device)?.hasSuffix("is shown as it was") == true)
    log.add(.everythingShown)
    #expect(log.checker.difference(from: log.device) == nil)
  }
}
