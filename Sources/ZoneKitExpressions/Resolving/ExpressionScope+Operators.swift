import ZoneKitRelations
import ZoneKitSchema

/// Operators.
extension ExpressionScope {
  /// An operator between two parts.
  func binary(
    _ left: Operand, _ known: SQLOperator, _ right: Operand, at offset: SourceOffset
  ) throws(ExpressionProblem) -> Operand {
    if let test = try nullTest(left, known, right) { return Operand(value: .typed(test), offset: offset) }
    let slots = Self.widened(try sides(left.slot, known, right.slot, at: offset))
    let value: TypedExpression
    if slots.contains(.interval) {
      value = try moved(left, known, right, slots, at: offset)
    } else {
      let (first, second) = (try side(left, slots[0]), try side(right, slots[1]))
      value = try operation(first, known, second, at: offset)
    }
    return Operand(value: .typed(value), offset: offset)
  }

  /// Whether a value is null, which is how PostgreSQL reads that it is not distinct from a null; nil for another operator.
  private func nullTest(
    _ left: Operand, _ known: SQLOperator, _ right: Operand
  ) throws(ExpressionProblem) -> TypedExpression? {
    guard known == .isDistinctFrom || known == .isNotDistinctFrom else { return nil }
    let test = known == .isDistinctFrom ? SQLTest.isNotNull : .isNull
    if case .literal(nil) = right.value { return TypedExpression(.test(try typed(left), test), .boolean) }
    if case .literal(nil) = left.value { return TypedExpression(.test(try typed(right), test), .boolean) }
    return nil
  }

  /// A part as one side of an operator that takes such values there.
  func side(_ operand: Operand, _ slot: SlotType) throws(ExpressionProblem) -> TypedExpression {
    guard case .value(let type) = slot, let value = try coerced(operand, to: type, .implicit) else {
      return try typed(operand)
    }
    return value
  }

  private func operation(
    _ left: TypedExpression, _ known: SQLOperator, _ right: TypedExpression, at offset: SourceOffset
  ) throws(ExpressionProblem) -> TypedExpression {
    guard let type = Self.result(left.type.unlimited, known, right.type.unlimited) else {
      throw ExpressionProblem(
        .notSupported,
        "the operator \(left.type.name) \(known.catalogueName) \(right.type.name) is not supported", at: offset)
    }
    switch known {
    case .matches, .anyCaseMatches, .notMatches, .notAnyCaseMatches:
      // A pattern that is known is checked before there is a row.
      if case .constant(.text(let pattern)) = right.kind {
        do throws(SQLFailure) { _ = try RegularExpression(pattern) } catch {
          throw ExpressionProblem(error, at: offset)
        }
      }
    default: break
    }
    return TypedExpression(.binary(left, known, right), type)
  }

  /// The types of PostgreSQL's operator for two values.
  func sides(
    _ left: SlotType, _ known: SQLOperator, _ right: SlotType, at offset: SourceOffset
  ) throws(ExpressionProblem) -> [SlotType] {
    let pairs = OperatorTable.pairs(of: known)
    let given = [left, right]
    // A literal has the type of the other side where there is such an operator.
    let assumed = [left == .unknown ? right : left, right == .unknown ? left : right]
    let words = "\(left.name) \(known.catalogueName) \(right.name)"
    let pair: [SlotType]
    if assumed != given, pairs.contains(assumed) {
      pair = assumed
    } else {
      switch SignatureChoice(for: given, among: pairs) {
      case .one(let place): pair = pairs[place]
      case .none:
        throw ExpressionProblem(
          .unknownFunction, "operator does not exist: \(words)", at: offset,
          hint: "No operator matches the given name and argument types. You might need to add explicit type casts.")
      case .several:
        throw ExpressionProblem(
          .ambiguousFunction, "operator is not unique: \(words)", at: offset,
          hint: "Could not choose a best candidate operator. You might need to add explicit type casts.")
      }
    }
    return pair.types(for: given) ?? pair
  }

