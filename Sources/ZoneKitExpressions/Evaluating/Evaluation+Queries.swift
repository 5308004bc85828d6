import ZoneKitRelations
import ZoneKitSchema

/// Queries.
extension Evaluation {
  /// The rows that a query finds; at most so many.
  func rows(_ query: TypedQuery, limit most: Int64 = .max) throws(SQLFailure) -> [[Datum]] {
    var run = QueryRun(self, query)
    let skipped = try run.count(query.skipped, "OFFSET") ?? 0
    let limit = min(most, try run.count(query.limit, "LIMIT") ?? .max)
    let end = skipped.addingReportingOverflow(limit)
    let isInOrderFound = query.order.isEmpty && query.distinct == .none
    var found = try run.found(isInOrderFound ? (end.overflow ? .max : end.partialValue) : .max)
    if !query.order.isEmpty {
      found = found.enumerated().sorted { first, second in
        TypedOrder.areInOrder(query.order, first.element.order, second.element.order) ?? (first.offset < second.offset)
      }.map(\.element)
    }
    if query.distinct != .none {
      var known: Set<[Datum]> = []
      found = found.filter { known.insert($0.distinct).inserted }
    }
    let rest = found.dropFirst(Int(clamping: skipped))
    return rest.prefix(Int(clamping: limit)).map(\.values)
  }
}

/// One evaluation of a query.
private struct QueryRun {
  /// A row that is found, with what it is sorted and compared by.
  struct Found {
    var values: [Datum]
    var order: [Datum] = []
    var distinct: [Datum] = []
  }

  /// A condition that can be tested as soon as the sources up to a place have rows.
  private struct Part {
    let condition: TypedExpression
    let place: Int
  }

  private let query: TypedQuery
  private let parts: [Part]
  /// The evaluation whose last level has the rows of the sources so far.
  private var evaluation: Evaluation
  /// How many rows of sources were looked at.
  private var looks = 0
  /// The rows of sources that do not depend on others.
  private var tables: [Int: [[Datum]]] = [:]
  /// The places of those rows by the values that a condition compares.
  private var indexes: [Int: [Datum: [Int]]] = [:]

  init(_ outer: Evaluation, _ query: TypedQuery) {
    self.query = query
    evaluation = outer
    evaluation.levels.append([])
    parts = (query.condition?.conjuncts ?? []).map { Part(condition: $0, place: $0.lastSource) }
  }

  /// A number of rows; nil for all.
  mutating func count(_ expression: TypedExpression?, _ word: String) throws(SQLFailure) -> Int64? {
    guard let expression, case .integer(let count) = try evaluation.value(expression) else { return nil }
    guard count >= 0 else {
      throw SQLFailure(word == "LIMIT" ? .invalidLimit : .invalidOffset, "\(word) must not be negative")
    }
    return count
  }

  /// The first rows that are found.
  mutating func found(_ limit: Int64) throws(SQLFailure) -> [Found] {
    var found: [Found] = []
    guard limit > 0, try holds(before: 0) else { return [] }
    try combine(from: 0, limit, &found)
    return found
  }

  /// Combines the rows of the sources from that place on with those that the evaluation has.
  private mutating func combine(from place: Int, _ limit: Int64, _ found: inout [Found]) throws(SQLFailure) {
    guard place < query.sources.count else {
      var row = Found(values: try evaluation.values(query.results))
      if !query.order.isEmpty { row.order = try evaluation.values(query.order.map(\.value)) }
      switch query.distinct {
      case .none: break
      case .rows: row.distinct = row.values
      case .values(let values): row.distinct = try evaluation.values(values)
      }
      return found.append(row)
    }
    let join = query.joins.first { $0.places.lowerBound == place } ?? .source(place)
    let level = evaluation.levels.count - 1
    for rows in try self.rows(of: join) {
      try look()
      evaluation.levels[level] += rows
      defer { evaluation.levels[level].removeLast(rows.count) }
      guard try holds(before: place + rows.count, from: place) else { continue }
      try combine(from: place + rows.count, limit, &found)
      if Int64(found.count) >= limit { return }
    }
  }

  /// Looks at another row of a source. Throws if there are too many.
  private mutating func look() throws(SQLFailure) {
    looks += 1
    if looks > 5_000_000 { throw SQLFailure(.canceled, "canceling statement due to statement timeout") }
  }

  /// Whether the conditions hold that can be tested with the rows of the sources up to a place.
  private func holds(before end: Int, from start: Int = -1) throws(SQLFailure) -> Bool {
    for part in parts where part.place < end && part.place >= start {
      if try evaluation.value(part.condition) != .boolean(true) { return false }
    }
    return true
  }

  // MARK: Sources

  /// The rows of a part of the sources, for each of its sources one.
  private mutating func rows(of join: TypedJoin) throws(SQLFailure) -> [[[Datum]]] {
    switch join {
    case .source(let place): return try rows(ofSource: place, fitting: parts.map(\.condition)).map { [$0] }
    case .join(let left, let kind, let right, let condition):
      return try joined(left, kind, right, on: condition)
    }
  }

