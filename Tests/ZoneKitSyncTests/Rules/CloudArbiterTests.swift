import Testing
import ZoneKitRecords
import ZoneKitMemoryStores

@testable import ZoneKitSync

/// The rules of a device whose cloud decides conflicts. Field `stamp` has the time of the edit.
@Suite struct `a device whose cloud decides` {
  private var generator = SplitMix64(seed: 1)

  private static var configuration: CoordinatorConfiguration {
    var configuration = CoordinatorConfiguration(
      mergePolicy: MergePolicy { _ in
        Issue.record("the policy was asked")
        return Resolution(.adoptServer, rule: "none")
      }, stampField: "stamp")
    configuration.traits.arbiter = .cloud
    configuration.traits.journalZone = Sample.journal
    return configuration
  }

  private static func content(_ text: String, stamp: Int64) -> RecordContent {
    var fields = Fields()
    fields["text"] = .string(text)
    fields["stamp"] = .timestamp(WallTime(milliseconds: stamp))
    return RecordContent(fields: EncodedFields(fields))
  }

  private let old = content("old", stamp: 10)
  private let mine = content("mine", stamp: 20)
  private let theirs = content("theirs", stamp: 30)

  private func ledger(_ records: [LocalRecord]) throws -> Ledger<MemoryDeviceStore> {
    try Sample.ledger(records, configuration: Self.configuration)
  }

  /// The device's record after a page with that change, and the effects.
  private mutating func meet(
    _ change: RecordChange, _ known: LocalRecord, of zoneID: ZoneID = Sample.zone
  ) throws -> (record: LocalRecord?, effects: [Effect], ledger: Ledger<MemoryDeviceStore>) {
    var ledger = try ledger([known])
    var session = Sample.session
    let page = try ledger.merge(
      Sample.page([change], of: zoneID), &session, at: Sample.moment(200_000), using: &generator)
    return (try ledger.store.record(known.recordID), Array(page.effects.dropFirst()), ledger)
  }

