import ZoneKitRelations
import ZoneKitSchema

/// The kinds of expressions.
extension ExpressionScope {
  /// An expression as a part of another one.
  func operand(_ expression: SQLExpression) throws(ExpressionProblem) -> Operand {
    let offset = expression.offset
    switch expression.kind {
    case .constant(let constant): return Operand(value: try value(of: constant, at: offset), offset: offset)
    case .cast(let value, let type): return try cast(value, to: type, at: offset)
    case .negated(let value): return try negated(operand(value), at: offset)
    case .binary(let left, let known, let right):
      return try binary(operand(left), known, operand(right), at: offset)
    default: return Operand(value: .typed(try computation(expression)), offset: offset)
    }
  }

  private func value(of constant: SQLConstant, at offset: SourceOffset) throws(ExpressionProblem) -> Operand.Value {
    switch constant {
    case .null: return .literal(nil)
    case .boolean(let value): return .typed(TypedExpression(.constant(.boolean(value)), .boolean))
    case .integer(let number):
      return .typed(TypedExpression(.constant(.integer(number)), Int32(exactly: number) == nil ? .bigint : .integer))
    case .number(let digits):
      guard let number = Numeric(digits) else {
        throw ExpressionProblem(.numberOutOfRange, "value overflows numeric format", at: offset)
      }
      return .typed(TypedExpression(.constant(.numeric(number)), .numeric(nil)))
    case .text(let text): return .literal(text)
    }
  }

  private func computation(_ expression: SQLExpression) throws(ExpressionProblem) -> TypedExpression {
    let offset = expression.offset
    switch expression.kind {
    case .column(let column): return try self.column(column, at: offset)
    case .keyword(let keyword): return try value(of: keyword, at: offset)
    case .and(let parts): return TypedExpression(.and(try conditions(parts, "AND")), .boolean)
    case .or(let parts): return TypedExpression(.or(try conditions(parts, "OR")), .boolean)
    case .not(let value): return TypedExpression(.not(try boolean(operand(value), "NOT")), .boolean)
    case .test(let value, let test): return try self.test(operand(value), test)
    case .isIn(let value, let list, let isNegated): return try isIn(value, list, isNegated, at: offset)
    case .between(let value, let lower, let upper, let isNegated):
      return try between(operand(value), operand(lower), operand(upper), isNegated, at: offset)
    case .quantified(let value, let known, let quantifier, let array):
      return try quantified(operand(value), known, quantifier, operand(array), at: offset)
    case .call(let name, let arguments): return try call(name, arguments, at: offset)
    case .aggregate(let call): return try aggregate(call, at: offset)
    case .element(let array, let index): return try element(operand(array), operand(index), at: offset)
    case .array(let elements): return try array(elements, at: offset)
    case .choice(let choices, let otherwise): return try choice(choices, otherwise)
    case .query(let query): return try scalar(query)
    case .arrayOfQuery(let query):
      let found = try oneColumn(query)
      return TypedExpression(.arrayOfQuery(found), .array(try elementType(found.results[0].type, at: offset)))
    case .exists(let query): return TypedExpression(.exists(try self.query(query)), .boolean)
    case .isInQuery(let value, let query):
      return try quantifiedQuery(operand(value), .equal, .any, query, at: offset)
    case .quantifiedQuery(let value, let known, let quantifier, let query):
      return try quantifiedQuery(operand(value), known, quantifier, query, at: offset)
    case .constant, .cast, .negated, .binary: return try typed(operand(expression))
    }
  }

  private func conditions(
    _ parts: [SQLExpression], _ construct: String
  ) throws(ExpressionProblem) -> [TypedExpression] {
    var conditions: [TypedExpression] = []
    for part in parts { conditions.append(try boolean(operand(part), construct)) }
    return conditions
  }

  private func choice(
    _ choices: [SQLExpression.Choice], _ otherwise: SQLExpression
  ) throws(ExpressionProblem) -> TypedExpression {
    var conditions: [TypedExpression] = []
    // PostgreSQL looks at the last value first when it chooses the type.
    var operands = [try operand(otherwise)]
    for choice in choices {
      conditions.append(try boolean(operand(choice.condition), "CASE/WHEN"))
      operands.append(try operand(choice.value))
    }
    let values = try common(operands, for: "CASE")
    let parts = zip(conditions, values.dropFirst()).flatMap { [$0, $1] }
    return TypedExpression(.choice(parts, otherwise: values[0]), values[0].type.unlimited)
  }

  private func test(_ operand: Operand, _ test: SQLTest) throws(ExpressionProblem) -> TypedExpression {
    switch test {
    case .isNull, .isNotNull: TypedExpression(.test(try typed(operand), test), .boolean)
    case .isTrue, .isNotTrue, .isFalse, .isNotFalse, .isUnknown, .isNotUnknown:
      TypedExpression(.test(try boolean(operand, test.rawValue), test), .boolean)
    }
  }

  private func between(
    _ value: Operand, _ lower: Operand, _ upper: Operand, _ isNegated: Bool, at offset: SourceOffset
  ) throws(ExpressionProblem) -> TypedExpression {
    let bounds = [
      try typed(binary(value, isNegated ? .less : .greaterOrEqual, lower, at: offset)),
      try typed(binary(value, isNegated ? .greater : .lessOrEqual, upper, at: offset)),
    ]
    return TypedExpression(isNegated ? .or(bounds) : .and(bounds), .boolean)
  }

