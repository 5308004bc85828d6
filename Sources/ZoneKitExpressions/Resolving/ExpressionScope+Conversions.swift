import ZoneKitRelations
import ZoneKitSchema

/// Conversions.
extension ExpressionScope {
  /// A part as a value of a type; nil where it cannot be converted at such a place. Throws for a literal that is no value of the
  /// type.
  func coerced(
    _ operand: Operand, to type: DatumType, _ context: CastContext
  ) throws(ExpressionProblem) -> TypedExpression? {
    switch operand.value {
    case .interval:
      if context != .implicit { throw intervalProblem(at: operand.offset) }
      return nil
    case .literal(nil): return TypedExpression(.constant(.null), type)
    case .literal(let text?):
      do throws(SQLFailure) {
        // A type's limits are applied to its value, not to its text.
        let datum = try type.textless.datum(text, now: now)
        let isExplicit = context == .explicit
        return TypedExpression(.constant(try Conversion.limited(datum, to: type, isExplicit: isExplicit)), type)
      } catch {
        throw ExpressionProblem(error, at: operand.offset)
      }
    case .typed(let expression):
      guard let needed = CastContext.needed(from: expression.type, to: type), needed <= context else { return nil }
      return Self.converted(expression, to: type, isExplicit: context == .explicit)
    }
  }

  /// A value that can be converted to a type, as a value of it.
  private static func converted(_ value: TypedExpression, to type: DatumType, isExplicit: Bool) -> TypedExpression {
    if value.type == type || type == value.type.unlimited { return value }
    guard case .constant(let datum) = value.kind else {
      return TypedExpression(.converted(value, isExplicit: isExplicit), type)
    }
    if datum == .null { return TypedExpression(.constant(.null), type) }
    if value.type.numberRank != nil, type.numberRank != nil,
      let number = try? Conversion.value(datum, from: value.type, to: type, isExplicit: isExplicit, now: 0)
    {
      return TypedExpression(.constant(number), type)
    }
    return TypedExpression(.converted(value, isExplicit: isExplicit), type)
  }

  /// A cast.
  func cast(_ value: SQLExpression, to type: SQLType, at offset: SourceOffset) throws(ExpressionProblem) -> Operand {
    if case .interval = type.kind { return try interval(value, at: offset) }
    let target = try DatumType(resolving: type, names)
    if case .array(let elements) = value.kind, case .array(let element) = target {
      var converted: [TypedExpression] = []
      for part in elements { converted.append(try cast(operand(part), to: element)) }
      return Operand(value: .typed(TypedExpression(.array(converted), target)), offset: offset)
    }
    return Operand(value: .typed(try cast(operand(value), to: target)), offset: offset)
  }

  private func cast(_ operand: Operand, to type: DatumType) throws(ExpressionProblem) -> TypedExpression {
    if let value = try coerced(operand, to: type, .explicit) { return value }
    throw ExpressionProblem(
      .cannotCoerce, "cannot cast type \(operand.slot.name) to \(type.name)", at: operand.offset)
  }

  private func interval(_ value: SQLExpression, at offset: SourceOffset) throws(ExpressionProblem) -> Operand {
    let operand = try operand(value)
    switch operand.value {
    case .interval: return operand
    case .literal(let text?): return Operand(value: .interval(try interval(text, at: offset)), offset: offset)
    case .literal(nil), .typed: throw intervalProblem(at: offset)
    }
  }

  /// The span of time that a text says.
  func interval(_ text: String, at offset: SourceOffset) throws(ExpressionProblem) -> Interval {
    do throws(SQLFailure) { return try Interval(text) } catch { throw ExpressionProblem(error, at: offset) }
  }

  /// Parts as values of the type that they have in common; what they are for is said in messages.
  func common(_ operands: [Operand], for construct: String) throws(ExpressionProblem) -> [TypedExpression] {
    let type = try commonType(operands, for: construct)
    var values: [TypedExpression] = []
    for operand in operands {
      guard let value = try coerced(operand, to: type, .implicit) else {
        throw ExpressionProblem(
          .cannotCoerce, "\(construct) could not convert type \(operand.slot.name) to \(type.name)",
          at: operand.offset)
      }
      values.append(value)
    }
    return values
  }

  private func commonType(_ operands: [Operand], for construct: String) throws(ExpressionProblem) -> DatumType {
    var slots: [SlotType] = []
    for operand in operands {
      if case .interval = operand.value { throw intervalProblem(at: operand.offset) }
      let before = SlotType.common(of: slots)
      slots.append(operand.slot)
      guard SlotType.common(of: slots) == nil, let before else { continue }
      throw ExpressionProblem(
        .typeMismatch, "\(construct) types \(before.name) and \(operand.slot.name) cannot be matched",
        at: operand.offset)
    }
    guard case .value(let type)? = SlotType.common(of: slots) else { return .text }
    return type
  }
}

extension DatumType {
  /// The type whose reading of a text applies no limits.
  fileprivate var textless: DatumType {
    switch self {
    case .varchar, .char: .text
    case .array(let element): .array(element.textless)
    default: unlimited
    }
  }
}