  /// The device's record after that answer, and what the answer leaves to do.
  private mutating func settle(
    _ sent: LocalRecord, _ result: RecordResult
  ) throws -> (record: LocalRecord, Settlement) {
    var ledger = try ledger([sent])
    var session = Sample.session
    let batch = SentBatch(zoneID: Sample.zone, names: [sent.recordID.recordName])
    let settlement = try ledger.settle(batch, [result], &session, at: Sample.moment(2_000), using: &generator)
    return (try #require(try ledger.store.record(sent.recordID)), settlement)
  }

  private func sent(_ content: RecordContent, now: RecordContent? = nil) -> LocalRecord {
    Sample.local("A", now ?? content, server: Sample.version(old), sent: .saved(content), revision: 1)
  }

  private func inCloud(_ content: RecordContent, tag: String = "2", by device: String = "other") -> Record {
    Sample.record("A", content, tag: tag, by: device, at: 2_000)
  }

  // MARK: Pages

  @Test mutating func `looks up what a full fetch did not meet, because it may have been saved meanwhile`() throws {
    let known = Sample.local("A", old, server: Sample.version(old, at: 1_000))
    var ledger = try Sample.ledger(
      [known], zones: [ZoneState(zoneID: Sample.zone, fullFetches: 1, isInFullFetch: true)],
      configuration: Self.configuration)
    var session = Sample.session
    let page = try ledger.merge(Sample.page([]), &session, at: Sample.moment(200_000), using: &generator)
    #expect(page.unsure == ["A"])
    #expect(try ledger.store.record(known.recordID) == known)
    _ = try ledger.merge(
      [.failed("A", CloudError(.unknownItem, "gone"))], of: ["A"], in: Sample.zone, endOf: .last,
      session: &session, at: Sample.moment(200_001), using: &generator)
    #expect(try ledger.store.record(known.recordID) == nil)
  }

  @Test mutating func `leaves a pending record alone, also the version that it is based on`() throws {
    let known = Sample.local("A", mine, server: Sample.version(old), revision: 1)
    let (record, effects, ledger) = try meet(.saved(inCloud(theirs)), known)
    #expect(record == known)
    #expect(effects == [])
    #expect(try ledger.store.conflicts(limit: 9) == [])
    #expect(try ledger.store.records(in: Sample.journal, metBefore: .max) == [])
  }

  @Test mutating func `leaves a record alone that the cloud refused`() throws {
    var known = Sample.local("A", mine, server: Sample.version(old), revision: 1)
    known.quarantine = .refused("no")
    #expect(try meet(.saved(inCloud(theirs)), known).record == known)
  }

  @Test mutating func `replaces a record without an edit`() throws {
    let known = Sample.local("A", old, server: Sample.version(old))
    let (record, effects, _) = try meet(.saved(inCloud(theirs)), known)
    #expect(record?.local == theirs)
    #expect(record?.server?.changeTag == ChangeTag("2"))
    #expect(effects == [.remoteChange([Sample.id("A")])])
  }

  @Test mutating func `recognises what it sent although the cloud lowered the stamp`() throws {
    let admitted = Self.content("mine", stamp: 15)
    let (record, effects, _) = try meet(.saved(inCloud(admitted, by: "me")), sent(mine))
    #expect(record?.local == admitted)
    #expect(record?.isPending == false)
    #expect(effects == [.fact(.recognisedOwnWrite(Sample.id("A"))), .remoteChange([Sample.id("A")])])
  }

  @Test mutating func `recognises an earlier version that it sent, and keeps the edit made since`() throws {
    var known = Sample.local("A", Self.content("first", stamp: 19), server: Sample.version(old), revision: 2)
    known.send(.saved(Self.content("first", stamp: 19)), leavingOut: "stamp")
    known.local = mine
    known.send(.saved(mine), leavingOut: "stamp")
    let admitted = Self.content("first", stamp: 15)
    let (record, effects, _) = try meet(.saved(inCloud(admitted, by: "me")), known)
    #expect(record?.local == mine)
    #expect(record?.server?.content == admitted)
    #expect(effects == [.fact(.recognisedOwnWrite(Sample.id("A")))])
  }

  @Test mutating func `does not take another device's version with the same content for its own`() throws {
    let (record, effects, _) = try meet(.saved(inCloud(Self.content("mine", stamp: 15))), sent(mine))
    #expect(record == sent(mine))
    #expect(effects == [])
  }

  @Test mutating func `offers a pending record as a new one that the cloud removed for good, and reports it`() throws {
    let known = Sample.local("A", mine, server: Sample.version(old), revision: 1)
    let (record, effects, ledger) = try meet(.deleted(recordName: "A", changeTag: ChangeTag("2")), known)
    #expect(record?.local == mine)
    #expect(record?.server == nil)
    #expect(record?.isPending == true)
    let entry = try #require(try ledger.store.conflicts(limit: 9).first)
    #expect((entry.rule, entry.winner, entry.local, entry.server) == ("purged", .local, mine, nil))
    #expect(effects == [.fact(.conflict(entry))])
    #expect(try ledger.store.records(in: Sample.journal, metBefore: .max) == [])
  }

  @Test mutating func `removes a record without an edit that the cloud removed for good`() throws {
    let known = Sample.local("A", old, server: Sample.version(old))
    let (record, effects, _) = try meet(.deleted(recordName: "A", changeTag: ChangeTag("2")), known)
    #expect(record == nil)
    #expect(effects == [.remoteChange([Sample.id("A")])])
  }

  @Test(arguments: [("9", "10", true), ("9", "9", false), ("10", "9", false)])
  mutating func `removes a record only for a deletion that is later than its version`(
    known tag: String, deletion: String, isRemoved: Bool
  ) throws {
    let known = Sample.local("A", old, server: Sample.version(old, tag: tag))
    let (record, _, _) = try meet(.deleted(recordName: "A", changeTag: ChangeTag(deletion)), known)
    #expect((record == nil) == isRemoved)
  }

  @Test mutating func `reads an entry of the journal from the side of the version that lost`() throws {
    let entry = ConflictEntry(
      id: ConflictRecord.id(of: Sample.id("A"), theirs, mine, leavingOut: "stamp"), recordID: Sample.id("A"),
      recordType: "Item", at: WallTime(milliseconds: 7), winner: .local, rule: "editedAt", local: theirs, server: mine,
      serverDeviceID: "me", decidedBy: "cloud")
    var told = Sample.record(Name(entry.id), RecordContent(fields: EncodedFields(ConflictRecord.fields(of: entry))))
    told.recordType = ConflictRecord.recordType
    let (_, effects, ledger) = try meet(
      .saved(told), Sample.local("A", theirs, server: Sample.version(theirs)), of: Sample.journal)
    let read = try #require(try ledger.store.conflicts(limit: 9).first)
    #expect((read.winner, read.local, read.server, read.decidedBy) == (.server, mine, theirs, "cloud"))
    #expect(effects == [.fact(.conflict(read))])
  }

  // MARK: Answers

  @Test mutating func `takes over what the cloud kept, and shows it`() throws {
    let (record, settlement) = try settle(sent(mine), .kept(inCloud(theirs)))
    #expect(record.local == theirs)
    #expect(!record.isPending)
    #expect(
      settlement.effects
        == [.fact(.recordKept(Sample.id("A"), ChangeTag("2"))), .remoteChange([Sample.id("A")])])
    #expect(settlement.lookups == [])
    #expect(settlement.doubted == [])
  }

