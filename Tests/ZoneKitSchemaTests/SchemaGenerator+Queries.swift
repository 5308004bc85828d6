import ZoneKitSchema

extension SchemaGenerator {
  /// A query of that many columns.
  mutating func query(_ depth: Int, columns: Int) -> SQLQuery {
    var query = plainQuery(depth, columns: columns)
    guard depth > 0, chance(3) else { return query }
    if chance() {
      query.groups = some(0...2) { $0.expression(1) }
      query.groupCondition = maybe { $0.expression(1) }
      query.distinct = one(of: [.none, .rows, .values([expression(1)])])
    } else {
      let (left, right) = (self.query(0, columns: columns), self.query(0, columns: columns))
      query = SQLQuery(
        [.allColumns], from: [.combination(left, one(of: SQLQuery.Combination.allCases), isAll: chance(), right)])
    }
    query.order = order()
    query.skipped = maybe { _ in SQLExpression(.constant(.integer(2))) }
    if chance(3) {
      query.named = [SQLQuery.Named(identifier(), columns: some(0...2) { $0.identifier() }, self.query(0, columns: 1))]
    }
    return query
  }

  private mutating func plainQuery(_ depth: Int, columns: Int) -> SQLQuery {
    let results = (0..<columns).map { _ in
      SQLQuery.Result.value(expression(min(depth, 1)), name: maybe { $0.identifier() })
    }
    return SQLQuery(
      columns > 1 && chance() ? [.allColumns, .columns(of: identifier())] : results, from: some(0...2) { $0.source(2) },
      where: maybe { $0.expression(min(depth, 2)) }, limit: chance(4) ? SQLExpression(.constant(.integer(1))) : nil)
  }

  mutating func order() -> [SQLQuery.Order] {
    some(0...2) { drawer in
      SQLQuery.Order(drawer.expression(1), isDescending: drawer.chance(), nullsFirst: drawer.maybe { $0.chance() })
    }
  }

  mutating func aggregate(_ depth: Int) -> SQLAggregate {
    SQLAggregate(
      name(), some(1...2) { $0.expression(min(depth, 1)) }, isDistinct: true, order: order(),
      filter: maybe { $0.expression(1) })
  }

  private mutating func source(_ depth: Int) -> SQLQuery.Source {
    if depth > 0, chance(3) {
      let kind = one(of: [SQLQuery.Join.inner, .left])
      let condition = one(of: [SQLQuery.Condition.expression(expression(1)), .columns([identifier()])])
      if chance(4) { return .join(source(depth - 1), .inner, source(depth - 1), .none) }
      return .join(source(depth - 1), kind, source(depth - 1), condition)
    }
    if depth > 1, chance(4) {
      return .query(
        query(0, columns: 1), alias: identifier(), columns: some(0...1) { $0.identifier() }, isLateral: chance())
    }
    if chance(8) { return .function(SQLName("unnest"), [expression(1)], alias: identifier(), columns: []) }
    return .table(name(), alias: maybe { $0.identifier() })
  }
}
