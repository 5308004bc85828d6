import ZoneKitRelations
import ZoneKitSchema

/// A query whose every part has a type.
package struct TypedQuery: Hashable, Sendable {
  /// The values of a row that it finds; one where the query stands for values.
  package var results: [TypedExpression]
  /// The names of the values; none where nobody needs them.
  package var names: [String] = []
  /// The tables whose rows are combined.
  package var sources: [RowSource]
  /// How the sources are joined, in their order; none if all their rows are combined.
  package var joins: [TypedJoin] = []
  /// The condition for combined rows; nil if each is found.
  package var condition: TypedExpression?
  /// The order of the rows.
  package var order: [TypedOrder] = []
  /// Which rows are left out because they are like others.
  package var distinct = Distinct.none
  /// The most rows; nil for all. It uses no row of the query.
  package var limit: TypedExpression?
  /// How many rows are left out, from the first on; nil for none. It uses no row of the query.
  package var skipped: TypedExpression?
  /// Whether it is found how many rows there are, instead of values of the rows.
  package var isCounting = false
  /// Whether it reads rows that the role may not, as the query of a function that is `security definer`.
  package var isDefiner = false

  /// A query for those values.
  package init(
    _ results: [TypedExpression], from sources: [RowSource] = [], where condition: TypedExpression? = nil,
    limit: Int64? = nil
  ) {
    self.results = results
    self.sources = sources
    self.condition = condition
    self.limit = limit.map { TypedExpression(.constant(.integer($0)), .bigint) }
  }

  /// Which rows are left out because they are like others.
  package enum Distinct: Hashable, Sendable {
    /// No row.
    case none
    /// Those that are equal to another one.
    case rows
    /// Those in which these values are those of another one.
    case values([TypedExpression])
  }

  /// Whether it is only about rows of tables that fulfil a condition.
  package var isPlain: Bool {
    joins.isEmpty && order.isEmpty && distinct == .none && limit == nil && skipped == nil && !isCounting
      && sources.allSatisfy { $0.derivation == nil }
  }

  /// The columns of its rows.
  package var columns: [ColumnShape] { zip(names, results).map { ColumnShape($0, $1.type.unlimited) } }
}

/// How sources of a query are joined.
package indirect enum TypedJoin: Hashable, Sendable {
  /// The source at that place.
  case source(Int)
  /// The rows of two sides that fulfil a condition together; nil for all.
  case join(TypedJoin, SQLQuery.Join, TypedJoin, on: TypedExpression?)

  /// The places of its sources.
  package var places: Range<Int> {
    switch self {
    case .source(let place): place..<(place + 1)
    case .join(let left, _, let right, _): left.places.lowerBound..<right.places.upperBound
    }
  }

  /// The conditions.
  package var conditions: [TypedExpression] {
    switch self {
    case .source: []
    case .join(let left, _, let right, let condition):
      left.conditions + right.conditions + (condition.map { [$0] } ?? [])
    }
  }

  /// The same with other conditions.
  func mapped(_ body: (TypedExpression) throws(SQLFailure) -> TypedExpression) throws(SQLFailure) -> TypedJoin {
    switch self {
    case .source: return self
    case .join(let left, let kind, let right, let condition):
      let other = try condition.map { (condition) throws(SQLFailure) in try body(condition) }
      return .join(try left.mapped(body), kind, try right.mapped(body), on: other)
    }
  }
}

/// How the rows of a source are found that is no table. Queries in it are one level further in than the query that has the source.
package indirect enum RowDerivation: Hashable, Sendable {
  /// By another query.
  case query(TypedQuery)
  /// By forming groups of the rows of another query.
  case groups(TypedGroups)
  /// By putting the rows of two queries together.
  case combination(TypedQuery, SQLQuery.Combination, isAll: Bool, TypedQuery)
  /// They are written one by one.
  case values([[TypedExpression]])
  /// A function returns them.
  case function(RowFunction, [TypedExpression])

  /// The queries in it.
  package var queries: [TypedQuery] {
    switch self {
    case .query(let query): [query]
    case .groups(let groups): [groups.query]
    case .combination(let left, _, _, let right): [left, right]
    case .values, .function: []
    }
  }

  /// The expressions in it that are at the level of the query that has the source.
  package var expressions: [TypedExpression] {
    switch self {
    case .query, .groups, .combination: []
    case .values(let rows): rows.flatMap(\.self)
    case .function(_, let values): values
    }
  }

  /// The same with other expressions and queries.
  func mapped(
    _ expression: (TypedExpression) throws(SQLFailure) -> TypedExpression,
    _ query: (TypedQuery) throws(SQLFailure) -> TypedQuery
  ) throws(SQLFailure) -> RowDerivation {
    func all(_ values: [TypedExpression]) throws(SQLFailure) -> [TypedExpression] {
      try values.map { (value) throws(SQLFailure) in try expression(value) }
    }
    switch self {
    case .query(let own): return .query(try query(own))
    case .groups(var groups):
      groups.query = try query(groups.query)
      return .groups(groups)
    case .combination(let left, let kind, let isAll, let right):
      return .combination(try query(left), kind, isAll: isAll, try query(right))
    case .values(let rows): return .values(try rows.map { (row) throws(SQLFailure) in try all(row) })
    case .function(let function, let values): return .function(function, try all(values))
    }
  }
}

/// Groups of rows. A row of a group has the values that its rows have in common, and those of the functions.
package struct TypedGroups: Hashable, Sendable {
  /// The query for what groups are made of: first what rows of a group have in common, then what the functions get.
  package var query: TypedQuery
  /// How many values rows of a group have in common; nil if all rows are one group, also if there are none.
  package var keys: Int?
  /// The functions.
  package var aggregates: [TypedAggregate]
}

/// A function of many rows.
package struct TypedAggregate: Hashable, Sendable {
  /// The function.
  package var function: RowsFunction
  /// Where its values are among those of a row.
  package var values: Range<Int>
  /// Where the condition is for rows that it gets; nil for all.
  package var filter: Int?
  /// The order in which it gets rows: where the value is, whether the greatest comes first, and whether nulls do.
  package var order: [TypedOrder]
  /// Whether values that are equal count once.
  package var isDistinct: Bool
  /// The types of the values.
  package var types: [DatumType]
  /// The type of its result.
  package var type: DatumType
}

/// A function of many rows. The raw value is PostgreSQL's name of it.
package enum RowsFunction: String, Hashable, Sendable, CaseIterable {
  case count, sum, avg, min, max
  case all = "bool_and"
  case one = "bool_or"
  case array = "array_agg"
  case text = "string_agg"
  case jsonArray = "jsonb_agg"
  case plainJSONArray = "json_agg"
  case jsonObject = "jsonb_object_agg"
  case plainJSONObject = "json_object_agg"

  /// The function of that name; nil if there is none.
  init?(_ name: SQLName) {
    guard name.schema == nil || name.schema == "pg_catalog" else { return nil }
    if name.name == "every" { self = .all } else { self.init(rawValue: name.name) }
  }
}

/// A function that returns rows. The raw value is PostgreSQL's name of it.
package enum RowFunction: String, Hashable, Sendable, CaseIterable {
  case elements = "unnest"
  case numbers = "generate_series"
  case jsonElements = "jsonb_array_elements"
  case jsonTexts = "jsonb_array_elements_text"
  case plainJSONElements = "json_array_elements"
  case plainJSONTexts = "json_array_elements_text"
  case jsonKeys = "jsonb_object_keys"
  case plainJSONKeys = "json_object_keys"
  case jsonMembers = "jsonb_each"
  case jsonTextMembers = "jsonb_each_text"
}
