import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitRelationServer
import ZoneKitSchema

/// A search as a statement of SQLite.
///
/// What SQLite computes as PostgreSQL does is written in its own words: comparisons, lists, tests, the three logical operators
/// and queries. Any other part becomes a call of the function `zonekit_value`, which evaluates it.
struct SearchText {
  /// The statement.
  private(set) var sql = ""
  /// The values of its parameters.
  private(set) var values: [Statement.Value] = []
  /// The parts that the function evaluates, by number.
  private(set) var calls: [ExpressionCall] = []

  private let tables: [ObjectName: RelationTable]
  /// The names of the sources of each query around the part that is being written, the outermost first.
  private var levels: [[(alias: String, table: RelationTable)]]
  private var aliases = 0

  private init(_ levels: [[(alias: String, table: RelationTable)]], _ tables: [ObjectName: RelationTable]) {
    self.tables = tables
    self.levels = levels
  }

  /// The statement that returns the number and the values of each row that is found.
  static func rows(_ search: RowSearch, in table: RelationTable, _ tables: [ObjectName: RelationTable]) -> SearchText {
    var text = SearchText([[("s", table)]], tables)
    let columns = [RelationTable.number] + table.columns
    text.sql = "SELECT \(columns.map { "s.\($0)" }.joined(separator: ", ")) FROM \(table.sql) AS s"
    text.addCondition(search)
    let direction = search.order.last?.isDescending ?? false ? " DESC" : ""
    let parts = search.order.map { text.order($0) } + ["s.\(RelationTable.number)\(direction)"]
    text.sql += " ORDER BY \(parts.joined(separator: ", "))"
    if search.limit != nil || search.offset > 0 {
      text.values += [.integer(Int64(search.limit ?? -1)), .integer(Int64(search.offset))]
      text.sql += " LIMIT ? OFFSET ?"
    }
    return text
  }

  /// The statement that returns a row if a condition about no row holds.
  static func condition(_ condition: TypedExpression, _ tables: [ObjectName: RelationTable]) -> SearchText {
    var text = SearchText([[]], tables)
    text.sql = "SELECT 1 WHERE \(text.expression(condition))"
    return text
  }

  /// The statement that returns the number of rows that are found.
  static func count(_ search: RowSearch, in table: RelationTable, _ tables: [ObjectName: RelationTable]) -> SearchText {
    var text = SearchText([[("s", table)]], tables)
    text.sql = "SELECT count(*) FROM \(table.sql) AS s"
    text.addCondition(search)
    return text
  }

  /// The statement that makes an index; nil if it is not one of columns alone, which SQLite cannot keep.
  /// Behind the columns an index has the row's number, upwards, and an order has it in the direction of its last part. So an
  /// index whose last part goes downwards is kept the other way round, and read backwards.
  static func index(_ index: IndexLayout, of table: RelationTable) -> String? {
    guard index.condition == nil else { return nil }
    let isTurned = index.parts.last?.isDescending ?? false
    var parts: [String] = []
    for part in index.parts {
      guard case .column(let place) = part.value.kind else { return nil }
      parts.append(table.columns[place.column] + (part.isDescending != isTurned ? " DESC" : ""))
    }
    let name = "\(table.layout.name.schema).\(index.name)".quotedForSQLite
    return "CREATE INDEX \(name) ON \(table.sql)(\(parts.joined(separator: ", ")))"
  }

  private mutating func addCondition(_ search: RowSearch) {
    guard let condition = search.condition else { return }
    sql += " WHERE \(expression(condition))"
  }

  private mutating func order(_ part: TypedOrder) -> String {
    let value = collated(part.value)
    let direction = part.isDescending ? " DESC" : ""
    // In SQLite nulls are the least values. Words about nulls keep it from using an index where there are none.
    guard !isNeverNull(part.value), part.nullsFirst == part.isDescending else { return value + direction }
    return value + direction + (part.nullsFirst ? " NULLS FIRST" : " NULLS LAST")
  }

  /// Whether the value is never null, as far as that is known without the rows.
  private func isNeverNull(_ value: TypedExpression) -> Bool {
    switch value.kind {
    case .constant(let datum): return datum != .null
    case .column(let place):
      let source = levels[levels.count - 1 - place.level][place.source]
      return source.table.layout.notNull.contains(place.column)
    default: return false
    }
  }

  // MARK: Expressions

  /// The expression in SQLite's words, or as a call.
  private mutating func expression(_ expression: TypedExpression) -> String {
    let (count, calls) = (values.count, self.calls.count)
    if let text = own(expression) { return text }
    values.removeSubrange(count...)
    self.calls.removeSubrange(calls...)
    return call(expression)
  }

  /// The expression with the collation of its type.
  private mutating func collated(_ expression: TypedExpression) -> String {
    let text = self.expression(expression)
    guard let collation = DatumForm(type: expression.type).collation else { return text }
    return "\(text) COLLATE \(collation.quotedForSQLite)"
  }

