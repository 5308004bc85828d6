import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// Which rows a role may read and write (PostgreSQL: row security policies).
package struct RowSecurity {
  private let schema: PreparedSchema
  private let role: String

  /// The security of a schema for that role.
  package init(_ schema: PreparedSchema, role: String) {
    self.schema = schema
    self.role = role
  }

  /// The role whose requests no policy limits.
  package static let unlimitedRole = "service_role"

  /// The condition for rows that are there; nil if all are allowed.
  package func using(
    _ command: CreatePolicy.Command, of table: PreparedTable
  ) throws(SQLFailure) -> TypedExpression? {
    try condition(command, of: table, besides: []) { $0.using }
  }

  /// The condition for rows that are written; nil if all are allowed.
  package func check(
    _ command: CreatePolicy.Command, of table: PreparedTable
  ) throws(SQLFailure) -> TypedExpression? {
    try condition(command, of: table, besides: []) { $0.withCheck ?? $0.using }
  }

  /// A condition in which the tables of queries show the rows alone that the role may read.
  package func secured(_ expression: TypedExpression) throws(SQLFailure) -> TypedExpression {
    try secured(expression, besides: [])
  }

  private func condition(
    _ command: CreatePolicy.Command, of table: PreparedTable, besides stack: [ObjectName],
    _ part: (PreparedPolicy) -> TypedExpression?
  ) throws(SQLFailure) -> TypedExpression? {
    guard table.catalogue.hasRowSecurity, role != Self.unlimitedRole else { return nil }
    let policies = table.policies.filter { $0.isAbout(command, by: role) }
    let yes = TypedExpression(.constant(.boolean(true)), .boolean)
    let allowing = policies.filter(\.policy.isPermissive).map { part($0) ?? yes }
    let restricting = policies.filter { !$0.policy.isPermissive }.compactMap(part)
    let whole = TypedExpression.all([.one(of: allowing)] + restricting)
    guard let whole, whole.hasQuery else { return whole }
    // A condition without queries ends the circle.
    guard !stack.contains(table.name) else {
      let message = "infinite recursion detected in policy for relation \"\(table.name.name)\""
      throw SQLFailure(.invalidDefinition, message)
    }
    return try secured(whole, besides: stack + [table.name])
  }

  /// The query with the rows alone that the role may read.
  package func secured(_ query: TypedQuery) throws(SQLFailure) -> TypedQuery {
    let inner = try query.mapped(
      depth: 0, column: { place, _ in .column(place) },
      query: { query, _ throws(SQLFailure) in try secured(query, besides: []) })
    return try secured(inner, besides: [])
  }

  private func secured(
    _ expression: TypedExpression, besides stack: [ObjectName]
  ) throws(SQLFailure) -> TypedExpression {
    try expression.mapped(
      column: { place, _ in .column(place) },
      query: { query, _ throws(SQLFailure) in try secured(query, besides: stack) })
  }

  private func secured(_ query: TypedQuery, besides stack: [ObjectName]) throws(SQLFailure) -> TypedQuery {
    guard !query.isDefiner else { return query }
    var conditions = query.condition.map { [$0] } ?? []
    var secured = query
    for (number, source) in query.sources.enumerated() where source.derivation == nil {
      guard let table = schema.tables[source.shape.objectName],
        let own = try condition(.select, of: table, besides: stack, { $0.using })
      else { continue }
      // A row that an outer join lacks is none that a policy hides.
      guard query.joins.isEmpty else {
        var shown = TypedQuery(source.allColumns(), from: [RowSource(source.shape)], where: own)
        shown.names = source.shape.columns.map(\.name)
        secured.sources[number].derivation = .query(shown)
        continue
      }
      // The table's own row is that of the source.
      conditions.append(
        try own.mapped(column: { place, depth in
          var place = place
          if place.level == depth { place.source = number }
          return .column(place)
        }))
    }
    secured.condition = .all(conditions)
    return secured
  }
}

extension RelationShape {
  /// The full name of the table.
  package var objectName: ObjectName { ObjectName(name.schema ?? ObjectName.usualSchema, name.name) }
}

extension SQLFailure.Code {
  /// An object is defined in a way that cannot work.
  static let invalidDefinition = SQLFailure.Code(rawValue: "42P17")
}
