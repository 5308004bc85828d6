import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSchema
import ZoneKitTables

/// Looks up what a request names: columns, types and related tables, and what its role may read.
struct ReadingPlanner {
  private let schema: PreparedSchema
  private let role: String
  private let now: Int64

  /// A planner for requests of that role at that time, in microseconds from 1970.
  init(_ schema: PreparedSchema, role: String, now: Int64) {
    (self.schema, self.role, self.now) = (schema, role, now)
  }

  /// Whether the requests come from somebody who signed in.
  private var isSignedIn: Bool { role != "anon" }

  /// What a reading means.
  func plan(_ reading: RelationReading, of table: PreparedTable) throws(RowError) -> ReadingPlan {
    guard table.catalogue.privileges.allowsSome("select", to: role) else {
      throw .noPrivilege(table.name.name, isSignedIn: isSignedIn)
    }
    if let view = table.view, !view.isDefiner {
      for name in view.relations.map(\.objectName).sorted() {
        guard schema.tables[name]?.catalogue.privileges.allowsSome("select", to: role) ?? true else {
          throw .noPrivilege(name.name, isSignedIn: isSignedIn)
        }
      }
    }
    var plan = ReadingPlan(table: table)
    let related = try related(reading.items, to: table)
    plan.items = try items(reading.items, of: table, related)
    var conditions: [TypedExpression] = []
    for condition in reading.conditions { conditions.append(try self.condition(condition, of: table, related)) }
    conditions += zip(reading.items.compactMap(\.embedding), related).filter(\.0.isInner).map(\.1.exists)
    plan.condition = .all(conditions)
    for part in reading.order { plan.order.append(try order(part, of: table, related)) }
    (plan.limit, plan.offset) = (reading.limit, reading.offset)
    return plan
  }

  // MARK: Parts of an answer

  private func related(_ items: [RelationItem], to table: PreparedTable) throws(RowError) -> [RelatedPlan] {
    var related: [RelatedPlan] = []
    for embedding in items.compactMap(\.embedding) {
      let relationship = try Relationship.named(embedding.target, hint: embedding.hint, from: table, in: schema)
      guard relationship.isToOne || !embedding.isSpread else {
        throw .notToOne(
          table.name.name, embedding.name, code: "PGRST119",
          "A spread operation on '\(embedding.name)' is not possible")
      }
      let reading = try plan(embedding.reading, of: relationship.target)
      related.append(
        RelatedPlan(
          name: embedding.name, relationship: relationship, isSpread: embedding.isSpread, reading: reading))
    }
    return related
  }

  private func items(
    _ items: [RelationItem], of table: PreparedTable, _ related: [RelatedPlan]
  ) throws(RowError) -> [ReadingPlan.Item] {
    if let name = countName(items, of: table) { return [.count(name)] }
    var planned: [ReadingPlan.Item] = []
    var rest = related[...]
    for item in items {
      switch item {
      case .all:
        for column in table.columns {
          planned.append(.value(column.name, try value(RelationField(column.name), of: table)))
        }
      case .value(let field, let name, let cast):
        planned.append(.value(name, try value(field, of: table, cast: cast)))
      case .embedded:
        if let next = rest.popFirst() { planned.append(.related(next)) }
      }
    }
    return planned
  }

  /// The name under which the number of rows is wanted: `count` as the one item, where that is no column.
  private func countName(_ items: [RelationItem], of table: PreparedTable) -> String? {
    guard items.count == 1, case .value(let field, let name, cast: nil) = items[0], field == RelationField("count"),
      table.index(of: "count") == nil
    else { return nil }
    return name
  }

  // MARK: Values

  /// The value of a field, perhaps converted. Throws if the role may not read the column.
  private func value(
    _ field: RelationField, of table: PreparedTable, cast: String? = nil
  ) throws(RowError) -> TypedExpression {
    var value = expression(field, of: table)
    if let cast { value = SQLExpression(.cast(value, SQLType(word: cast))) }
    return try refusing { () throws(ExpressionProblem) in try scope(of: table).resolve(value) }
      .checked(self, field, of: table)
  }

  /// Throws if the role may not read a column.
  fileprivate func check(_ column: String, of table: PreparedTable) throws(RowError) {
    guard table.catalogue.privileges.allows("select", to: role, column: column) else {
      throw .noPrivilege(table.name.name, isSignedIn: isSignedIn)
    }
  }

  private func scope(of table: PreparedTable) -> ExpressionScope {
    ExpressionScope(schema.catalogue.names, [RowSource(table.shape)], now: now)
  }

  private func expression(_ field: RelationField, of table: PreparedTable) -> SQLExpression {
    var value = SQLExpression(.column(SQLColumn(table: table.name.name, field.column)))
    for step in field.path {
      let key = Int64(step.key).map { SQLConstant.integer($0) } ?? .text(step.key)
      value = SQLExpression(.binary(value, step.isText ? .memberText : .member, SQLExpression(.constant(key))))
    }
    return value
  }

  private func refusing<Result>(_ body: () throws(ExpressionProblem) -> Result) throws(RowError) -> Result {
    do throws(ExpressionProblem) {
      return try body()
    } catch {
      throw RowError(error)
    }
  }

  // MARK: Conditions

