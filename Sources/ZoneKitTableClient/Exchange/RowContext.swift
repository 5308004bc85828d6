import ZoneKitRecords
import ZoneKitTables

/// The app, account and device of an exchange, and the conversion between their rows and records.
package struct RowContext: Sendable {
  /// The number of rows that every service sends in one answer, if it has them. Most send 1,000; a project's setting may be
  /// lower.
  package static let leastAnswer = 50

  let app: TableApp
  let account: UUID
  let deviceID: String
  /// The account's name in the authors of records.
  private let userRecordName: Name

  /// The context of that app on that device of the account.
  package init(app: TableApp, account: UUID, deviceID: String) {
    self.app = app
    self.account = account
    self.deviceID = deviceID
    userRecordName = UserRecordName.of(user: Name(account.text))
  }

  // MARK: Zones

  /// The zones of an account.
  var zones: [ZoneID] { [ZoneID(zoneName: app.zone), ZoneID(zoneName: TableApp.journal)] }

  /// A zone of the account, which exists since the account does, or the error for another one.
  func lookUp(_ zoneID: ZoneID) -> ZoneResult {
    zones.contains { $0.zoneName == zoneID.zoneName }
      ? .zone(Zone(zoneID: zoneID, token: nil, isAtomic: true))
      : .failed(zoneID, CloudError(.zoneNotFound, "a table server has no zone \(zoneID.zoneName)"))
  }

  // MARK: Rows and records

  /// The rows of an answer. A row that cannot be read is an error of the server's file.
  func rows(_ set: RowSet, of table: Table) throws(CloudError) -> [Row] {
    do {
      return try set.rows(of: table)
    } catch {
      throw CloudError(.internalError, "\(table.name): a row cannot be read: \(error)")
    }
  }

  /// The record of a row; nil if the row has no key.
  func record(_ row: Row, of table: Table) -> Record? {
    guard let key = RowKey(row, of: table) else { return nil }
    let stamp = row[.updatedAt, table].time ?? WallTime(milliseconds: 0)
    let author = Author(
      userRecordName: userRecordName, deviceID: AppliedChanges.deviceID(of: row[.changedBy, table].text))
    return Record(
      recordName: key.recordName(in: table.name), recordType: table.name, fields: content(row, of: table).fields,
      changeTag: ChangeTag(stamp: stamp),
      created: Authorship(at: row[.createdAt, table].time ?? stamp, author: author),
      modified: Authorship(at: stamp, author: author))
  }

  /// The content of a row's record.
  func content(_ row: Row, of table: Table) -> RecordContent {
    RecordContent(fields: row.fields(of: table, applied: AppliedChanges()))
  }

  /// The tombstone for a row of the list of deletions; nil if the row names no row of the app.
  func deletion(_ row: Row) -> RecordChange? {
    let table = OwnTable.deletions.table
    guard let name = row["table_name", table].text, let key = row["key", table].text,
      let stamp = row[.updatedAt, table].time
    else { return nil }
    return .deleted(recordName: Name("\(name)/\(key)"), changeTag: ChangeTag(stamp: stamp))
  }

  /// The record of the journal for a row of the log of conflicts, as its decider would have written it: the winner is
  /// the version of the cloud, and the loser that of the other device. Nil if the row cannot be read.
  package func conflict(_ row: Row) -> Record? {
    let log = OwnTable.conflicts.table
    guard let name = row["table_name", log].text, let table = app.schema.table(Name(name)),
      let key = row["key", log].text, let stamp = row[.updatedAt, log].time
    else { return nil }
    let (winner, loser) = (version(row["winner", log], of: table), version(row["loser", log], of: table))
    let recordID = RecordID(recordName: Name("\(name)/\(key)"), zoneID: ZoneID(zoneName: app.zone))
    let entry = ConflictEntry(
      id: ConflictRecord.id(of: recordID, winner, loser, leavingOut: .editedAt), recordID: recordID,
      recordType: table.name, at: row["decided_at", log].time ?? stamp, winner: .local,
      rule: row["rule", log].text ?? "", local: winner, server: loser, serverDeviceID: row["loser_device", log].text,
      decidedBy: Self.decider)
    let author = Authorship(
      at: stamp,
      author: Author(userRecordName: userRecordName, deviceID: Self.decider))
    return Record(
      recordName: Name(entry.id), recordType: ConflictRecord.recordType,
      fields: EncodedFields(ConflictRecord.fields(of: entry)), changeTag: ChangeTag(stamp: stamp), created: author,
      modified: author)
  }

  /// The name of the server as the decider of a conflict.
  private static let decider = "cloud"

  /// The version in the JSON text of a row; nil if it cannot be read.
  private func version(_ value: RowValue, of table: Table) -> RecordContent? {
    guard let text = value.text, let json = try? JSON(parsing: Array(text.utf8)), json.object != nil else { return nil }
    let values = table.columns.map { column in
      (try? json[column.name.text].map { (value) throws(RowError) in try RowValue(value, as: column.type) }) ?? .null
    }
    return content(Row(values), of: table)
  }
}

extension ChangeTag {
  /// The tag of the version with that stamp of the server.
  init(stamp: WallTime) { self.init("\(stamp.milliseconds)") }

  /// The stamp of the version with this tag; nil if the tag is not that of a row.
  var stamp: WallTime? { Int64(text).map { WallTime(milliseconds: $0) } }
}
