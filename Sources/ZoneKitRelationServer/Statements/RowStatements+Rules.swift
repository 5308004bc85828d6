import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// What is demanded of a row that is written, in the order in which PostgreSQL asks for it.
extension RowStatements {
  /// Throws unless the row may be written. `old` is the row before.
  func check(
    _ values: [Datum], of table: PreparedTable, _ command: CreatePolicy.Command, isReturning: Bool,
    old: StoredRow? = nil
  ) throws(RelationFailure) {
    try checkAccess(values, of: table, command, isReturning: isReturning)
    try checkConstraints(values, of: table, old: old)
  }

  /// Throws unless the row fulfils the constraints of its table, without its references.
  func checkConstraints(_ values: [Datum], of table: PreparedTable, old: StoredRow?) throws(RelationFailure) {
    for (column, value) in zip(table.columns, values) where value == .null && !column.isNullable {
      throw .refused(.nullValue(column.name, table.name.name, row(values, of: table)))
    }
    for check in table.checks {
      let value = try RelationFailure.refusing { () throws(SQLFailure) in try check.condition.value(of: values, context)
      }
      guard value == .boolean(false) else { continue }
      throw .refused(.brokenCheck(check.name, table.name.name, row(values, of: table)))
    }
    for key in table.keys where try same(values, by: key, of: table, besides: old?.number) != nil {
      throw .refused(.sameKey(key.name, showsValues(of: table) ? try self.key(key, of: values) : nil))
    }
  }

  private func checkAccess(
    _ values: [Datum], of table: PreparedTable, _ command: CreatePolicy.Command, isReturning: Bool
  ) throws(RelationFailure) {
    let commands = [command] + (isReturning ? [.select] : [])
    for command in commands {
      let condition = try RelationFailure.refusing { () throws(SQLFailure) in
        try command == .select ? security.using(.select, of: table) : security.check(command, of: table)
      }
      guard let condition else { continue }
      guard try holds(condition, for: values) else { throw .refused(.forbiddenRow(table.name.name, isUsing: false)) }
    }
  }

  /// The row with the same values by a key, other than that of a number; nil if there is none.
  func same(
    _ values: [Datum], by key: PreparedKey, of table: PreparedTable, besides number: Int64?
  ) throws(RelationFailure) -> StoredRow? {
    if let condition = key.condition, try !holds(condition, for: values) { return nil }
    var conditions = key.condition.map { [$0] } ?? []
    for part in key.parts {
      let value = try RelationFailure.refusing { () throws(SQLFailure) in try part.value(of: values, context) }
      guard value != .null || key.nullsNotDistinct else { return nil }
      conditions.append(
        value == .null
          ? TypedExpression(.test(part, .isNull), .boolean)
          : TypedExpression(.binary(part, .equal, TypedExpression(.constant(value), part.type)), .boolean))
    }
    var search = RowSearch(table.name, where: .all(conditions), context)
    search.limit = 2
    return try store.rows(search).first { $0.number != number }
  }

  // MARK: Words

  /// Whether messages may show values: not where policies limit what the role may read.
  func showsValues(of table: PreparedTable) -> Bool {
    !table.catalogue.hasRowSecurity || context.role == RowSecurity.unlimitedRole
  }

  /// The row as messages show it; nil if they may not.
  private func row(_ values: [Datum], of table: PreparedTable) -> String? {
    guard showsValues(of: table) else { return nil }
    return zip(table.columns, values).map { Self.words($0.type, $1) }.joined(separator: ", ")
  }

  private static func words(_ type: DatumType, _ datum: Datum) -> String {
    guard datum != .null else { return "null" }
    let text = type.text(of: datum)
    guard text.utf8.count > 64 else { return text }
    var end = 64
    let bytes = Array(text.utf8)
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + "..."
  }

  /// `(a, b)=(1, 2)`.
  private func key(_ key: PreparedKey, of values: [Datum]) throws(RelationFailure) -> String {
    var texts: [String] = []
    for part in key.parts {
      let value = try RelationFailure.refusing { () throws(SQLFailure) in try part.value(of: values, context) }
      texts.append(value == .null ? "null" : part.type.text(of: value))
    }
    return Self.pair(key.words, texts)
  }

  /// `(a, b)=(1, 2)`.
  static func pair(_ names: [String], _ texts: [String]) -> String {
    "(\(names.joined(separator: ", ")))=(\(texts.joined(separator: ", ")))"
  }
}
