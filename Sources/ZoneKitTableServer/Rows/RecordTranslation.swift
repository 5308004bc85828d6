import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// Translates conditions and orders of rows to those of the rows' records, which stores answer with indexes. Both have the
/// same result for each row, also where it is unknown.
struct RecordTranslation {
  let table: Table
  let account: UUID

  /// The condition on records; nil if only rows can be tested for it.
  func condition(_ filter: RowFilter) -> RecordCondition? {
    switch filter {
    case .all(let filters): conditions(filters).map { .all($0) }
    case .any(let filters): conditions(filters).map { .anyOf($0) }
    case .not(let filter): condition(filter).map { .not($0) }
    case .compare(.ownerID, _, _), .isIn(.ownerID, _), .test(.ownerID, _): constant(filter)
    case .compare(let name, let comparison, let value):
      place(name).flatMap { column, key in
        self.value(value, of: column).map { .compare(key, comparison.ofRecords, $0) }
      }
    case .isIn(let name, let values):
      place(name).flatMap { column, key in
        let translated = values.compactMap { value($0, of: column) }
        return translated.count == values.count ? .isIn(key, translated) : nil
      }
    case .test(let name, let test): place(name).map { column, key in condition(test, of: column, key) }
    case .like: nil
    }
  }

  private func conditions(_ filters: [RowFilter]) -> [RecordCondition]? {
    let translated = filters.compactMap { condition($0) }
    return translated.count == filters.count ? translated : nil
  }

  /// A condition on the owner, whom all rows of the account have.
  private func constant(_ filter: RowFilter) -> RecordCondition? {
    guard table.column(.ownerID) != nil else { return nil }
    var row = Row(Array(repeating: .null, count: table.columns.count))
    row[.ownerID, table] = .uuid(account)
    return filter.isFulfilled(by: row, of: table) ? .all([]) : .any([])
  }

  private func condition(_ test: RowFilter.Test, of column: Column, _ key: RecordKey) -> RecordCondition {
    switch test {
    case .null, .unknown: .isMissing(key)
    case .notNull: .not(.isMissing(key))
    case .true, .false:
      column.type == .bool
        ? .all([.not(.isMissing(key)), .compare(key, .equal, .integer(test == .true ? 1 : 0))]) : .any([])
    }
  }

  /// A condition that all rows fulfil which fulfil the filter; nil if there is none that helps.
  func necessaryCondition(_ filter: RowFilter) -> RecordCondition? {
    switch filter {
    case .all(let filters):
      let known = filters.compactMap { condition($0) ?? necessaryCondition($0) }
      return known.isEmpty ? nil : .all(known)
    case .any(let filters):
      let known = filters.compactMap { condition($0) ?? necessaryCondition($0) }
      return known.count == filters.count ? .anyOf(known) : nil
    case .like(let name, let pattern):
      guard let (column, key) = place(name), column.type == .text else { return nil }
      if let start = pattern.beginning, let end = start.following {
        return .all([
          .compare(key, .greaterOrEqual, .text(Name(start))), .compare(key, .less, .text(Name(end))),
        ])
      }
      let texts = pattern.necessaryTexts
      return texts.isEmpty ? nil : .contains(key, texts)
    case .not, .compare, .isIn, .test: return condition(filter)
    }
  }

  /// The order of records; nil if rows have to be sorted.
  func order(_ terms: [RowQuery.Order]) -> [RecordQuery.Order]? {
    var order: [RecordQuery.Order] = []
    for term in terms where term.column != .ownerID {
      guard let (_, key) = place(term.column) else { return nil }
      order.append(RecordQuery.Order(key, isDescending: term.isDescending, missingFirst: term.nullsFirst))
    }
    return order
  }

  /// A column with its value in records; nil if records do not have it as a value of its own.
  private func place(_ name: Name) -> (column: Column, key: RecordKey)? {
    guard let column = table.column(name) else { return nil }
    if name == .updatedAt { return (column, .modifiedAt) }
    guard column.isField else { return nil }
    if table.key == [name] { return (column, .recordName) }
    return (column, column.foreignKey == nil ? .field(name) : .target(name))
  }

  private func value(_ value: RowValue, of column: Column) -> RecordValue? {
    guard value.type == column.type else { return nil }
    switch value {
    case .null: return nil
    case .uuid(let id):
      if let referred = column.foreignKey?.table { return .text(RowKey([id]).recordName(in: referred)) }
      return .text(table.key == [column.name] ? RowKey([id]).recordName(in: table.name) : Name(id.text))
    case .text(let text): return .text(Name(text))
    case .timestamp(let time): return .integer(time.milliseconds)
    case .bool(let bool): return .integer(bool ? 1 : 0)
    case .float8(let number): return .number(number)
    case .int4(let number): return .integer(Int64(number))
    }
  }
}

extension RowFilter.Comparison {
  fileprivate var ofRecords: RecordCondition.Comparison {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    }
  }
}

extension String {
  /// The first text that comes after all texts with this beginning, in the order of bytes; nil if it is not easily made.
  fileprivate var following: String? {
    guard let last = unicodeScalars.last, last.value < 0x7F else { return nil }
    return String(String.UnicodeScalarView(unicodeScalars.dropLast()))
      + String(Character(Unicode.Scalar(UInt8(last.value + 1))))
  }
}
