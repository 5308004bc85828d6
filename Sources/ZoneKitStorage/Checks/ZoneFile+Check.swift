import ZoneKitRecords
import ZoneKitCloud

extension ZoneFile {
  /// Everything that is wrong with the file, and the number of its records and tombstones. `mark` is what was recorded
  /// of the zone after its last commit.
  func faults(after mark: ZoneMark?) -> (faults: [FileFault], rows: Int) {
    var check = FileCheck(of: connection)
    check.checkIntegrity()
    var rows = 0
    check.attempt { (check) throws(StoreError) in
      guard let header = try header() else {
        if mark != nil { check.add("the zone's header is missing") }
        return
      }
      rows = checkRows(header, &check)
      checkTables(header, &check)
      if let mark, !mark.isReached(by: header) {
        check.add(
          "the zone lacks answered commits: its sequence is \(header.sequence), and \(mark.sequence) was recorded")
      }
    }
    return (check.faults, rows)
  }

  /// Reads every record. Returns their number.
  private func checkRows(_ header: ZoneHeader, _ check: inout FileCheck) -> Int {
    var counts = (live: 0, dead: 0)
    var last: Int64 = 0
    check.attempt { (check) throws(StoreError) in
      try feedForwards.visit(.integer(.min)) { row throws(StoreError) in
        let isDeleted = row.flag(9)
        if isDeleted { counts.dead += 1 } else { counts.live += 1 }
        last = row.integer(0)
        do throws(StoreError) {
          let record = try record(row)
          if isDeleted { try record.checkTombstone() } else { _ = try record.fields.decoded() }
        } catch {
          check.add("record \(row.text(1)) at \(last): \(error.message)")
        }
        return true
      }
    }
    if counts.live != header.recordCount {
      check.add("the header counts \(header.recordCount.counted("record")), and there are \(counts.live)")
    }
    if counts.dead != header.tombstoneCount {
      check.add("the header counts \(header.tombstoneCount.counted("tombstone")), and there are \(counts.dead)")
    }
    if last > header.sequence {
      check.add("a record has sequence \(last), and the zone's is \(header.sequence)")
    }
    return counts.live + counts.dead
  }

  private func checkTables(_ header: ZoneHeader, _ check: inout FileCheck) {
    check.expectNone("SELECT count(*) FROM records WHERE seq < 1", "rows come before the beginning of the feed")
    check.expectNone(
      "SELECT count(*) FROM records WHERE deleted <> 0 AND seq <= \(header.horizon)", "tombstones should be purged")
    if header.isDeleted { check.expectNone("SELECT count(*) FROM records", "rows are in a deleted zone") }
    guard connection.version >= 3 else { return }
    check.expectNone(
      "SELECT count(*) FROM refs WHERE seq NOT IN (SELECT seq FROM records WHERE deleted = 0)",
      "references belong to no record")
  }
}

extension StoredRecord {
  fileprivate func checkTombstone() throws(StoreError) {
    guard fields.utf8.isEmpty || fields == EncodedFields(Fields()) else {
      throw StoreError(.corrupt, "a tombstone has fields", place: recordName.text)
    }
  }
}
