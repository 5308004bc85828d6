import ZoneKitRecords

extension RowValue {
  /// The value of the record's field for that column; nil for null. A reference to a row becomes a reference to its
  /// record.
  package func fieldValue(of column: Column) -> FieldValue? {
    switch self {
    case .null: nil
    case .uuid(let id):
      column.foreignKey.map {
        .reference(Reference(recordName: RowKey([id]).recordName(in: $0.table), action: .validate))
      } ?? .string(id.text)
    case .text(let text): .string(text)
    case .timestamp(let time): .timestamp(time)
    case .bool(let bool): .int64(bool ? 1 : 0)
    case .float8(let number): .double(number)
    case .int4(let number): .int64(Int64(number))
    }
  }
}
