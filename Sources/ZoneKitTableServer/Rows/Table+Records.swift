import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

extension Row {
  /// The binding references of the row's record, in ascending order of their fields.
  func references(of table: Table, from source: Name) -> [StoredReference] {
    var references: [StoredReference] = []
    for (place, column) in table.columns.enumerated() {
      guard let target = column.foreignKey?.table, let id = values[place].uuid else { continue }
      references.append(
        StoredReference(
          source: source, field: column.name, target: RowKey([id]).recordName(in: target), action: .validate))
    }
    return references.sorted { $0.field < $1.field }
  }

  /// The row of the table of deletions for the tombstone of a row's record.
  init(deletionOf tombstone: StoredRecord) {
    let table = OwnTable.deletions.table
    let name = tombstone.recordName.text
    let slash = name.firstIndex(of: "/") ?? name.startIndex
    self.init(Array(repeating: .null, count: table.columns.count))
    self[.id, table] = .text(name)
    self["table_name", table] = .text(String(name[..<slash]))
    self["key", table] = .text(String(name[slash...].dropFirst()))
    self[.updatedAt, table] = .timestamp(tombstone.modified.at)
  }
}

extension Table {
  /// Whether all fields of the table's records are in a schema.
  func isDefined(by schema: [FieldDefinition]) -> Bool {
    columns.allSatisfy { column in
      !column.isField || schema.contains { $0.field == column.name && $0.type == column.fieldType }
    }
  }

  /// The fields of the table's records, for the schema of a zone.
  var definitions: [FieldDefinition] {
    columns.filter(\.isField).map { FieldDefinition(recordType: name, field: $0.name, type: $0.fieldType) }
  }
}
