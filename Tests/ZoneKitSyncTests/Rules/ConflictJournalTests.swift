import Testing
import ZoneKitRecords

@testable import ZoneKitSync

@Suite struct `an entry of the conflict journal` {
  private let mine = Sample.content("mine")
  private let theirs = Sample.content("theirs", parent: "P")

  private func entry(
    local: RecordContent?, server: RecordContent?, winner: ConflictEntry.Winner = .server, decidedBy: String = "me"
  ) -> ConflictEntry {
    let conflict = Conflict(
      recordID: Sample.id("A"), recordType: "Item", local: local, server: server, ancestor: nil)
    let decision = MergeStep.Decision(
      conflict: conflict, winner: winner, rule: "text", serverDeviceID: decidedBy == "me" ? "other" : "me")
    return journal(decidedBy).entry(for: decision)
  }

  private func journal(_ deviceID: String, leavingOut field: Name? = nil) -> ConflictJournal {
    ConflictJournal(deviceID: deviceID, now: WallTime(milliseconds: 7), ignoredField: field)
  }

  /// The record of an entry as another device gets it from the cloud.
  private func record(of entry: ConflictEntry) throws -> Record {
    let local = ConflictJournal.record(for: entry, in: Sample.journal)
    var record = Sample.record(local.recordID.recordName, try #require(local.local))
    record.recordType = local.recordType
    return record
  }

  @Test func `has one ID on both devices that decide one conflict, and another for other versions`() {
    let here = entry(local: mine, server: theirs)
    let there = entry(local: theirs, server: mine, winner: .local, decidedBy: "other")
    #expect(here.id == there.id)
    #expect(here.id != entry(local: mine, server: nil).id)
    #expect(here.id != entry(local: mine, server: mine).id)
  }

  @Test(arguments: [ConflictEntry.Winner.local, .server, .merged, .none])
  func `comes back from its record as it was`(winner: ConflictEntry.Winner) throws {
    let written = entry(local: mine, server: theirs, winner: winner)
    #expect(try ConflictRecord.entry(from: record(of: written), deviceID: "third") == written)
    #expect(try ConflictRecord.entry(from: record(of: written), deviceID: "me") == written)
    let deletion = entry(local: nil, server: theirs, winner: winner)
    #expect(try ConflictRecord.entry(from: record(of: deletion), deviceID: "me") == deletion)
  }

  @Test(arguments: [
    (ConflictEntry.Winner.server, ConflictEntry.Winner.local), (.local, .server), (.merged, .merged), (.none, .none),
  ])
  func `is turned round on the device whose version was the cloud's`(
    winner: ConflictEntry.Winner, turned: ConflictEntry.Winner
  ) throws {
    let written = entry(local: mine, server: theirs, winner: winner)
    let seen = try #require(try ConflictRecord.entry(from: record(of: written), deviceID: "other"))
    #expect((seen.local, seen.server) == (theirs, mine))
    #expect(seen.winner == turned)
    #expect((seen.serverDeviceID, seen.decidedBy) == ("me", "me"))
  }

  @Test(arguments: [ConflictEntry.Winner.local, .server])
  func `leaves out the winner where both versions are too large for a record`(winner: ConflictEntry.Winner) throws {
    let large = [
      Sample.content(String(repeating: "a", count: 400_000)), Sample.content(String(repeating: "b", count: 400_000)),
    ]
    let written = entry(local: large[0], server: large[1], winner: winner)
    let read = try #require(try ConflictRecord.entry(from: record(of: written), deviceID: "me"))
    let omitted = RecordContent(fields: .empty)
    #expect((read.local, read.server) == (winner == .local ? (omitted, large[1]) : (large[0], omitted)))
    #expect(try record(of: written).fields.utf8.count < 1_000_000)
  }

  @Test func `is not read from a record of another type or without a decision`() throws {
    var foreign = try record(of: entry(local: mine, server: theirs))
    foreign.recordType = "Item"
    #expect(ConflictRecord.entry(from: foreign, deviceID: "me") == nil)
    var empty = foreign
    empty.recordType = ConflictRecord.recordType
    empty.fields = .empty
    #expect(ConflictRecord.entry(from: empty, deviceID: "me") == nil)
  }

  @Test func `of a discarded edit differs for each edit and device`() {
    let record = Sample.local("A", mine, server: Sample.version(theirs), revision: 3)
    let first = journal("me").discarded(record, rule: "zoneDeleted")
    #expect((first.local, first.server, first.winner) == (mine, theirs, .none))
    #expect(first.serverDeviceID == "other")
    #expect(first.id == journal("me").discarded(record, rule: "zoneDeleted").id)
    #expect(first.id != journal("other").discarded(record, rule: "zoneDeleted").id)
    #expect(first.id != journal("me").discarded(record, rule: "reset").id)
    var later = record
    later.revision = 4
    #expect(first.id != journal("me").discarded(later, rule: "zoneDeleted").id)
  }

  @Test func `of a repair has one ID on all devices that make it`() {
    let record = Sample.local("A", mine)
    let ids = ["me", "other"].map { journal($0).repaired(record, with: theirs, rule: "ended").id }
    #expect(ids[0] == ids[1])
  }

  @Test func `has one ID with any stamp, where stamps do not count`() {
    func content(_ text: String, stamp: Int64) -> RecordContent {
      var fields = Fields()
      fields["text"] = .string(text)
      fields["stamp"] = .timestamp(WallTime(milliseconds: stamp))
      return RecordContent(fields: EncodedFields(fields))
    }
    let stamps: [Int64] = [1, 2]
    let conflicts = stamps.map {
      ConflictRecord.id(of: Sample.id("A"), content("a", stamp: $0), content("b", stamp: 9), leavingOut: "stamp")
    }
    #expect(conflicts[0] == conflicts[1])
    #expect(conflicts[0] != ConflictRecord.id(of: Sample.id("A"), content("a", stamp: 1), content("b", stamp: 9)))
    let discarded = stamps.map {
      let record = Sample.local("A", content("a", stamp: $0), revision: 3)
      return [
        journal("me").discarded(record, rule: "reset").id,
        journal("me", leavingOut: "stamp").discarded(record, rule: "reset").id,
      ]
    }
    #expect(discarded[0][0] != discarded[1][0])
    #expect(discarded[0][1] == discarded[1][1])
  }
}
