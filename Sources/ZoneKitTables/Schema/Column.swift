import ZoneKitRecords

/// A column of a table.
package struct Column: Hashable, Sendable {
  /// The column's name.
  package var name: Name
  /// The type of its values.
  package var type: ColumnType
  /// Whether a row must have a value here.
  package var isRequired: Bool
  /// The value that a new row has here unless the writer names one.
  package var defaultValue: RowValue
  /// The table to whose key the column refers; nil if it refers to none.
  package var foreignKey: ForeignKey?

  /// A column with those properties.
  package init(
    _ name: Name, _ type: ColumnType, isRequired: Bool = false, default defaultValue: RowValue = .null,
    refersTo foreignKey: ForeignKey? = nil
  ) {
    self.name = name
    self.type = type
    self.isRequired = isRequired
    self.defaultValue = defaultValue
    self.foreignKey = foreignKey
  }
}

extension Column {
  /// Whether the value is in a field of the row's record. The owner, the server's stamp and the author are not.
  package var isField: Bool { name != .ownerID && name != .updatedAt && name != .changedBy }

  /// The type of the column's field in a record.
  package var fieldType: FieldType {
    switch type {
    case .uuid: foreignKey == nil ? .string : .reference
    case .text: .string
    case .timestamp: .timestamp
    case .bool, .int4: .int64
    case .float8: .double
    }
  }
}