  /// The rows of two sides that fit together, and those that a join has beside them.
  private mutating func joined(
    _ left: TypedJoin, _ kind: SQLQuery.Join, _ right: TypedJoin, on condition: TypedExpression?
  ) throws(SQLFailure) -> [[[Datum]]] {
    let level = evaluation.levels.count - 1
    let first = try rows(of: left)
    let conjuncts = condition?.conjuncts ?? []
    var result: [[[Datum]]] = []
    var matched: Set<[[Datum]]> = []
    for rows in first {
      evaluation.levels[level] += rows
      defer { evaluation.levels[level].removeLast(rows.count) }
      var isMatched = false
      let candidates: [[[Datum]]] =
        if case .source(let place) = right {
          try self.rows(ofSource: place, fitting: conjuncts).map { [$0] }
        } else {
          try self.rows(of: right)
        }
      for other in candidates {
        try look()
        evaluation.levels[level] += other
        let fits = try condition.map { (value) throws(SQLFailure) in try evaluation.value(value) == .boolean(true) }
        evaluation.levels[level].removeLast(other.count)
        guard fits ?? true else { continue }
        isMatched = true
        if kind == .right || kind == .full { matched.insert(other) }
        result.append(rows + other)
      }
      if !isMatched, kind == .left || kind == .full { result.append(rows + nulls(right.places)) }
    }
    guard kind == .right || kind == .full else { return result }
    let gap = nulls(left.places)
    evaluation.levels[level] += gap
    defer { evaluation.levels[level].removeLast(gap.count) }
    for other in try rows(of: right) where !matched.contains(other) { result.append(gap + other) }
    return result
  }

  private func nulls(_ places: Range<Int>) -> [[Datum]] {
    places.map { [Datum](repeating: .null, count: query.sources[$0].shape.columns.count) }
  }

  /// The rows of a source. Of those that a condition compares with a known value, only the fitting ones are returned.
  private mutating func rows(ofSource place: Int, fitting conditions: [TypedExpression]) throws(SQLFailure) -> [[Datum]]
  {
    let source = query.sources[place]
    if source.isLateral { return try evaluation.rows(of: source) }
    if tables[place] == nil { tables[place] = try evaluation.rows(of: source) }
    let table = tables[place] ?? []
    guard table.count > 8, let (column, other) = conditions.lazy.compactMap({ $0.lookup(in: place) }).first else {
      return table
    }
    if indexes[place] == nil {
      var index: [Datum: [Int]] = [:]
      for (number, row) in table.enumerated() { index[row[column], default: []].append(number) }
      indexes[place] = index
    }
    let value = try evaluation.value(other)
    guard value != .null else { return [] }
    return (indexes[place]?[value] ?? []).map { table[$0] }
  }
}

extension Evaluation {
  /// The rows of a source of the query whose level is the last one.
  fileprivate func rows(of source: RowSource) throws(SQLFailure) -> [[Datum]] {
    switch source.derivation {
    case nil: return try context.rows(source.shape)
    case .query(let query)?:
      return query.isCounting ? [[.integer(Int64(try rows(query).count))]] : try rows(query)
    case .groups(let groups)?: return try rows(of: groups)
    case .combination(let left, let kind, let isAll, let right)?:
      return try combined(rows(left), kind, isAll, rows(right))
    case .values(let rows)?: return try rows.map { (row) throws(SQLFailure) in try values(row) }
    case .function(let function, let arguments)?: return try RowFunctions.rows(function, values(arguments))
    }
  }

  private func combined(
    _ first: [[Datum]], _ kind: SQLQuery.Combination, _ isAll: Bool, _ second: [[Datum]]
  ) -> [[Datum]] {
    var counts: [[Datum]: Int] = [:]
    for row in second { counts[row, default: 0] += 1 }
    var known: Set<[Datum]> = []
    switch (kind, isAll) {
    case (.union, true): return first + second
    case (.union, false): return (first + second).filter { known.insert($0).inserted }
    case (.intersection, false): return first.filter { counts[$0] != nil && known.insert($0).inserted }
    case (.difference, false): return first.filter { counts[$0] == nil && known.insert($0).inserted }
    case (_, true):
      return first.filter { row in
        let left = counts[row] ?? 0
        if left > 0 { counts[row] = left - 1 }
        return (left > 0) == (kind == .intersection)
      }
    }
  }
}

extension TypedExpression {
  /// The conditions that hold together if it holds.
  fileprivate var conjuncts: [TypedExpression] {
    if case .and(let parts) = kind { parts.flatMap(\.conjuncts) } else { [self] }
  }

  /// The last source of its own query that it uses; -1 for none.
  fileprivate var lastSource: Int { columns.filter { $0.level == 0 }.map(\.source).max() ?? -1 }

  /// If it compares a column of a source with a value that is known before the source's row is: the column and the value.
  fileprivate func lookup(in place: Int) -> (column: Int, value: TypedExpression)? {
    guard case .binary(let left, .equal, let right) = kind, left.type == right.type, left.type.hasPlainEquality else {
      return nil
    }
    for (own, other) in [(left, right), (right, left)] {
      guard case .column(let column) = own.kind, column.level == 0, column.source == place, other.lastSource < place
      else { continue }
      return (column.column, other)
    }
    return nil
  }
}

extension DatumType {
  /// Whether two values are equal just if what is kept of them is.
  fileprivate var hasPlainEquality: Bool {
    switch self {
    case .uuid, .text, .varchar, .smallint, .integer, .bigint, .date, .boolean, .enumeration: true
    default: false
    }
  }
}

extension SQLFailure.Code {
  /// The number of rows that are left out is below zero.
  static let invalidOffset = SQLFailure.Code(rawValue: "2201X")
  /// A statement takes too long.
  package static let canceled = SQLFailure.Code(rawValue: "57014")
}