  /// The expression in SQLite's words; nil if it computes something that SQLite does not compute in the same way.
  private mutating func own(_ expression: TypedExpression) -> String? {
    switch expression.kind {
    case .constant(let datum):
      values.append(DatumForm(type: expression.type).value(datum))
      return "?"
    case .column(let place):
      let source = levels[levels.count - 1 - place.level][place.source]
      return "\(source.alias).\(source.table.columns[place.column])"
    case .converted(let value, _):
      return Self.isSameForm(value.type, expression.type) ? self.expression(value) : nil
    case .and(let parts): return "(\(parts.map { self.expression($0) }.joined(separator: " AND ")))"
    case .or(let parts): return "(\(parts.map { self.expression($0) }.joined(separator: " OR ")))"
    case .not(let value): return "(NOT \(self.expression(value)))"
    case .test(let value, let test): return "(\(self.expression(value)) \(Self.words(test)))"
    case .binary(let left, let known, let right):
      guard let word = Self.comparison(known), Self.isComparable(left.type, right.type) else { return nil }
      return "(\(collated(left)) \(word) \(self.expression(right)))"
    case .quantified(let value, let known, let quantifier, let array):
      return list(value, known, quantifier, array)
    case .exists(let query):
      return query.isPlain ? self.query(query, results: "1").map { "EXISTS (\($0))" } : nil
    case .quantifiedQuery(let value, let known, let quantifier, let query):
      return membership(value, known, quantifier, query)
    case .negated, .moved, .call, .element, .array, .choice, .query, .arrayOfQuery: return nil
    }
  }

  /// `value IN (…)` for a list of constants.
  private mutating func list(
    _ value: TypedExpression, _ known: SQLOperator, _ quantifier: SQLExpression.Quantifier, _ array: TypedExpression
  ) -> String? {
    guard case .constant(.array(let elements)) = array.kind, case .array(let type) = array.type,
      elements.count <= Self.listLimit, Self.isComparable(value.type, type)
    else { return nil }
    let word: String
    switch (known, quantifier) {
    case (.equal, .any): word = "IN"
    case (.notEqual, .all): word = "NOT IN"
    default: return nil
    }
    let text = collated(value)
    values += elements.map { DatumForm(type: type).value($0) }
    return "(\(text) \(word) (\(Array(repeating: "?", count: elements.count).joined(separator: ", "))))"
  }

  /// The most constants of a list that become parameters. A statement has at most 32,766 (SQLite: limits.html).
  private static let listLimit = 10_000

  /// `value IN (SELECT …)`.
  private mutating func membership(
    _ value: TypedExpression, _ known: SQLOperator, _ quantifier: SQLExpression.Quantifier, _ query: TypedQuery
  ) -> String? {
    guard let result = query.results.first, query.isPlain, Self.isComparable(value.type, result.type) else {
      return nil
    }
    let word: String
    switch (known, quantifier) {
    case (.equal, .any): word = "IN"
    case (.notEqual, .all): word = "NOT IN"
    default: return nil
    }
    let text = collated(value)
    return self.query(query, results: nil).map { "(\(text) \(word) (\($0)))" }
  }

  /// A query with that result, or with its own for nil; nil if it reads a table that is not kept here.
  private mutating func query(_ query: TypedQuery, results: String?) -> String? {
    var sources: [(alias: String, table: RelationTable)] = []
    for source in query.sources {
      guard let table = tables[source.shape.objectName] else { return nil }
      aliases += 1
      sources.append(("q\(aliases)", table))
    }
    levels.append(sources)
    defer { levels.removeLast() }
    let result = results ?? query.results.first.map { expression($0) } ?? "1"
    let from = sources.map { "\($0.table.sql) AS \($0.alias)" }.joined(separator: ", ")
    let condition = query.condition.map { " WHERE \(expression($0))" } ?? ""
    return "SELECT \(result)" + (from.isEmpty ? "" : " FROM \(from)") + condition
  }

  // MARK: Calls

  /// A call of the function that evaluates the expression, with the columns that it uses.
  private mutating func call(_ expression: TypedExpression) -> String {
    let places = expression.columns.sorted { ($0.level, $0.source, $0.column) < ($1.level, $1.source, $1.column) }
    let columns = places.map { place in
      let source = levels[levels.count - 1 - place.level][place.source]
      return (name: "\(source.alias).\(source.table.columns[place.column])", form: source.table.forms[place.column])
    }
    let shape = levels.map { $0.map { $0.table.columns.count } }
    calls.append(ExpressionCall(expression: expression, places: places, forms: columns.map(\.form), shape: shape))
    return "zonekit_value(\((["\(calls.count - 1)"] + columns.map(\.name)).joined(separator: ", ")))"
  }

  // MARK: What is the same

  private static func comparison(_ known: SQLOperator) -> String? {
    switch known {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: known.rawValue
    case .isDistinctFrom: "IS NOT"
    case .isNotDistinctFrom: "IS"
    default: nil
    }
  }

  private static func words(_ test: SQLTest) -> String {
    switch test {
    case .isUnknown: "IS NULL"
    case .isNotUnknown: "IS NOT NULL"
    case .isNotTrue: "IS NOT TRUE"
    case .isNotFalse: "IS NOT FALSE"
    case .isNull, .isNotNull, .isTrue, .isFalse: test.rawValue
    }
  }

  /// Whether what is kept of values of both types can be compared as it is.
  private static func isComparable(_ first: DatumType, _ second: DatumType) -> Bool {
    guard let own = family(first), let other = family(second) else { return false }
    return own == other
  }

  /// Whether a conversion between two types changes nothing of what is kept.
  private static func isSameForm(_ first: DatumType, _ second: DatumType) -> Bool {
    switch (first, second) {
    case (.smallint, .integer), (.smallint, .bigint), (.integer, .bigint): true
    case (.varchar, .text), (.varchar, .varchar(nil)), (.text, .varchar(nil)), (.real, .doublePrecision): true
    case (.numeric, .numeric(nil)): true
    default: first == second
    }
  }

  private static func family(_ type: DatumType) -> String? {
    switch type {
    case .smallint, .integer, .bigint: "integer"
    case .text, .varchar: "text"
    case .real, .doublePrecision: "double"
    case .json: nil
    case .enumeration, .boolean, .numeric, .char, .uuid, .date, .time, .timestamp, .timestamptz, .jsonb, .bytea, .array:
      type.name
    }
  }
}
