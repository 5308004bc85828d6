import ZoneKitRelations
import ZoneKitSchema

/// Queries.
extension ExpressionScope {
  /// The query with types.
  package func resolved(_ query: SQLQuery) throws(ExpressionProblem) -> TypedQuery { try self.query(query) }

  /// The query with types, whose values are converted to those of columns as when rows are written.
  package func resolved(_ query: SQLQuery, as columns: [ColumnShape]) throws(ExpressionProblem) -> TypedQuery {
    let found = try self.query(query, as: columns)
    guard found.results.count == columns.count else {
      let message = "INSERT has \(found.results.count) expressions for \(columns.count) target columns"
      throw ExpressionProblem(.syntax, message, at: query.offset)
    }
    return found
  }

  /// The query with types. Its values are converted to those of columns, unless there are none.
  func query(
    _ query: SQLQuery, as columns: [ColumnShape]? = nil, mayCount: Bool = true
  ) throws(ExpressionProblem) -> TypedQuery {
    var scope = self
    for named in query.named {
      let found = try scope.inside([]).query(named.query, mayCount: false).renamed(named.columns)
      // Each use of its name stands for all its parts.
      guard !found.isTooLarge else {
        throw ExpressionProblem(.notSupported, "the query \(named.name) has too many parts", at: named.query.offset)
      }
      scope.named.append(NamedQuery(name: named.name, query: found, level: levels.count))
    }
    if mayCount, let counted = query.counted, let found = try scope.counting(counted, query) { return found }
    // The rows of groups are those of a source of the query, whose own sources are one level further in.
    let isGrouping = query.isGrouping
    let base = isGrouping ? scope.inside([]) : scope
    let from = try base.from(query.tables)
    var inner = base.inside(from.sources)
    var conditions = from.conditions
    if let condition = query.condition { conditions.append(try inner.condition(condition, of: "WHERE")) }
    var typed = TypedQuery([], from: from.sources, where: .all(conditions))
    typed.joins = from.joins
    if isGrouping { inner.aggregates = try inner.aggregates(of: query.values) }
    try inner.addResults(query, as: columns, to: &typed)
    for part in query.order { typed.order.append(try inner.order(part, of: typed)) }
    switch query.distinct {
    case .none: break
    case .rows: typed.distinct = .rows
    case .values(let values):
      typed.distinct = .values(
        try values.map { (value) throws(ExpressionProblem) in
          try inner.order(SQLQuery.Order(value), of: typed).value
        })
    }
    if isGrouping { typed = try grouped(typed, query, inner) }
    typed.limit = try scope.rowCount(query.limit, "LIMIT")
    typed.skipped = try scope.rowCount(query.skipped, "OFFSET")
    return typed
  }

  /// A query that finds how many rows of tables there are; of rows where `counted` is not null, if it is a value. Nil if it reads
  /// anything else.
  private func counting(_ counted: [SQLExpression], _ query: SQLQuery) throws(ExpressionProblem) -> TypedQuery? {
    let from = try from(query.tables)
    guard from.joins.isEmpty, from.sources.allSatisfy({ $0.derivation == nil }) else { return nil }
    let inner = inside(from.sources)
    var conditions = from.conditions
    if let condition = query.condition { conditions.append(try inner.condition(condition, of: "WHERE")) }
    for value in counted { conditions.append(TypedExpression(.test(try inner.resolve(value), .isNotNull), .boolean)) }
    let one = TypedExpression(.constant(.integer(1)), .bigint)
    var typed = TypedQuery([one], from: from.sources, where: .all(conditions))
    typed.names = ["count"]
    typed.isCounting = true
    return typed
  }

  /// The query, which finds one value for each row.
  func oneColumn(_ query: SQLQuery, mayCount: Bool = false) throws(ExpressionProblem) -> TypedQuery {
    let found = try self.query(query, mayCount: mayCount)
    guard found.results.count == 1 else {
      throw ExpressionProblem(.syntax, "subquery must return only one column", at: query.offset)
    }
    return found
  }

  /// The one value that a query finds.
  func scalar(_ query: SQLQuery) throws(ExpressionProblem) -> TypedExpression {
    let found = try oneColumn(query, mayCount: true)
    return TypedExpression(.query(found), found.results[0].type.unlimited)
  }