  /// Two types of numbers or times as the wider one of both. PostgreSQL has operators for each pair, with the same results.
  private static func widened(_ pair: [SlotType]) -> [SlotType] {
    guard case .value(let first) = pair[0], case .value(let second) = pair[1], first != second else { return pair }
    if let own = first.numberRank, let other = second.numberRank {
      return own < other ? [pair[1], pair[1]] : [pair[0], pair[0]]
    }
    switch (first, second) {
    case (.date, .timestamp), (.date, .timestamptz), (.timestamp, .timestamptz): return [pair[1], pair[1]]
    case (.timestamp, .date), (.timestamptz, .date), (.timestamptz, .timestamp): return [pair[0], pair[0]]
    default: return pair
    }
  }

  /// The type of an operator's value; nil where the operator is not supported.
  private static func result(_ left: DatumType, _ known: SQLOperator, _ right: DatumType) -> DatumType? {
    switch known {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isDistinctFrom, .isNotDistinctFrom,
      .matches, .anyCaseMatches, .notMatches, .notAnyCaseMatches, .contains, .isContainedBy, .overlaps,
      .hasKey, .hasAnyKey, .hasAllKeys:
      return .boolean
    case .like, .notLike, .anyCaseLike, .notAnyCaseLike: return left == .bytea ? nil : .boolean
    case .memberText: return .text
    case .member: return left
    case .joined:
      if left.element != nil || right.element != nil { return left.element == nil ? right : left }
      return left == right && (left == .bytea || left == .jsonb) ? left : .text
    case .plus, .minus, .times, .divided, .modulo:
      if left.numberRank != nil, left == right { return left }
      switch (left, known, right) {
      case (.date, .plus, .integer), (.integer, .plus, .date), (.date, .minus, .integer): return .date
      case (.date, .minus, .date): return .integer
      case (.date, .plus, .time), (.time, .plus, .date): return .timestamp(nil)
      default: return nil
      }
    }
  }

  /// A time moved by a constant span.
  private func moved(
    _ left: Operand, _ known: SQLOperator, _ right: Operand, _ slots: [SlotType], at offset: SourceOffset
  ) throws(ExpressionProblem) -> TypedExpression {
    let isFirst = slots[0] == .interval
    let (time, span, slot) = isFirst ? (right, left, slots[1]) : (left, right, slots[0])
    guard known == .plus || known == .minus && !isFirst, case .value(let type) = slot, slot.category == .time,
      let value = try coerced(time, to: type == .date ? .timestamp(nil) : type, .implicit)
    else { throw intervalProblem(at: offset) }
    let interval: Interval
    switch span.value {
    case .interval(let constant): interval = constant
    case .literal(let text?): interval = try self.interval(text, at: span.offset)
    case .literal(nil): return TypedExpression(.constant(.null), value.type.unlimited)
    case .typed: throw intervalProblem(at: offset)
    }
    return TypedExpression(.moved(value, known == .minus ? interval.negated : interval), value.type.unlimited)
  }

  /// A number with the other sign.
  func negated(_ operand: Operand, at offset: SourceOffset) throws(ExpressionProblem) -> Operand {
    switch operand.value {
    case .interval(let interval): return Operand(value: .interval(interval.negated), offset: offset)
    case .literal: throw ExpressionProblem(.ambiguousFunction, "operator is not unique: - unknown", at: offset)
    case .typed(let value):
      guard value.type.numberRank != nil else {
        throw ExpressionProblem(.unknownFunction, "operator does not exist: - \(value.type.name)", at: offset)
      }
      return Operand(value: .typed(TypedExpression(.negated(value), value.type.unlimited)), offset: offset)
    }
  }

