import ZoneKitRecords
import ZoneKitCloud

extension ZoneStoreTrial {
  mutating func checkFeedOfOneType(_ reopen: (consuming Store) throws -> Store) throws {
    let records = [
      record("a", 1, type: "Note"), record("b", 2, type: "Item"), tombstone("c", 3, type: "Item"),
      record("d", 4, type: "Item"), tombstone("e", 5, type: "Note"), record("f", 6, type: "Note"),
    ]
    stage(records, in: notes)
    try expectTypes(records, "a zone without indexes")
    var header = header("Notes", sequence: 8, databaseSequence: 2)
    header.recordCount = 4
    let later = [record("g", 7, type: "Item"), tombstone("a", 8, type: "Note")]
    store.stage(ZoneTransition(header: header, records: later, isReadByType: true), in: notes)
    let all = records.dropFirst() + later
    try expectTypes(Array(all), "a zone with staged indexes")
    commit()
    try self.reopen(reopen)
    try expectTypes(Array(all), "a zone with indexes")
  }

  private mutating func expectTypes(_ records: [StoredRecord], _ what: String) throws {
    for type in ["Note", "Item", "None"] as [Name] {
      let wanted = records.filter { !$0.isDeleted && $0.recordType == type }
      try expectFeed([type], hasTombstones: false, wanted, "\(what), type \(type)")
    }
    try expectFeed(["Note", "Item"], hasTombstones: false, records.filter { !$0.isDeleted }, "\(what), two types")
    try expectFeed(nil, hasTombstones: false, records.filter { !$0.isDeleted }, "\(what), all types")
    try expectFeed([], hasTombstones: true, records.filter(\.isDeleted), "\(what), tombstones")
  }

  /// Expects these records in the feed, and those behind position 2 in pages of one.
  private mutating func expectFeed(
    _ types: [Name]?, hasTombstones: Bool, _ wanted: [StoredRecord], _ what: String
  ) throws {
    var query = FeedQuery(
      position: 0, isReversed: false, limit: 1000, recordTypes: types, hasTombstones: hasTombstones)
    expect(try store.feed(query, in: notes).page.changes, wanted.map(change), what)
    (query.position, query.limit) = (2, 1)
    let behind = wanted.filter { $0.sequence > 2 }
    let page = try store.feed(query, in: notes)
    expect(page.page.changes, behind.prefix(1).map(change), "\(what), a page")
    expect(page.moreComing, behind.count > 1, "\(what), moreComing")
    expect(page.position, behind.first?.sequence ?? 2, "\(what), position")
  }

  mutating func checkSequences() throws {
    expect(try store.sequence(through: WallTime(milliseconds: 5000), in: notes), 0, "the sequence of no zone")
    // The times of the samples are 1000 and their sequences.
    stage([record("a", 3), tombstone("b", 4), record("c", 90), record("a", 91), record("d", 500)], in: notes)
    let wanted: [(Int64, Int64)] = [
      (0, 0), (1003, 0), (1004, 4), (1005, 4), (1089, 4), (1090, 90), (1091, 91), (1499, 91), (1500, 500), (9999, 500),
    ]
    for (time, sequence) in wanted {
      expect(
        try store.sequence(through: WallTime(milliseconds: time), in: notes), sequence, "the sequence through \(time)")
    }
    commit()
    expect(try store.sequence(through: WallTime(milliseconds: 1100), in: notes), 91, "the sequence after a commit")
  }
}