  @Test mutating func `takes over nothing of what the cloud kept where the user has edited the record since`() throws {
    let newer = Self.content("newer", stamp: 21)
    let (record, settlement) = try settle(sent(mine, now: newer), .kept(inCloud(theirs)))
    #expect(record.local == newer)
    #expect(record.server == Sample.version(old))
    #expect(record.sent == nil)
    #expect(record.isPending)
    #expect(settlement.effects == [.fact(.recordKept(Sample.id("A"), ChangeTag("2")))])
  }

  @Test mutating func `settles a save whose stamp the cloud lowered, and shows it`() throws {
    let admitted = Self.content("mine", stamp: 15)
    let (record, settlement) = try settle(sent(mine), .record(inCloud(admitted, by: "me")))
    #expect(record.local == admitted)
    #expect(!record.isPending)
    #expect(
      settlement.effects
        == [.fact(.recordSent(Sample.id("A"), ChangeTag("2"))), .remoteChange([Sample.id("A")])])
    #expect(settlement.doubted == [])
  }

  @Test mutating func `bases an edit made since on the version that it sent, and not on another one`() throws {
    let newer = Self.content("newer", stamp: 21)
    let own = try settle(sent(mine, now: newer), .record(inCloud(Self.content("mine", stamp: 15), by: "me")))
    #expect(own.record.local == newer)
    #expect(own.record.server?.changeTag == ChangeTag("2"))
    let foreign = try settle(sent(mine, now: newer), .record(inCloud(theirs)))
    #expect(foreign.record.local == newer)
    #expect(foreign.record.server == Sample.version(old))
    #expect(foreign.record.isPending)
  }

  @Test mutating func `takes over a newer version that the cloud answers to a repeated save`() throws {
    let (record, settlement) = try settle(sent(mine), .record(inCloud(theirs)))
    #expect(record.local == theirs)
    #expect(!record.isPending)
    #expect(settlement.effects.last == .remoteChange([Sample.id("A")]))
  }

  @Test mutating func `takes no old version for a sign that its clock is off`() throws {
    let days: Int64 = 5 * 86_400_000
    for result in [RecordResult.kept(inCloud(theirs)), .record(inCloud(mine, by: "me"))] {
      var ledger = try ledger([sent(mine)])
      var session = Sample.session
      let settlement = try ledger.settle(
        SentBatch(zoneID: Sample.zone, names: ["A"]), [result], &session, at: Sample.moment(days), using: &generator)
      #expect(ledger.memory.integer(.clockOffset) == nil)
      #expect(!settlement.effects.contains { if case .fact(.clockOff) = $0 { true } else { false } })
    }
  }

  @Test func `names the number of each change that it sends`() throws {
    var ledger = try ledger([Sample.local("A", mine, revision: 4), Sample.local("B", mine, revision: 5)])
    let waiting = try #require(try ledger.nextToSend(Sample.session, at: Sample.moment(1)))
    let (batch, _) = try ledger.send(waiting, limit: 9, at: Sample.moment(1))
    #expect(batch?.request.operations.map(\.revision) == [4, 5])
    let plain = SendPlan(waiting.records, limit: 9, bytes: 1_000_000)
    #expect(plain.operations.map(\.revision) == [nil, nil])
  }

  @Test func `sends the record first that the user names, after the new ones to which it refers, and then the others`()
    throws
  {
    func referring(to name: Name) -> RecordContent {
      var fields = Fields()
      fields["to"] = .reference(Reference(recordName: name, action: .validate))
      return RecordContent(fields: EncodedFields(fields))
    }
    var refused = Sample.local("C", referring(to: "B"), revision: 6)
    refused.quarantine = .refused("no")
    var ledger = try ledger([
      Sample.local("A", mine, revision: 1), Sample.local("B", referring(to: "D"), revision: 5), refused,
      Sample.local("D", mine, server: Sample.version(old), revision: 7),
    ])
    #expect(try ledger.sendFirst(Sample.id("C"), at: Sample.moment(1)) == [.fact(.released(Sample.id("C")))])
    let first = try #require(try ledger.nextToSend(Sample.session, at: Sample.moment(1)))
    let (batch, _) = try ledger.send(first, limit: 9, at: Sample.moment(1))
    #expect(batch?.sent.names == ["B", "C"])
    let rest = try #require(try ledger.nextToSend(Sample.session, at: Sample.moment(1)))
    #expect(rest.records.first?.recordID == Sample.id("A"))
    #expect(try ledger.sendFirst(Sample.id("unknown"), at: Sample.moment(1)) == [])
    #expect(ledger.urgent == nil)
  }

  @Test func `publishes no repair`() throws {
    var ledger = try ledger([Sample.local("A", old, server: Sample.version(old))])
    let edit = RecordEdit.repair(
      Sample.id("A"), type: "Item", fields: try mine.fields.decoded(), parent: nil, rule: "ended")
    _ = try ledger.edit([edit], at: Sample.moment(1))
    #expect(try ledger.store.records(in: Sample.journal, metBefore: .max) == [])
    #expect(try ledger.store.conflicts(limit: 9).map(\.rule) == ["ended"])
  }
}

@Suite struct `a device that decides itself` {
  private var generator = SplitMix64(seed: 1)

  @Test mutating func `looks a record up that the cloud kept`() throws {
    let (old, mine, theirs) = (Sample.content("old"), Sample.content("mine"), Sample.content("theirs"))
    var ledger = try Sample.ledger([
      Sample.local("A", mine, server: Sample.version(old), sent: .saved(mine), revision: 1)
    ])
    var session = Sample.session
    let settlement = try ledger.settle(
      SentBatch(zoneID: Sample.zone, names: ["A"]), [.kept(Sample.record("A", theirs, tag: "2"))], &session,
      at: Sample.moment(2_000), using: &generator)
    #expect(settlement.lookups == ["A"])
    #expect(try ledger.store.record(Sample.id("A"))?.local == mine)
  }
}
