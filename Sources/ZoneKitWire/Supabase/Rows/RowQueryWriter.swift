import ZoneKitRecords
import ZoneKitTables

/// Writes the query of a URL under `/rest/v1/<table>` (Tables over the wire, 4).
struct RowQueryWriter {
  private let table: Table
  private var items: [(name: String, value: String)] = []

  /// A writer of queries for that table.
  init(_ table: Table) { self.table = table }

  /// The query without its question mark; empty if it has no items.
  var text: String {
    items.map { "\(HTTPPercent.encode($0.name))=\(HTTPPercent.encode($0.value))" }.joined(separator: "&")
  }

  /// Adds the columns of the answer.
  mutating func add(_ selection: RowSelection) {
    switch selection {
    case .all: add("select", "*")
    case .columns(let columns):
      add("select", columns.map(Self.text).joined(separator: ","))
    }
  }

  private static func text(_ column: RowSelection.Column) -> String {
    let alias = column.alias.map { quotedName($0) + ":" } ?? ""
    return alias + quotedName(column.name.text) + (column.isText ? "::text" : "")
  }

  /// Adds conditions, order and range.
  mutating func add(_ query: RowQuery) {
    for filter in query.filters { add(filter) }
    if !query.order.isEmpty { add("order", query.order.map(Self.text).joined(separator: ",")) }
    if let limit = query.limit { add("limit", "\(limit)") }
    if query.offset > 0 { add("offset", "\(query.offset)") }
  }

  private static func text(_ order: RowQuery.Order) -> String {
    let nulls = order.nullsFirst == order.isDescending ? "" : order.nullsFirst ? ".nullsfirst" : ".nullslast"
    return quotedName(order.column.text) + (order.isDescending ? ".desc" : ".asc") + nulls
  }

  /// Adds the columns that the rows of a body may have.
  mutating func add(columns: [Name]) { add("columns", columns.map { Self.quotedName($0.text) }.joined(separator: ",")) }

  private mutating func add(_ name: String, _ value: String) { items.append((name, value)) }

  // MARK: Conditions

  private mutating func add(_ filter: RowFilter) {
    switch filter {
    case .all(let filters): if !filters.isEmpty { add("and", list(filters)) }
    case .any(let filters): add("or", list(filters))
    case .not(.all(let filters)) where !filters.isEmpty: add("not.and", list(filters))
    case .not(.any(let filters)): add("not.or", list(filters))
    case .not, .compare, .isIn, .like, .test:
      guard let (column, text) = simple(filter, isNested: false), !Self.words.contains(column.text) else {
        return add("and", list([filter]))
      }
      add(column.text, text)
    }
  }

  /// The items of a query that are no conditions.
  static let words: Set<String> = [
    "select", "order", "limit", "offset", "columns", "on_conflict", "and", "or", "not.and", "not.or",
  ]

  /// Conditions in brackets. No condition at all is written as one that no row, or every row, fulfils.
  private func list(_ filters: [RowFilter]) -> String {
    let texts = filters.map(nested)
    return "(\((texts.isEmpty ? [Self.quotedName(table.key[0].text) + ".in.()"] : texts).joined(separator: ",")))"
  }

  private func nested(_ filter: RowFilter) -> String {
    switch filter {
    case .all(let filters) where filters.isEmpty: return "not." + "or" + list([])
    case .all(let filters): return "and" + list(filters)
    case .any(let filters): return "or" + list(filters)
    case .not(.all(let filters)) where !filters.isEmpty: return "not.and" + list(filters)
    case .not(.any(let filters)): return "not.or" + list(filters)
    case .not, .compare, .isIn, .like, .test:
      if let (column, text) = simple(filter, isNested: true) { return "\(Self.quotedName(column.text)).\(text)" }
      // Only the opposite of an opposite, or of no condition, is left.
      if case .not(let opposite) = filter { return "not.and" + list([opposite]) }
      return "and" + list([])
    }
  }

  /// The column of a condition, and the text after it; nil for a condition of several ones.
  private func simple(_ filter: RowFilter, isNested: Bool) -> (column: Name, text: String)? {
    func value(_ text: String) -> String { isNested ? Self.quoted(text) : text }
    switch filter {
    case .compare(let column, let comparison, let operand):
      return (column, "\(comparison.rawValue).\(value(operand.plainText))")
    case .isIn(let column, let values):
      return (column, "in.(\(values.map { Self.quoted($0.plainText) }.joined(separator: ",")))")
    case .like(let column, let pattern):
      return (column, "\(pattern.ignoresCase ? "ilike" : "like").\(value(pattern.text))")
    case .test(let column, let test): return (column, "is.\(test.rawValue)")
    case .not(let opposite):
      switch opposite {
      case .compare, .isIn, .like, .test: return simple(opposite, isNested: isNested).map { ($0, "not." + $1) }
      case .all, .any, .not: return nil
      }
    case .all, .any: return nil
    }
  }

  /// A value, in quotes if it has a mark of the grammar.
  static func quoted(_ text: String) -> String {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { !marks.contains($0) }
    return isPlain ? text : "\"" + escaped(text) + "\""
  }

  /// A name, in quotes unless it has only letters, digits and underscores.
  static func quotedName(_ name: String) -> String {
    let isPlain = !name.isEmpty && name.utf8.allSatisfy(RowTextReader.isNameByte)
    return isPlain ? name : "\"" + escaped(name) + "\""
  }

  private static let marks = Set(#",()"\"#.utf8)

  static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}

extension RowValue {
  /// The value as a condition has it, without quotes.
  fileprivate var plainText: String {
    if case .text(let text) = self { return text }
    var bytes: [UInt8] = []
    bytes.append(self)
    return String(decoding: bytes.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
  }
}