  /// The scope of what is written inside of a query of those tables.
  package func inside(_ sources: [RowSource]) -> ExpressionScope {
    var scope = self
    scope.levels.append(sources)
    scope.aggregates = nil
    return scope
  }

  // MARK: Results

  /// The results of a query about the rows that this scope is about, converted to those of columns.
  package func results(of query: SQLQuery, as columns: [ColumnShape]?) throws(ExpressionProblem) -> TypedQuery {
    var typed = TypedQuery([], from: levels.last ?? [])
    try addResults(query, as: columns, to: &typed)
    return typed
  }

  private func addResults(
    _ query: SQLQuery, as columns: [ColumnShape]?, to typed: inout TypedQuery
  ) throws(ExpressionProblem) {
    for result in query.results {
      switch result {
      case .allColumns:
        guard !typed.sources.isEmpty else {
          throw ExpressionProblem(.syntax, "SELECT * with no tables specified is not valid", at: query.offset)
        }
        for (place, source) in typed.sources.enumerated() { add(source, at: place, withMerged: false, to: &typed) }
      case .columns(let name):
        guard let place = typed.sources.firstIndex(where: { $0.alias.isSame(name) }) else {
          throw ExpressionProblem(
            .unknownTable, "missing FROM-clause entry for table \"\(name)\"", at: query.offset)
        }
        add(typed.sources[place], at: place, withMerged: true, to: &typed)
      case .value(let value, let name):
        let column = columns.flatMap { $0.indices.contains(typed.results.count) ? $0[typed.results.count] : nil }
        if let column {
          typed.results.append(try resolve(value, as: column))
        } else {
          typed.results.append(try resolve(value))
        }
        typed.names.append(name ?? value.resultName)
      }
    }
    guard let columns, columns.count == typed.results.count else { return }
    for (place, column) in columns.enumerated() where typed.results[place].type != column.type {
      let operand = Operand(value: .typed(typed.results[place]), offset: query.offset)
      guard let value = try coerced(operand, to: column.type, .assignment) else {
        let types = "is of type \(column.type.name) but expression is of type \(operand.slot.name)"
        throw ExpressionProblem(.typeMismatch, "column \"\(column.name)\" \(types)", at: query.offset)
      }
      typed.results[place] = value
    }
  }

  private func add(_ source: RowSource, at place: Int, withMerged: Bool, to typed: inout TypedQuery) {
    for (column, value) in zip(source.shape.columns, source.allColumns(source: place))
    where withMerged || !source.merged.contains(column.name) {
      typed.results.append(value)
      typed.names.append(column.name)
    }
  }

  /// A part of an order of a query with those results: the name or the number of one, or a value.
  private func order(_ part: SQLQuery.Order, of typed: TypedQuery) throws(ExpressionProblem) -> TypedOrder {
    let value: TypedExpression
    switch part.value.kind {
    case .constant(.integer(let number)):
      guard let place = Int(exactly: number), typed.results.indices.contains(place - 1) else {
        let message = "ORDER BY position \(number) is not in select list"
        throw ExpressionProblem(.invalidColumnReference, message, at: part.value.offset)
      }
      value = typed.results[place - 1]
    case .column(let column) where column.table == nil && typed.names.contains(where: { $0.isSame(column.name) }):
      value = typed.results[typed.names.firstIndex { $0.isSame(column.name) } ?? 0]
    default: value = try resolve(part.value)
    }
    guard value.type != .json else {
      throw ExpressionProblem(
        .unknownFunction, "could not identify an ordering operator for type json", at: part.value.offset)
    }
    return TypedOrder(value, isDescending: part.isDescending, nullsFirst: part.nullsFirst)
  }

  /// A number of rows behind that word; nil for all.
  private func rowCount(_ expression: SQLExpression?, _ word: String) throws(ExpressionProblem) -> TypedExpression? {
    guard let expression else { return nil }
    let operand = try inside([]).operand(expression)
    guard let value = try coerced(operand, to: .bigint, .assignment) else {
      throw ExpressionProblem(
        .typeMismatch, "argument of \(word) must be type bigint, not type \(operand.slot.name)", at: expression.offset)
    }
    switch value.kind {
    case .constant(.null): return nil
    case .constant(.integer(..<0)):
      throw ExpressionProblem(.invalidLimit, "\(word) must not be negative", at: expression.offset)
    default: return value
    }
  }

