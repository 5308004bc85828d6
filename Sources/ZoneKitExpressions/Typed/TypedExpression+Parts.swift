import ZoneKitSchema

extension TypedExpression {
  /// The expressions that it is made of, without those inside of its query.
  package var parts: [TypedExpression] {
    switch kind {
    case .constant, .column, .query, .arrayOfQuery, .exists: []
    case .converted(let value, _), .negated(let value), .moved(let value, _), .not(let value), .test(let value, _),
      .quantifiedQuery(let value, _, _, _):
      [value]
    case .binary(let left, _, let right), .quantified(let left, _, _, let right), .element(let left, let right):
      [left, right]
    case .and(let parts), .or(let parts), .call(_, let parts), .array(let parts): parts
    case .choice(let all, let otherwise): all + [otherwise]
    }
  }

  /// The query that it is made of; nil if there is none.
  package var query: TypedQuery? {
    switch kind {
    case .query(let query), .arrayOfQuery(let query), .exists(let query), .quantifiedQuery(_, _, _, let query): query
    default: nil
    }
  }

  /// The columns that it uses, as they are seen from its own place; those of its queries' own tables are left out.
  package var columns: Set<ColumnPlace> {
    var found: Set<ColumnPlace> = []
    collectColumns(0, into: &found)
    return found
  }

  fileprivate func collectColumns(_ depth: Int, into found: inout Set<ColumnPlace>) {
    if case .column(var place) = kind, place.level >= depth {
      place.level -= depth
      found.insert(place)
    }
    for part in parts { part.collectColumns(depth, into: &found) }
    query?.collectColumns(depth + 1, into: &found)
  }

  /// The tables that its queries read.
  package var relations: Set<RelationShape> {
    var found: Set<RelationShape> = []
    collectRelations(into: &found)
    return found
  }

  fileprivate func collectRelations(into found: inout Set<RelationShape>) {
    for part in parts { part.collectRelations(into: &found) }
    query?.collectRelations(into: &found)
  }

  /// Whether it has the same value for the same row at all times and for every user.
  package var isImmutable: Bool {
    switch kind {
    case .query, .arrayOfQuery, .exists, .quantifiedQuery: false
    case .call(let function, _) where function.dependsOnContext: false
    default: parts.allSatisfy(\.isImmutable)
    }
  }

  /// Whether it has the same value for every row, user and time.
  package var isConstant: Bool {
    switch kind {
    case .column, .query, .arrayOfQuery, .exists, .quantifiedQuery: false
    case .call(let function, _) where function.dependsOnContext: false
    default: parts.allSatisfy(\.isConstant)
    }
  }
}

extension TypedQuery {
  /// The expressions that it is made of, at the level of its sources.
  package var parts: [TypedExpression] {
    var parts = results + joins.flatMap(\.conditions) + [condition, limit, skipped].compactMap(\.self)
    parts += order.map(\.value) + sources.flatMap { $0.derivation?.expressions ?? [] }
    if case .values(let values) = distinct { parts += values }
    return parts
  }

  /// The queries that it reads in place of tables.
  package var queries: [TypedQuery] { sources.flatMap { $0.derivation?.queries ?? [] } }

  fileprivate func collectColumns(_ depth: Int, into found: inout Set<ColumnPlace>) {
    for part in parts { part.collectColumns(depth, into: &found) }
    for query in queries { query.collectColumns(depth + 1, into: &found) }
  }

  fileprivate func collectRelations(into found: inout Set<RelationShape>) {
    found.formUnion(sources.filter { $0.derivation == nil }.map(\.shape))
    for part in parts { part.collectRelations(into: &found) }
    for query in queries { query.collectRelations(into: &found) }
  }

  /// The tables that it reads, also through other queries.
  package var relations: Set<RelationShape> {
    var found: Set<RelationShape> = []
    collectRelations(into: &found)
    return found
  }
}

extension RowSource {
  /// Whether its rows depend on those of the sources before it.
  var isLateral: Bool {
    guard let derivation else { return false }
    var found: Set<ColumnPlace> = []
    for value in derivation.expressions { value.collectColumns(0, into: &found) }
    for query in derivation.queries { query.collectColumns(1, into: &found) }
    return found.contains { $0.level == 0 }
  }
}
