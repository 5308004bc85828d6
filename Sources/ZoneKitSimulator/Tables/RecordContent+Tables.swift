import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitTableClient
import ZoneKitTables

extension RecordContent {
  /// The content of a record in the cloud as devices see it: without the memory of accepted changes that a service of
  /// tables keeps beside a row.
  init(inCloud record: Record) {
    self.init(fields: record.fields, parent: record.parent)
    guard var fields = try? fields.decoded(), fields[AppliedChanges.field] != nil else { return }
    fields[AppliedChanges.field] = nil
    self.fields = EncodedFields(fields)
  }
}

extension World {
  /// Whether a record of an account is a document that only the server writes.
  func isDerived(_ id: RecordID, of account: Name) -> Bool {
    guard let app = app(of: account)?.documents, id.zoneID.zoneName == app.zone,
      let name = DocumentName(recordName: id.recordName, in: .documents)
    else { return false }
    return app.schema.collection(name.collection)?.isDerived ?? false
  }

  /// A record of the cloud as devices of the account see it: its name and its content. Devices keep a row of the log of
  /// conflicts as a record of their journal.
  func seen(_ record: Record, in zone: ZoneID, of account: Name) -> (RecordID, RecordContent) {
    var own = (RecordID(recordName: record.recordName, zoneID: zone), RecordContent(inCloud: record))
    if isDerived(own.0, of: account) { own.1.fields = DailySummary.shown(record.fields) }
    guard zone.zoneName == TableApp.journal, let conflict = conflict(inRow: record, of: account) else { return own }
    return (
      RecordID(recordName: conflict.recordName, zoneID: zone),
      RecordContent(fields: conflict.fields, parent: conflict.parent)
    )
  }

  /// The decisions that a service of tables keeps for an account. Its devices may not have read them yet.
  func tableDecisions(of account: Name) -> [ConflictEntry] {
    guard cloud.tables != nil else { return [] }
    return cloudRecords(in: ZoneID(zoneName: TableApp.journal), of: account).values.compactMap { record in
      conflict(inRow: record, of: account).flatMap { ConflictRecord.entry(from: $0, deviceID: "") }
    }
  }

  /// A row of the log of conflicts as the record that devices keep in their journal; nil if it is none.
  private func conflict(inRow record: Record, of account: Name) -> Record? {
    guard let tables = cloud.tables, let owner = UUID(account.text) else { return nil }
    let row = try? Row.read(
      fields: record.fields, updatedAt: record.modified.at, deviceID: record.modified.author.deviceID,
      of: OwnTable.conflicts.table, owner: owner
    ).row
    return row.flatMap { RowContext(app: tables.app, account: owner, deviceID: "").conflict($0) }
  }
}