  // MARK: Groups

  /// A query whose values are still about rows of its sources, as one about groups of them. `inner` is the scope of its values.
  private func grouped(
    _ typed: TypedQuery, _ query: SQLQuery, _ inner: ExpressionScope
  ) throws(ExpressionProblem) -> TypedQuery {
    var keys: [TypedExpression] = []
    for group in query.groups { keys.append(try inner.groupKey(group, of: typed)) }
    let condition = try query.groupCondition.map { (condition) throws(ExpressionProblem) in
      try inner.condition(condition, of: "HAVING")
    }
    var values = GroupValues(keys: keys, sources: typed.sources, offset: query.offset)
    var all = typed.results + typed.order.map(\.value) + (condition.map { [$0] } ?? [])
    if case .values(let list) = typed.distinct { all += list }
    for value in all { _ = values.value(value) }
    if let problem = values.problem { throw problem }
    var whole = typed
    (whole.sources, whole.joins) = ([], [])
    whole.results = typed.results.map { values.value($0) }
    whole.condition = condition.map { values.value($0) }
    for place in whole.order.indices { whole.order[place].value = values.value(whole.order[place].value) }
    if case .values(let list) = typed.distinct { whole.distinct = .values(list.map { values.value($0) }) }
    var rows = TypedQuery(values.keys, from: typed.sources, where: typed.condition)
    rows.joins = typed.joins
    var aggregates: [TypedAggregate] = []
    for call in inner.aggregates?.calls ?? [] { aggregates.append(call.typed.aggregate(&rows.results)) }
    let columns = (values.keys.map(\.type) + aggregates.map(\.type)).map { ColumnShape("", $0) }
    let groups = TypedGroups(query: rows, keys: query.groups.isEmpty ? nil : values.keys.count, aggregates: aggregates)
    whole.sources = [RowSource(RelationShape(SQLName(""), columns), as: "", .groups(groups))]
    return whole
  }

  /// What rows of a group have in common: a value, or the number or the name of a result.
  private func groupKey(_ group: SQLExpression, of typed: TypedQuery) throws(ExpressionProblem) -> TypedExpression {
    if case .constant(.integer(let number)) = group.kind {
      guard let place = Int(exactly: number), typed.results.indices.contains(place - 1) else {
        let message = "GROUP BY position \(number) is not in select list"
        throw ExpressionProblem(.invalidColumnReference, message, at: group.offset)
      }
      return typed.results[place - 1]
    }
    do throws(ExpressionProblem) {
      return try resolve(group)
    } catch {
      guard error.failure.code == .unknownColumn, case .column(let column) = group.kind, column.table == nil,
        let place = typed.names.firstIndex(where: { $0.isSame(column.name) })
      else { throw error }
      return typed.results[place]
    }
  }
}

/// Values about groups in place of those about rows.
private struct GroupValues {
  var keys: [TypedExpression]
  let sources: [RowSource]
  let offset: SourceOffset
  var problem: ExpressionProblem?

  /// The value for a group. A column that the group has because of its key becomes a part of the key.
  mutating func value(_ expression: TypedExpression) -> TypedExpression {
    var missing: [ColumnPlace] = []
    let known = keys
    let mapped = try? expression.mapped(
      column: { place, depth in
        guard place.level == depth else {
          // The level of the sources is one further in.
          return .column(ColumnPlace(level: place.level > depth ? place.level - 1 : place.level, of: place))
        }
        if place.source == AggregateList.source {
          return .column(ColumnPlace(level: depth, column: known.count + place.column))
        }
        let own = ColumnPlace(source: place.source, column: place.column)
        guard let key = known.firstIndex(where: { $0.kind == .column(own) }) else {
          missing.append(own)
          return .column(place)
        }
        return .column(ColumnPlace(level: depth, column: key))
      },
      replacing: { part, depth in
        guard depth == 0, let key = known.firstIndex(of: part) else { return nil }
        return TypedExpression(.column(ColumnPlace(column: key)), part.type)
      })
    for place in missing { add(place) }
    return mapped ?? expression
  }

