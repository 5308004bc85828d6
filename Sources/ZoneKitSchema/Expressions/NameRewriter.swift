/// Writes expressions and queries again with other names.
package struct NameRewriter {
  /// A source of a query with its name there.
  package struct Source {
    /// The name that columns are written with.
    package var alias: String
    /// The table; nil for a query.
    package var table: SQLName?
    /// The columns of a query.
    package var columns: [String]
    /// Whether columns are written with the name in front alone.
    package var needsName: Bool
    /// Whether it is the row that an expression is about, and no source of a query.
    package var isRow = true

    /// A table under that name.
    package init(_ table: SQLName, as alias: String? = nil, needsName: Bool = false) {
      (self.table, self.alias, columns, self.needsName) = (table, alias ?? table.name, [], needsName)
    }

    fileprivate init(columns: [String], as alias: String) {
      (table, self.alias, self.columns, needsName) = (nil, alias, columns, false)
      isRow = false
    }
  }

  /// The column as it is called now. It gets the sources of the queries around it, the outermost first.
  package var column: (SQLColumn, [[Source]]) -> SQLColumn = { column, _ in column }
  /// The table as it is called now.
  package var table: (SQLName) -> SQLName = { $0 }
  /// The type as it is called now.
  package var type: (SQLType) -> SQLType = { $0 }
  /// The function as it is called now.
  package var function: (SQLName) -> SQLName = { $0 }
  /// The constant that stands for another one now.
  package var constant: (SQLConstant) -> SQLConstant = { $0 }

  /// One that changes nothing.
  package init() {}

  /// The expression with the names of now.
  package func expression(_ expression: SQLExpression, _ levels: [[Source]] = []) -> SQLExpression {
    SQLExpression(kind(expression.kind, levels), at: expression.offset)
  }

  private func all(_ expressions: [SQLExpression], _ levels: [[Source]]) -> [SQLExpression] {
    expressions.map { expression($0, levels) }
  }

  private func kind(_ kind: SQLExpression.Kind, _ levels: [[Source]]) -> SQLExpression.Kind {
    func one(_ value: SQLExpression) -> SQLExpression { expression(value, levels) }
    switch kind {
    case .constant(let constant): return .constant(self.constant(constant))
    case .column(let column): return .column(self.column(column, levels))
    case .keyword: return kind
    case .cast(let value, let type): return .cast(one(value), self.type(type))
    case .negated(let value): return .negated(one(value))
    case .binary(let left, let known, let right): return .binary(one(left), known, one(right))
    case .and(let parts): return .and(all(parts, levels))
    case .or(let parts): return .or(all(parts, levels))
    case .not(let value): return .not(one(value))
    case .test(let value, let test): return .test(one(value), test)
    case .isIn(let value, let list, let isNegated): return .isIn(one(value), all(list, levels), isNegated: isNegated)
    case .between(let value, let lower, let upper, let isNegated):
      return .between(one(value), one(lower), one(upper), isNegated: isNegated)
    case .quantified(let value, let known, let quantifier, let array):
      return .quantified(one(value), known, quantifier, one(array))
    case .call(let name, let values): return .call(function(name), all(values, levels))
    case .aggregate(var call):
      call.values = all(call.values, levels)
      call.order = order(call.order, levels)
      call.filter = call.filter.map(one)
      return .aggregate(call)
    case .element(let value, let index): return .element(one(value), one(index))
    case .array(let elements): return .array(all(elements, levels))
    case .choice(let choices, let otherwise):
      return .choice(choices.map { SQLExpression.Choice(one($0.condition), one($0.value)) }, otherwise: one(otherwise))
    case .query(let query): return .query(self.query(query, levels))
    case .arrayOfQuery(let query): return .arrayOfQuery(self.query(query, levels))
    case .exists(let query): return .exists(self.query(query, levels))
    case .isInQuery(let value, let query): return .isInQuery(one(value), self.query(query, levels))
    case .quantifiedQuery(let value, let known, let quantifier, let query):
      return .quantifiedQuery(one(value), known, quantifier, self.query(query, levels))
    }
  }

  private func order(_ parts: [SQLQuery.Order], _ levels: [[Source]]) -> [SQLQuery.Order] {
    parts.map { SQLQuery.Order(expression($0.value, levels), isDescending: $0.isDescending, nullsFirst: $0.nullsFirst) }
  }

  // MARK: Queries

  /// The query with the names of now. Its results keep the names that they had.
  package func query(_ query: SQLQuery, _ levels: [[Source]] = []) -> SQLQuery {
    var query = query
    query.named = query.named.map { SQLQuery.Named($0.name, columns: $0.columns, self.query($0.query, levels)) }
    let names = Set(query.named.map(\.name))
    let sources = query.tables.flatMap { self.sources($0, query.named) }
    let inner = levels + [sources]
    query.tables = query.tables.map { source($0, names, levels, inner) }
    query.results = query.results.map { result in
      guard case .value(let value, let name) = result else { return result }
      let other = expression(value, inner)
      if case .column(let old) = value.kind, case .column(let new) = other.kind, old.name != new.name, name == nil {
        return .value(other, name: old.name)
      }
      return .value(other, name: name)
    }
    query.condition = query.condition.map { expression($0, inner) }
    query.groups = all(query.groups, inner)
    query.groupCondition = query.groupCondition.map { expression($0, inner) }
    // The name of a result stays.
    let results = Set(query.results.compactMap { if case .value(_, let name) = $0 { name } else { nil } })
    query.order = query.order.map { part in
      if case .column(let column) = part.value.kind, column.table == nil, results.contains(column.name) { return part }
      return order([part], inner)[0]
    }
    if case .values(let values) = query.distinct { query.distinct = .values(all(values, inner)) }
    query.limit = query.limit.map { expression($0, levels) }
    query.skipped = query.skipped.map { expression($0, levels) }
    return query
  }

  private func source(
    _ source: SQLQuery.Source, _ names: Set<String>, _ outer: [[Source]], _ inner: [[Source]]
  ) -> SQLQuery.Source {
    switch source {
    case .table(let name, let alias):
      guard name.schema != nil || !names.contains(name.name) else { return source }
      let now = table(name)
      // Columns may be written with the old name in front.
      return .table(now, alias: alias ?? (now.name == name.name ? nil : name.name))
    case .query(let query, let alias, let columns, let isLateral):
      return .query(self.query(query, isLateral ? inner : outer), alias: alias, columns: columns, isLateral: isLateral)
    case .function(let name, let values, let alias, let columns):
      return .function(name, all(values, inner), alias: alias, columns: columns)
    case .values(let rows): return .values(rows.map { all($0, outer) })
    case .combination(let left, let kind, let isAll, let right):
      return .combination(query(left, outer), kind, isAll: isAll, query(right, outer))
    case .join(let left, let kind, let right, let condition):
      var other = condition
      if case .expression(let value) = condition { other = .expression(expression(value, inner)) }
      return .join(self.source(left, names, outer, inner), kind, self.source(right, names, outer, inner), other)
    }
  }

  private func sources(_ source: SQLQuery.Source, _ named: [SQLQuery.Named]) -> [Source] {
    switch source {
    case .table(let name, let alias):
      if name.schema == nil, let query = named.last(where: { $0.name == name.name }) {
        return [Source(columns: query.columns + query.query.resultNames, as: alias ?? name.name)]
      }
      var source = Source(name, as: alias)
      source.isRow = false
      return [source]
    case .query(let query, let alias, let columns, _):
      return [Source(columns: columns + query.resultNames, as: alias ?? "")]
    case .function(let name, _, let alias, let columns): return [Source(columns: columns, as: alias ?? name.name)]
    case .values, .combination: return []
    case .join(let left, _, let right, _): return sources(left, named) + sources(right, named)
    }
  }
}

extension SQLQuery {
  /// The names of its results, as far as its own text tells them.
  fileprivate var resultNames: [String] {
    results.compactMap { result in
      guard case .value(let value, let name) = result else { return nil }
      if let name { return name }
      if case .column(let column) = value.kind { return column.name }
      return nil
    }
  }
}
