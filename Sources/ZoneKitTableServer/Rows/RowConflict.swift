import ZoneKitRecords
import ZoneKitTables

/// The rows of the table `conflict_log`.
enum RowConflict {
  /// The identifier of the entry for those two versions of a row. Repeats of the same conflict have the same one.
  static func id(of record: Name, loser: Row, winner: Row, in table: Table) -> UUID {
    var text = Array(record.text.utf8)
    for version in [loser, winner] {
      text.appendDecimal(RowOrder.editStamp(version, in: table).milliseconds)
      text += RowOrder.canonicalBytes(version, in: table)
    }
    let hash = FNV1a.hash(text)
    return UUID(high: UInt64(truncatingIfNeeded: hash >> 64), low: UInt64(truncatingIfNeeded: hash), version: 8)
  }

  /// The entry.
  static func row(
    id: UUID, key: RowKey, loser: Row, winner: Row, rule: RowOrder.Rule, table: Table, at now: WallTime
  ) -> Row {
    let conflicts = OwnTable.conflicts.table
    var row = Row(Array(repeating: .null, count: conflicts.columns.count))
    let text = RowText(.all, of: table)
    row[.id, conflicts] = .uuid(id)
    row["table_name", conflicts] = .text(table.name.text)
    row["key", conflicts] = .text(key.text)
    row["rule", conflicts] = .text(rule.rawValue)
    row["winner", conflicts] = .text(text.text(of: winner))
    row["loser", conflicts] = .text(text.text(of: loser))
    let author = loser[.changedBy, table].text
    row["loser_device", conflicts] = (author.flatMap { RowRevision($0)?.deviceID } ?? author).map { .text($0) } ?? .null
    row["decided_at", conflicts] = .timestamp(now)
    return row
  }
}