  private mutating func add(_ place: ColumnPlace) {
    let source = sources[place.source]
    let column = source.shape.columns[place.column]
    let isDetermined =
      !source.shape.key.isEmpty
      && source.shape.key.allSatisfy { key in
        keys.contains { $0.kind == .column(ColumnPlace(source: place.source, column: key)) }
      }
    guard isDetermined else {
      let message =
        "column \"\(source.alias).\(column.name)\" must appear in the GROUP BY clause or be used in an aggregate function"
      problem = problem ?? ExpressionProblem(.grouping, message, at: offset)
      return
    }
    let key = TypedExpression(.column(place), column.type)
    if !keys.contains(key) { keys.append(key) }
  }
}

extension ColumnPlace {
  /// The column of a place at another level.
  fileprivate init(level: Int, of place: ColumnPlace) {
    self.init(level: level, source: place.source, column: place.column)
  }
}

extension TypedQuery {
  /// The query with other names of its first columns.
  func renamed(_ columns: [String]) -> TypedQuery {
    guard !columns.isEmpty else { return self }
    var renamed = self
    renamed.names = columns + names.dropFirst(columns.count)
    return renamed
  }

  /// The query as it is written inside of so many queries more than the one whose source it is.
  func moved(by count: Int) -> TypedQuery {
    guard count > 0 else { return self }
    // The query itself has the level 0, and the one whose source it is the level 1.
    let moved = try? mapped(
      depth: 0,
      column: { place, depth in
        .column(ColumnPlace(level: place.level > depth + 1 ? place.level + count : place.level, of: place))
      }, query: { (query, _) in query })
    return moved ?? self
  }
}

extension SQLQuery {
  /// The values that are counted if the query counts rows and does nothing else, and none for all rows; nil for another query.
  fileprivate var counted: [SQLExpression]? {
    guard results.count == 1, case .value(let value, _) = results[0], case .call(let name, let values) = value.kind,
      RowsFunction(name) == .count, values.count < 2, groups.isEmpty, groupCondition == nil, order.isEmpty,
      distinct == .none, limit == nil, skipped == nil, named.isEmpty
    else { return nil }
    return values
  }

  /// Whether it is about groups of rows.
  fileprivate var isGrouping: Bool {
    !groups.isEmpty || groupCondition != nil || values.contains(where: \.hasAggregate)
  }

  /// The expressions of a group if the query has groups.
  fileprivate var values: [SQLExpression] {
    var values = results.compactMap { if case .value(let value, _) = $0 { value } else { nil } } + order.map(\.value)
    if case .values(let list) = distinct { values += list }
    return values + (groupCondition.map { [$0] } ?? [])
  }
}

extension SQLExpression {
  /// Whether a part of it is a function of many rows.
  fileprivate var hasAggregate: Bool {
    aggregate != nil || parts.contains(where: \.hasAggregate)
  }

  /// The name that PostgreSQL gives a result without one (PostgreSQL: FigureColname).
  package var resultName: String { ownName ?? "?column?" }

  private var ownName: String? {
    switch kind {
    case .column(let column): return column.name
    case .call(let function, _): return function.name
    case .aggregate(let call): return call.name.name
    case .element(let value, _): return value.ownName
    case .cast(let value, let type): return value.ownName ?? type.kind.catalogueName
    case .choice(_, let otherwise): return otherwise.columnName ?? "case"
    case .array, .arrayOfQuery: return "array"
    case .exists: return "exists"
    case .keyword(let keyword): return keyword.rawValue.lowercased()
    case .query(let query):
      guard case .value(let value, let name)? = query.results.first else { return nil }
      return name ?? value.ownName
    default: return nil
    }
  }

  private var columnName: String? { if case .column(let column) = kind { column.name } else { nil } }
}

extension SQLFailure.Code {
  /// A query has a form that PostgreSQL does not know.
  package static let syntax = SQLFailure.Code(rawValue: "42601")
  /// A column is not one of a group.
  static let grouping = SQLFailure.Code(rawValue: "42803")
  /// A number stands for no result.
  static let invalidColumnReference = SQLFailure.Code(rawValue: "42P10")
}
