import ZoneKitRelations

/// Writes the query of a URL for rows of a schema of a user's own, which `RelationQueryReader` reads.
struct RelationQueryWriter {
  private var items: [(name: String, value: String)] = []

  /// The query without its question mark; empty if it has no items.
  var text: String {
    items.map { "\(HTTPPercent.encode($0.name))=\(HTTPPercent.encode($0.value))" }.joined(separator: "&")
  }

  /// Adds an item.
  mutating func add(_ name: String, _ value: String) { items.append((name, value)) }

  /// Adds the names of columns.
  mutating func add(_ name: String, columns: [String]) {
    add(name, columns.map(RowQueryWriter.quotedName).joined(separator: ","))
  }

  /// Adds what an answer has of a row, the conditions, the order and the range.
  mutating func add(_ reading: RelationReading) {
    if reading.items != [.all] { add("select", reading.items.map(Self.text).joined(separator: ",")) }
    if reading.conditions.count == 1, case .compare(let field, let comparison, let text) = reading.conditions[0],
      field.path.isEmpty, !RowQueryWriter.words.contains(field.column)
    {
      add(field.column, "\(comparison.rawValue).\(text)")
    } else if !reading.conditions.isEmpty {
      add("and", Self.list(reading.conditions))
    }
    if !reading.order.isEmpty { add("order", reading.order.map(Self.text).joined(separator: ",")) }
    if let limit = reading.limit { add("limit", "\(limit)") }
    if reading.offset > 0 { add("offset", "\(reading.offset)") }
  }

  private static func text(_ item: RelationItem) -> String {
    switch item {
    case .all: return "*"
    case .value(let field, let name, let cast):
      let alias = name == field.name ? "" : RowQueryWriter.quotedName(name) + ":"
      return alias + text(field) + (cast.map { "::\($0)" } ?? "")
    case .embedded(let part):
      let alias = part.name == part.target || part.isSpread ? "" : RowQueryWriter.quotedName(part.name) + ":"
      let hint = part.hint.map { "!" + RowQueryWriter.quotedName($0) } ?? ""
      let items = part.reading.items.map(text).joined(separator: ",")
      return (part.isSpread ? "..." : alias) + RowQueryWriter.quotedName(part.target) + hint
        + (part.isInner ? "!inner" : "") + "(\(items))"
    }
  }

  private static func text(_ order: RelationOrder) -> String {
    let field = order.relation.map { "\(RowQueryWriter.quotedName($0))(\(text(order.field)))" } ?? text(order.field)
    let nulls = order.nullsFirst.map { $0 ? ".nullsfirst" : ".nullslast" } ?? ""
    return field + (order.isDescending ? ".desc" : ".asc") + nulls
  }

  private static func text(_ field: RelationField) -> String {
    field.path.reduce(RowQueryWriter.quotedName(field.column)) { $0 + ($1.isText ? "->>" : "->") + $1.key }
  }

  // MARK: Conditions

  private static func list(_ conditions: [RelationCondition]) -> String {
    "(\(conditions.map(text).joined(separator: ",")))"
  }

  private static func text(_ condition: RelationCondition) -> String {
    switch condition {
    case .all(let conditions): "and" + list(conditions)
    case .any(let conditions): "or" + list(conditions)
    case .not(.all(let conditions)): "not.and" + list(conditions)
    case .not(.any(let conditions)): "not.or" + list(conditions)
    case .not(let condition): "not.and" + list([condition])
    case .compare(let field, let comparison, let text):
      "\(self.text(field)).\(comparison.rawValue).\(quoted(text))"
    case .compareElements(let field, let comparison, let isAny, let text):
      "\(self.text(field)).\(comparison.rawValue)(\(isAny ? "any" : "all")).\(quoted(text))"
    case .isIn(let field, let texts): "\(text(field)).in.(\(texts.map(quoted).joined(separator: ",")))"
    case .test(let field, let test): "\(text(field)).is.\(test.rawValue)"
    }
  }

  /// A value within brackets. One that begins as an array does is in quotes, because it might not end as one.
  private static func quoted(_ text: String) -> String {
    guard text.utf8.first == UInt8(ascii: "{") else { return RowQueryWriter.quoted(text) }
    return "\"\(RowQueryWriter.escaped(text))\""
  }
}