  private func condition(
    _ condition: RelationCondition, of table: PreparedTable, _ related: [RelatedPlan]
  ) throws(RowError) -> TypedExpression {
    func all(_ parts: [RelationCondition]) throws(RowError) -> [TypedExpression] {
      try parts.map { (part) throws(RowError) in try self.condition(part, of: table, related) }
    }
    switch condition {
    case .all(let parts):
      return TypedExpression.all(try all(parts)) ?? TypedExpression(.constant(.boolean(true)), .boolean)
    case .any(let parts): return .one(of: try all(parts))
    case .not(let part): return TypedExpression(.not(try self.condition(part, of: table, related)), .boolean)
    case .test(let field, let test):
      if let exists = existence(field, test, of: table, related) { return exists }
      return try resolved(.test(expression(field, of: table), test.sql), field, of: table)
    case .compare(let field, let comparison, let text):
      return try resolved(
        .binary(expression(field, of: table), comparison.sql, .text(comparison.pattern(text))), field, of: table)
    case .compareElements(let field, let comparison, let isAny, let text):
      return try resolved(
        .quantified(
          expression(field, of: table), comparison.sql, isAny ? .any : .all, .text(comparison.pattern(text))),
        field, of: table)
    case .isIn(let field, let texts):
      let value = expression(field, of: table)
      guard !texts.isEmpty else {
        _ = try self.value(field, of: table)
        return TypedExpression(.constant(.boolean(false)), .boolean)
      }
      return try resolved(.isIn(value, texts.map { .text($0) }, isNegated: false), field, of: table)
    }
  }

  private func resolved(
    _ kind: SQLExpression.Kind, _ field: RelationField, of table: PreparedTable
  ) throws(RowError) -> TypedExpression {
    try refusing { () throws(ExpressionProblem) in
      try scope(of: table).condition(SQLExpression(kind), of: "WHERE")
    }.checked(self, field, of: table)
  }

  /// Whether there are related rows of that name; nil if the field is none of those.
  private func existence(
    _ field: RelationField, _ test: RelationTest, of table: PreparedTable, _ related: [RelatedPlan]
  ) -> TypedExpression? {
    guard field.path.isEmpty, table.index(of: field.column) == nil,
      let related = related.first(where: { $0.name.utf8.elementsEqual(field.column.utf8) })
    else { return nil }
    switch test {
    case .isNull: return TypedExpression(.not(related.exists), .boolean)
    case .isNotNull: return related.exists
    case .isTrue, .isFalse, .isUnknown: return nil
    }
  }

  // MARK: Order

  private func order(
    _ part: RelationOrder, of table: PreparedTable, _ related: [RelatedPlan]
  ) throws(RowError) -> TypedOrder {
    func order(_ value: TypedExpression) -> TypedOrder {
      TypedOrder(value, isDescending: part.isDescending, nullsFirst: part.nullsFirst)
    }
    guard let name = part.relation else { return order(try value(part.field, of: table)) }
    guard let one = related.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { throw .notEmbedded(name) }
    guard one.relationship.isToOne else {
      throw .notToOne(
        table.name.name, name, code: "PGRST118", "A related order on '\(name)' is not possible")
    }
    return order(one.value(try value(part.field, of: one.reading.table)))
  }
}

extension TypedExpression {
  /// The expression, after the check that its field may be read. PostgreSQL looks names up first.
  fileprivate func checked(
    _ planner: ReadingPlanner, _ field: RelationField, of table: PreparedTable
  ) throws(RowError) -> TypedExpression {
    try planner.check(field.column, of: table)
    return self
  }
}

extension RelationItem {
  /// The related rows that it is about; nil for another item.
  fileprivate var embedding: RelationEmbedding? {
    if case .embedded(let embedding) = self { embedding } else { nil }
  }
}

extension SQLExpression {
  /// A literal.
  fileprivate static func text(_ text: String) -> SQLExpression { SQLExpression(.constant(.text(text))) }
}

extension RelationTest {
  fileprivate var sql: SQLTest {
    switch self {
    case .isNull: .isNull
    case .isNotNull: .isNotNull
    case .isTrue: .isTrue
    case .isFalse: .isFalse
    case .isUnknown: .isUnknown
    }
  }
}

extension RelationComparison {
  fileprivate var sql: SQLOperator {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .like: .like
    case .anyCaseLike: .anyCaseLike
    case .matches: .matches
    case .anyCaseMatches: .anyCaseMatches
    case .isDistinctFrom: .isDistinctFrom
    case .contains: .contains
    case .isContainedBy: .isContainedBy
    case .overlaps: .overlaps
    }
  }

  /// The text that a value is compared with. In a pattern an asterisk stands for a percent sign, which URLs escape.
  fileprivate func pattern(_ text: String) -> String {
    self == .like || self == .anyCaseLike ? text.replacing("*", with: "%") : text
  }
}

extension SQLType {
  /// The type that a cast names.
  fileprivate init(word: String) {
    let isArray = word.hasSuffix("[]")
    let name = isArray ? String(word.dropLast(2)) : word
    self.init(Self.kinds[name.lowercased()] ?? .named(SQLName(name)), isArray: isArray)
  }

  private static let kinds: [String: Kind] = [
    "uuid": .uuid, "text": .text, "varchar": .varchar(length: nil), "character varying": .varchar(length: nil),
    "bool": .boolean, "boolean": .boolean, "int2": .smallint, "smallint": .smallint, "int4": .integer,
    "int": .integer, "integer": .integer, "int8": .bigint, "bigint": .bigint,
    "numeric": .numeric(precision: nil, scale: nil), "decimal": .numeric(precision: nil, scale: nil),
    "float4": .real, "real": .real, "float8": .doublePrecision, "double precision": .doublePrecision,
    "date": .date, "time": .time(precision: nil), "timestamp": .timestamp(precision: nil),
    "timestamptz": .timestamptz(precision: nil), "timestamp with time zone": .timestamptz(precision: nil),
    "json": .json, "jsonb": .jsonb, "bytea": .bytea,
  ]
}
