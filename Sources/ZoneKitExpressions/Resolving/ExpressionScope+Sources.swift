import ZoneKitRelations
import ZoneKitSchema

/// What queries read.
extension ExpressionScope {
  /// The sources of a query.
  struct From {
    /// The sources, in their order.
    var sources: [RowSource] = []
    /// How they are joined; none if all their rows are combined.
    var joins: [TypedJoin] = []
    /// The conditions of joins for all combined rows.
    var conditions: [TypedExpression] = []
  }

  /// The sources of a query that reads those.
  func from(_ tables: [SQLQuery.Source]) throws(ExpressionProblem) -> From {
    var from = From()
    for table in tables { from.joins.append(try add(table, to: &from.sources)) }
    // Rows that fit together are combined rows that fulfil the conditions.
    if from.joins.allSatisfy(\.isInner) {
      from.conditions = from.joins.flatMap(\.conditions)
      from.joins = []
    }
    return from
  }

  private func add(_ table: SQLQuery.Source, to sources: inout [RowSource]) throws(ExpressionProblem) -> TypedJoin {
    switch table {
    case .table(let name, let alias):
      try add(try self.source(name, as: alias), to: &sources, at: name.offset)
    case .query(let query, let alias, let columns, let isLateral):
      let found = try inside(isLateral ? sources : []).query(query, mayCount: false).renamed(columns)
      try add(RowSource(found, as: alias ?? ""), to: &sources, at: query.offset)
    case .function(let name, let values, let alias, let columns):
      try add(try inside(sources).rows(of: name, values, as: alias, columns), to: &sources, at: name.offset)
    case .values(let rows): try add(try inside([]).values(rows), to: &sources, at: SourceOffset(0))
    case .combination(let left, let kind, let isAll, let right):
      try add(try combination(left, kind, isAll, right), to: &sources, at: left.offset)
    case .join(let left, let kind, let right, let condition):
      return try join(left, kind, right, condition, &sources)
    }
    return .source(sources.count - 1)
  }

  private func add(
    _ source: RowSource, to sources: inout [RowSource], at offset: SourceOffset
  ) throws(ExpressionProblem) {
    guard source.alias.isEmpty || !sources.contains(where: { $0.alias.isSame(source.alias) }) else {
      throw ExpressionProblem(
        .duplicateAlias, "table name \"\(source.alias)\" specified more than once", at: offset)
    }
    sources.append(source)
  }

  /// A table, a view or a query behind WITH.
  package func source(_ name: SQLName, as alias: String?) throws(ExpressionProblem) -> RowSource {
    if name.schema == nil, let known = named.last(where: { $0.name.isSame(name.name) }) {
      return RowSource(known.query.moved(by: levels.count - known.level), as: alias ?? name.name)
    }
    guard let shape = names.relation(name) else {
      throw ExpressionProblem(.unknownTable, "relation \"\(name.plain)\" does not exist", at: name.offset)
    }
    return RowSource(shape, as: alias, names.view(name).map { .query($0) })
  }

  private func join(
    _ left: SQLQuery.Source, _ kind: SQLQuery.Join, _ right: SQLQuery.Source, _ condition: SQLQuery.Condition,
    _ sources: inout [RowSource]
  ) throws(ExpressionProblem) -> TypedJoin {
    let first = try add(left, to: &sources)
    let second = try add(right, to: &sources)
    switch condition {
    case .none: return .join(first, kind, second, on: nil)
    case .expression(let value):
      let inner = inside(sources.showing(first.places.lowerBound..<second.places.upperBound))
      let typed = try inner.boolean(inner.operand(value), "JOIN/ON")
      return .join(first, kind, second, on: typed)
    case .columns(let columns):
      let sides = [inside(sources.showing(first.places)), inside(sources.showing(second.places))]
      var conditions: [TypedExpression] = []
      for column in columns {
        let value = SQLExpression(.column(SQLColumn(column)))
        let operands = [try sides[0].operand(value), try sides[1].operand(value)]
        let whole = inside(sources)
        conditions.append(try whole.typed(whole.binary(operands[0], .equal, operands[1], at: SourceOffset(0))))
      }
      for place in second.places { sources[place].merged.formUnion(columns) }
      return .join(first, kind, second, on: .all(conditions))
    }
  }

  // MARK: Rows without a table

  /// The rows of two queries, whose columns have the types that both can be converted to.
  private func combination(
    _ left: SQLQuery, _ kind: SQLQuery.Combination, _ isAll: Bool, _ right: SQLQuery
  ) throws(ExpressionProblem) -> RowSource {
    var sides = [try inside([]).query(left, mayCount: false), try inside([]).query(right, mayCount: false)]
    guard sides[0].results.count == sides[1].results.count else {
      let message = "each \(kind.rawValue) query must have the same number of columns"
      throw ExpressionProblem(.syntax, message, at: right.offset)
    }
    for place in sides[0].results.indices {
      let operands = sides.map { Operand(value: .typed($0.results[place]), offset: right.offset) }
      let values = try common(operands, for: kind.rawValue)
      for side in 0..<2 { sides[side].results[place] = values[side] }
    }
    let shape = RelationShape(SQLName(""), sides[0].columns)
    return RowSource(shape, as: "", .combination(sides[0], kind, isAll: isAll, sides[1]))
  }

