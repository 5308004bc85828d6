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
    return ConflictJournal.entry(for: decision, at: WallTime(milliseconds: 7), decidedBy: decidedBy)
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
    #expect(try ConflictJournal.entry(from: record(of: written), deviceID: "third") == written)
    #expect(try ConflictJournal.entry(from: record(of: written), deviceID: "me") == written)
    let deletion = entry(local: nil, server: theirs, winner: winner)
    #expect(try ConflictJournal.entry(from: record(of: deletion), deviceID: "me") == deletion)
  }

  @Test(arguments: [
    (ConflictEntry.Winner.server, ConflictEntry.Winner.local), (.local, .server), (.merged, .merged), (.none, .none),
  ])
  func `is turned round on the device whose version was the cloud's`(
    winner: ConflictEntry.Winner, turned: ConflictEntry.Winner
  ) throws {
    let written = entry(local: mine, server: theirs, winner: winner)
    let seen = try #require(try ConflictJournal.entry(from: record(of: written), deviceID: "other"))
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
    let read = try #require(try ConflictJournal.entry(from: record(of: written), deviceID: "me"))
    let omitted = RecordContent(fields: .empty)
    #expect((read.local, read.server) == (winner == .local ? (omitted, large[1]) : (large[0], omitted)))
    #expect(try record(of: written).fields.utf8.count < 1_000_000)
  }

  @Test func `is not read from a record of another type or without a decision`() throws {
    var foreign = try record(of: entry(local: mine, server: theirs))
    foreign.recordType = "Item"
    #expect(ConflictJournal.entry(from: foreign, deviceID: "me") == nil)
    var empty = foreign
    empty.recordType = ConflictJournal.recordType
    empty.fields = .empty
    #expect(ConflictJournal.entry(from: empty, deviceID: "me") == nil)
  }

  @Test func `of a discarded edit differs for each edit and device`() {
    let record = Sample.local("A", mine, server: Sample.version(theirs), revision: 3)
    let at = WallTime(milliseconds: 7)
    let first = ConflictJournal.discarded(record, rule: "zoneDeleted", at: at, deviceID: "me")
    #expect((first.local, first.server, first.winner) == (mine, theirs, .none))
    #expect(first.serverDeviceID == "other")
    #expect(first.id == ConflictJournal.discarded(record, rule: "zoneDeleted", at: at, deviceID: "me").id)
    #expect(first.id != ConflictJournal.discarded(record, rule: "zoneDeleted", at: at, deviceID: "other").id)
    #expect(first.id != ConflictJournal.discarded(record, rule: "reset", at: at, deviceID: "me").id)
    var later = record
    later.revision = 4
    #expect(first.id != ConflictJournal.discarded(later, rule: "zoneDeleted", at: at, deviceID: "me").id)
  }

  @Test func `of a repair has one ID on all devices that make it`() {
    let record = Sample.local("A", mine)
    let ids = ["me", "other"].map {
      ConflictJournal.repaired(record, with: theirs, rule: "ended", at: WallTime(milliseconds: 7), deviceID: $0).id
    }
    #expect(ids[0] == ids[1])
  }
}