  private func element(
    _ array: Operand, _ index: Operand, at offset: SourceOffset
  ) throws(ExpressionProblem) -> TypedExpression {
    guard case .typed(let value) = array.value, let element = value.type.element else {
      if case .value(.jsonb) = array.slot {
        throw ExpressionProblem(.notSupported, "a subscript of jsonb is not supported: write ->", at: offset)
      }
      throw ExpressionProblem(
        .typeMismatch, "cannot subscript type \(array.slot.name) because it does not support subscripting", at: offset)
    }
    guard let place = try coerced(index, to: .integer, .assignment) else {
      throw ExpressionProblem(.typeMismatch, "array subscript must have type integer", at: index.offset)
    }
    return TypedExpression(.element(value, place), element)
  }

  private func array(_ elements: [SQLExpression], at offset: SourceOffset) throws(ExpressionProblem) -> TypedExpression
  {
    guard !elements.isEmpty else {
      throw ExpressionProblem(
        .unknownType, "cannot determine type of empty array", at: offset,
        hint: "Explicitly cast to the desired type, for example ARRAY[]::integer[].")
    }
    var operands: [Operand] = []
    for element in elements { operands.append(try operand(element)) }
    let values = try common(operands, for: "ARRAY")
    return TypedExpression(.array(values), .array(try elementType(values[0].type.unlimited, at: offset)))
  }

  private func elementType(_ type: DatumType, at offset: SourceOffset) throws(ExpressionProblem) -> DatumType {
    guard type.element == nil else {
      throw ExpressionProblem(.notSupported, "an array of more than one dimension is not supported", at: offset)
    }
    return type
  }

  private func value(of keyword: SQLKeyword, at offset: SourceOffset) throws(ExpressionProblem) -> TypedExpression {
    let now = TypedExpression(.call(.now, []), .timestamptz(nil))
    switch keyword {
    case .currentTimestamp: return now
    case .currentDate: return TypedExpression(.converted(now, isExplicit: true), .date)
    case .localTime: return TypedExpression(.converted(now, isExplicit: true), .time(nil))
    case .localTimestamp: return TypedExpression(.converted(now, isExplicit: true), .timestamp(nil))
    case .currentRole, .currentUser, .user: return TypedExpression(.call(.currentRole, []), .text)
    case .currentTime, .sessionUser:
      throw ExpressionProblem(.notSupported, "\(keyword.rawValue) is not supported", at: offset)
    }
  }

  /// Throws if a name without a table stands for a column of a query and for a variable too.
  private func checkVariables(_ column: SQLColumn, _ level: Int, at offset: SourceOffset) throws(ExpressionProblem) {
    guard variablesAreDistinct, column.table == nil, level < levels.count - 1,
      levels[0].first?.shape.columns.contains(where: { $0.name.isSame(column.name) }) ?? false
    else { return }
    var problem = ExpressionProblem(
      .ambiguousColumn, "column reference \"\(column.name)\" is ambiguous", at: offset)
    problem.failure.detail = "It could refer to either a PL/pgSQL variable or a table column."
    throw problem
  }

  /// The value of a column.
  private func column(_ column: SQLColumn, at offset: SourceOffset) throws(ExpressionProblem) -> TypedExpression {
    for (level, sources) in levels.reversed().enumerated() {
      let named = sources.enumerated().filter { $0.element.isNamed(by: column) }
      let places = named.flatMap { number, source in
        source.shape.columns.indices.filter { source.has(column, at: $0) }
          .map { ColumnPlace(level: level, source: number, column: $0) }
      }
      if places.count > 1 {
        throw ExpressionProblem(.ambiguousColumn, "column reference \"\(column.name)\" is ambiguous", at: offset)
      }
      if let place = places.first {
        try checkVariables(column, level, at: offset)
        let type = sources[place.source].shape.columns[place.column].type
        return TypedExpression(.column(place), type)
      }
      if column.table == nil, let place = sources.firstIndex(where: { $0.isScalar && $0.alias.isSame(column.name) }) {
        return sources[place].allColumns(level: level, source: place)[0]
      }
      if let table = column.table, !named.isEmpty {
        throw ExpressionProblem(.unknownColumn, "column \(table).\(column.name) does not exist", at: offset)
      }
    }
    if let table = column.table {
      throw ExpressionProblem(.unknownTable, "missing FROM-clause entry for table \"\(table)\"", at: offset)
    }
    throw ExpressionProblem(.unknownColumn, "column \"\(column.name)\" does not exist", at: offset)
  }
}

extension RowSource {
  /// Whether its column at that place is the one.
  fileprivate func has(_ column: SQLColumn, at place: Int) -> Bool {
    shape.columns[place].name.isSame(column.name) && (column.table != nil || !merged.contains(column.name))
  }

  /// Whether a column may be one of it, by the names in front of the column.
  fileprivate func isNamed(by column: SQLColumn) -> Bool {
    guard let table = column.table else { return !needsName }
    guard let schema = column.schema else { return alias.isSame(table) }
    return alias.isSame(table) && shape.name.name.isSame(table) && (shape.name.schema ?? "public").isSame(schema)
  }
}