  /// Whether a value is one of a list. Values without columns are compared as one array, as they get one type together.
  func isIn(
    _ expression: SQLExpression, _ list: [SQLExpression], _ isNegated: Bool, at offset: SourceOffset
  ) throws(ExpressionProblem) -> TypedExpression {
    let value = try operand(expression)
    let known = isNegated ? SQLOperator.notEqual : .equal
    var operands: [Operand] = []
    for part in list { operands.append(try operand(part)) }
    var parts: [TypedExpression] = []
    let constants = operands.filter { !$0.usesRow }
    if constants.count > 1, case .value(let type)? = SlotType.common(of: [value.slot] + constants.map(\.slot)),
      type.element == nil, constants.allSatisfy({ $0.slot.canBe(.value(type)) })
    {
      var elements: [TypedExpression] = []
      for constant in constants { elements.append(try side(constant, .value(type))) }
      let array = TypedExpression(.array(elements), .array(type))
      parts.append(
        try quantified(
          value, known, isNegated ? .all : .any, Operand(value: .typed(array), offset: offset), at: offset))
      operands.removeAll { !$0.usesRow }
    }
    for operand in operands { parts.append(try typed(binary(value, known, operand, at: offset))) }
    return parts.count == 1 ? parts[0] : TypedExpression(isNegated ? .and(parts) : .or(parts), .boolean)
  }

  /// An operator between a value and the elements of an array.
  func quantified(
    _ value: Operand, _ known: SQLOperator, _ quantifier: SQLExpression.Quantifier, _ array: Operand,
    at offset: SourceOffset
  ) throws(ExpressionProblem) -> TypedExpression {
    let element: SlotType
    switch array.value {
    case .literal: element = .unknown
    case .typed(let typed):
      guard let type = typed.type.unlimited.element else { fallthrough }
      element = .value(type)
    case .interval:
      throw ExpressionProblem(.wrongObject, "op ANY/ALL (array) requires array on right side", at: offset)
    }
    let slots = Self.widened(try sides(value.slot, known, element, at: offset))
    guard case .value(let type) = slots[1], let elements = try coerced(array, to: .array(type), .implicit) else {
      throw intervalProblem(at: offset)
    }
    let first = try side(value, slots[0])
    try checkCondition(first.type, known, type, "op ANY/ALL (array) requires operator to yield boolean", at: offset)
    return TypedExpression(.quantified(first, known, quantifier, elements), .boolean)
  }

  /// An operator between a value and those that a query finds.
  func quantifiedQuery(
    _ value: Operand, _ known: SQLOperator, _ quantifier: SQLExpression.Quantifier, _ query: SQLQuery,
    at offset: SourceOffset
  ) throws(ExpressionProblem) -> TypedExpression {
    var found = try oneColumn(query)
    let result = Operand(value: .typed(found.results[0]), offset: query.offset)
    let slots = Self.widened(try sides(value.slot, known, result.slot, at: offset))
    let (first, second) = (try side(value, slots[0]), try side(result, slots[1]))
    try checkCondition(
      first.type, known, second.type, "operator \(known.catalogueName) must return type boolean, not type", at: offset)
    found.results = [second]
    return TypedExpression(.quantifiedQuery(first, known, quantifier, found), .boolean)
  }

  private func checkCondition(
    _ left: DatumType, _ known: SQLOperator, _ right: DatumType, _ message: String, at offset: SourceOffset
  ) throws(ExpressionProblem) {
    let type = Self.result(left.unlimited, known, right.unlimited)
    if type == .boolean { return }
    throw ExpressionProblem(
      message.utf8.last == UInt8(ascii: "e") ? .typeMismatch : .wrongObject, message, at: offset)
  }
}

extension Operand {
  /// Whether the part depends on a row of the query that it is written in.
  fileprivate var usesRow: Bool {
    guard case .typed(let expression) = value else { return false }
    return expression.columns.contains { $0.level == 0 }
  }
}

extension SQLOperator {
  /// The name in PostgreSQL's catalogue, which its messages state.
  var catalogueName: String {
    switch self {
    case .like: "~~"
    case .notLike: "!~~"
    case .anyCaseLike: "~~*"
    case .notAnyCaseLike: "!~~*"
    case .isDistinctFrom, .isNotDistinctFrom: "="
    default: rawValue
    }
  }
}
