import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// A row of the app's tables as its user sees it on the device.
package struct CoinRow: Hashable, Sendable {
  /// The table.
  package let table: Table
  /// The key.
  package let key: RowKey
  /// The values of all columns.
  package var row: Row

  /// A row with that key.
  init(_ table: Table, _ key: RowKey, _ row: Row) {
    self.table = table
    self.key = key
    self.row = row
  }

  /// A new row with the defaults of its table, those values, and its creation at that time.
  init(new table: Name, _ key: RowKey, _ values: [Name: RowValue], createdAt: WallTime?) {
    let table = SwissCoin.table(table)
    var row = Row(table.columns.map(\.defaultValue))
    for (column, part) in zip(table.key, key.parts) { row[column, table] = .uuid(part) }
    for (column, value) in values { row[column, table] = value }
    row[.createdAt, table] = createdAt.map { .timestamp($0) } ?? .null
    self.init(table, key, row)
  }

  /// The user's version of a record. `owner` is the account, which no record has as a field. Nil for a record that is no
  /// row, that the user deleted, or whose text has no key.
  package init?(_ record: LocalRecord, owner: UUID) throws(StoreError) {
    guard let content = record.local, let table = SwissCoin.table(of: record.recordID) else { return nil }
    let (row, _) = try Row.read(
      fields: content.fields, updatedAt: record.server?.modified.at ?? SwissCoin.oldestStamp,
      deviceID: record.server?.modified.author.deviceID ?? Author.unnamedDevice, of: table, owner: owner)
    guard let key = RowKey(row, of: table) else { return nil }
    self.init(table, key, row)
    if record.server == nil { self[.updatedAt] = .null }
  }

  /// The value of a column; null for a column that the table does not have.
  package subscript(column: Name) -> RowValue {
    get { row[column, table] }
    set { row[column, table] = newValue }
  }

  /// The row's record.
  package var id: RecordID { SwissCoin.recordID(table.name, key) }

  /// Whether the row is not deleted.
  package var isLiving: Bool { self[.deletedAt] == .null }

  /// Whether lists and pickers show the row.
  package var isListed: Bool { isLiving && (table.name != "persons" || self["is_archived"] != .bool(true)) }

  /// What users read of the key.
  package var shortID: String { String(key.text.prefix(8)) }

  /// The row that owns this one; nil if none does.
  package var owner: (table: Name, key: RowKey)? {
    guard let owner = table.ownerRow, let id = self[owner.column].uuid else { return nil }
    return (owner.table, RowKey([id]))
  }

  /// The column with the name that users give the row; nil if the table has none.
  var nameColumn: Name? { ["name", "title", "display_name"].first { table.column($0) != nil } }

  /// The name that users give the row; nil if it has none.
  package var name: String? { nameColumn.flatMap { self[$0].text } }

  /// The edit that saves the row.
  package func edit(_ stamping: RecordEdit.Stamping) -> RecordEdit {
    .save(id, type: table.name, fields: row.fields(of: table), parent: nil, stamping: stamping)
  }
}
