import ZoneKitRecords
import ZoneKitCloud

extension ZoneStoreTrial {
  mutating func checkPurging(_ reopen: (consuming Store) throws -> Store) throws {
    stage([tombstone("a", 1), record("b", 2), tombstone("c", 3), record("d", 4), tombstone("e", 5)], in: notes)
    commit()
    purge(through: 3, header: purged(through: 3))
    try expectPurged("a staged purge")
    try self.reopen(reopen)
    let all = [tombstone("a", 1), record("b", 2), tombstone("c", 3), record("d", 4), tombstone("e", 5)]
    try expectRecords(all, in: notes, "a zone whose purge was lost")
    expect(try store.zone(notes)?.purges, 0, "the purges of that zone")
    purge(through: 3, header: purged(through: 3))
    commit()
    try self.reopen(reopen)
    try expectPurged("a committed purge")
    expect(try store.zone(notes), purged(through: 3), "the header after a purge")
    stage([record("a", 6)], in: notes)
    commit()
    try expectRecords([record("b", 2), record("d", 4), tombstone("e", 5), record("a", 6)], in: notes, "a later commit")
    for deletion in ZoneHeader.Deletion.allCases {
      var gone = purged(through: 3)
      gone.deletion = deletion
      store.stage(ZoneTransition(header: gone, clearsZone: true), in: notes)
      commit()
      try self.reopen(reopen)
      expect(try store.zone(notes), gone, "the header of a zone that is gone: \(deletion)")
    }
  }

  private mutating func purge(through last: Int64, header: ZoneHeader) {
    store.stage(ZoneTransition(header: header, purgedThrough: last), in: notes)
  }

  private func purged(through last: Int64) -> ZoneHeader {
    var header = header("Notes", sequence: 5, databaseSequence: 1, incarnation: 8)
    header.purges = .max
    header.horizon = last
    header.horizonAt = WallTime(milliseconds: 1003)
    header.sharing = ZoneSharing(entries: [ZoneSharing.Entry(share: "s", root: "r")], epoch: 3)
    header.recordCount = 2
    header.tombstoneCount = 1
    return header
  }

  private mutating func expectPurged(_ what: String) throws {
    try expectRecords([record("b", 2), record("d", 4), tombstone("e", 5)], in: notes, what)
    for name: Name in ["a", "c"] { expect(try store.record(name, in: notes), nil, "\(what): tombstone \(name)") }
  }
}