  /// Rows that are written one by one.
  private func values(_ rows: [[SQLExpression]]) throws(ExpressionProblem) -> RowSource {
    let count = rows.first?.count ?? 0
    guard rows.allSatisfy({ $0.count == count }) else {
      throw ExpressionProblem(.syntax, "VALUES lists must all be the same length", at: SourceOffset(0))
    }
    var typed = rows.map { _ in [TypedExpression]() }
    for place in 0..<count {
      var operands: [Operand] = []
      for row in rows { operands.append(try operand(row[place])) }
      for (number, value) in try common(operands, for: "VALUES").enumerated() { typed[number].append(value) }
    }
    let columns = (typed.first ?? []).enumerated().map { ColumnShape("column\($0 + 1)", $1.type.unlimited) }
    return RowSource(RelationShape(SQLName(""), columns), as: "", .values(typed))
  }

  /// The rows that a function returns.
  private func rows(
    of name: SQLName, _ values: [SQLExpression], as alias: String?, _ columns: [String]
  ) throws(ExpressionProblem) -> RowSource {
    guard name.schema == nil || name.schema == "pg_catalog", let function = RowFunction(rawValue: name.name) else {
      let right = "those that are served there are \(RowFunction.allCases.map(\.rawValue).joined(separator: ", "))"
      throw ExpressionProblem(
        .notSupported, "the function \(name.plain) behind FROM is not supported: \(right)", at: name.offset)
    }
    var operands: [Operand] = []
    for value in values { operands.append(try operand(value)) }
    let (typed, types) = try self.values(of: function, operands, at: name.offset)
    let own = alias ?? name.name
    var names: [String]
    switch function {
    case .elements, .numbers: names = [own]
    case .jsonKeys, .plainJSONKeys: names = [own]
    case .jsonMembers, .jsonTextMembers: names = ["key", "value"]
    default: names = ["value"]
    }
    names = columns + names.dropFirst(columns.count)
    let shape = RelationShape(SQLName(own), zip(names, types).map { ColumnShape($0, $1) })
    return RowSource(shape, as: own, .function(function, typed))
  }

  /// The values of a function that returns rows, and the types of the rows' columns.
  private func values(
    of function: RowFunction, _ operands: [Operand], at offset: SourceOffset
  ) throws(ExpressionProblem) -> ([TypedExpression], [DatumType]) {
    func all(as types: [DatumType]) throws(ExpressionProblem) -> [TypedExpression]? {
      guard operands.count == types.count else { return nil }
      var values: [TypedExpression] = []
      for (operand, type) in zip(operands, types) {
        guard let value = try coerced(operand, to: type, .implicit) else { return nil }
        values.append(value)
      }
      return values
    }
    var found: ([TypedExpression], [DatumType])?
    switch function {
    case .elements:
      if operands.count == 1, case .typed(let value) = operands[0].value, let element = value.type.element {
        found = ([value], [element])
      }
    case .numbers:
      for type in [DatumType.integer, .bigint] where found == nil && (2...3).contains(operands.count) {
        found = try all(as: operands.map { _ in type }).map { ($0, [type]) }
      }
    case .jsonElements: found = try all(as: [.jsonb]).map { ($0, [.jsonb]) }
    case .jsonTexts, .jsonKeys: found = try all(as: [.jsonb]).map { ($0, [.text]) }
    case .plainJSONElements: found = try all(as: [.json]).map { ($0, [.json]) }
    case .plainJSONTexts, .plainJSONKeys: found = try all(as: [.json]).map { ($0, [.text]) }
    case .jsonMembers: found = try all(as: [.jsonb]).map { ($0, [.text, .jsonb]) }
    case .jsonTextMembers: found = try all(as: [.jsonb]).map { ($0, [.text, .text]) }
    }
    guard let found else {
      throw Self.unknown("\(function.rawValue)(\(operands.map(\.slot.name).joined(separator: ", ")))", at: offset)
    }
    return found
  }
}

/// A query behind WITH.
struct NamedQuery {
  /// The name.
  var name: String
  /// The query, as it is written as a source of the query that has the WITH.
  var query: TypedQuery
  /// How many queries are around that one.
  var level: Int
}

extension TypedJoin {
  /// Whether it has only rows that fit together.
  fileprivate var isInner: Bool {
    switch self {
    case .source: true
    case .join(let left, let kind, let right, _): kind == .inner && left.isInner && right.isInner
    }
  }
}

extension [RowSource] {
  /// The sources with those at other places hidden.
  fileprivate func showing(_ places: Range<Int>) -> [RowSource] {
    enumerated().map { place, source in
      places.contains(place) ? source : RowSource(RelationShape(SQLName(""), []), as: "")
    }
  }
}
