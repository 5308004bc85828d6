import ZoneKitRecords

/// Some columns of a row with their new values.
package struct RowContent: Hashable, Sendable {
  /// A column with its new value.
  package struct Member: Hashable, Sendable {
    /// The column's name.
    package var column: Name
    /// Its value.
    package var value: RowValue
  }

  /// The columns, in ascending order of their names. There are few, so that they are found by comparing.
  package private(set) var members: [Member] = []

  /// Those values.
  package init(_ values: [Name: RowValue]) {
    members = values.sorted { $0.key < $1.key }.map { Member(column: $0.key, value: $0.value) }
  }

  /// The values by column. A column that is not in it stays as it is.
  package var values: [Name: RowValue] {
    Dictionary(uniqueKeysWithValues: members.map { ($0.column, $0.value) })
  }

  /// Whether no column is named.
  package var isEmpty: Bool { members.isEmpty }

  /// The key that the columns name; nil if one is missing.
  package func key(of table: Table) -> RowKey? {
    var parts: [UUID] = []
    for column in table.key {
      guard let part = self[column]?.uuid else { return nil }
      parts.append(part)
    }
    return RowKey(parts)
  }

  /// The value of a column; nil if the column is not named.
  package subscript(column: Name) -> RowValue? {
    get {
      for index in members.indices where members[index].column == column { return members[index].value }
      return nil
    }
    set {
      if let place = members.firstIndex(where: { $0.column == column }) {
        if let newValue { members[place].value = newValue } else { members.remove(at: place) }
      } else if let newValue {
        let place = members.firstIndex { column < $0.column } ?? members.endIndex
        members.insert(Member(column: column, value: newValue), at: place)
      }
    }
  }
}
