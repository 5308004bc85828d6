import ZoneKitRelations
import ZoneKitSchema

/// Functions.
extension ExpressionScope {
  /// The result of a function.
  func call(
    _ name: SQLName, _ arguments: [SQLExpression], at offset: SourceOffset
  ) throws(ExpressionProblem) -> TypedExpression {
    if RowsFunction(name) != nil {
      return try aggregate(SQLAggregate(name, arguments), at: offset)
    }
    var operands: [Operand] = []
    let isOfRow = ["to_jsonb", "to_json", "row_to_json"].contains(name.name) && name.schema == nil
    for argument in arguments {
      operands.append(try isOfRow ? operand(row: argument, isPlain: name.name != "to_jsonb") : operand(argument))
    }
    if name.schema == nil, !operands.isEmpty {
      switch name.name {
      case "coalesce": return try sameTyped(.coalesce, operands, "COALESCE")
      case "greatest": return try extreme(.greatest, operands, "GREATEST", at: offset)
      case "least": return try extreme(.least, operands, "LEAST", at: offset)
      case "array_append" where operands.count == 2: return try appended(operands, at: offset)
      case "nullif" where operands.count == 2: return try nullIf(operands, at: offset)
      default: break
      }
    }
    let given = operands.map(\.slot)
    let candidates: [(signature: FunctionSignature, parameters: [SlotType])] = FunctionTable.signatures(of: name)
      .compactMap { signature in signature.parameters(for: given.count).map { (signature, $0) } }
    let words = "\(name.plain)(\(given.map(\.name).joined(separator: ", ")))"
    if candidates.isEmpty, let own = names.function(name) { return try inlined(own, operands, words, at: offset) }
    switch SignatureChoice(for: given, among: candidates.map(\.parameters)) {
    case .one(let place):
      let (signature, parameters) = candidates[place]
      guard let function = signature.function else {
        throw ExpressionProblem(.notSupported, "the function \(words) is not supported", at: offset)
      }
      let values = try self.values(operands, parameters.types(for: given) ?? parameters)
      return try checked(function, values, signature.result, at: offset)
    case .none:
      throw Self.unknown(words, at: offset)
    case .several:
      throw ExpressionProblem(
        .ambiguousFunction, "function \(words) is not unique", at: offset,
        hint: "Could not choose a best candidate function. You might need to add explicit type casts.")
    }
  }

  private func values(_ operands: [Operand], _ slots: [SlotType]) throws(ExpressionProblem) -> [TypedExpression] {
    var values: [TypedExpression] = []
    for (operand, slot) in zip(operands, slots) {
      switch slot {
      case .value(let type):
        guard let value = try coerced(operand, to: type, .implicit) else { throw intervalProblem(at: operand.offset) }
        values.append(value)
      case .unknown:
        throw ExpressionProblem(
          .typeMismatch, "could not determine polymorphic type because input has type unknown", at: operand.offset)
      default: values.append(try typed(operand))
      }
    }
    return values
  }

  /// A call, if the constants in it can be served.
  private func checked(
    _ function: TypedFunction, _ values: [TypedExpression], _ result: DatumType, at offset: SourceOffset
  ) throws(ExpressionProblem) -> TypedExpression {
    if function == .jsonObject || function == .plainJSONObject, !values.count.isMultiple(of: 2) {
      throw ExpressionProblem(
        .invalidParameter, "argument list must have even number of elements", at: offset,
        hint: "The arguments of \(function.rawValue)() must consist of alternating keys and values.")
    }
    if function == .truncatedTime || function == .timePart || function == .setting {
      guard case .constant = values[0].kind else {
        throw ExpressionProblem(
          .notSupported, "the first value of \(function.rawValue) is supported only as a constant", at: offset)
      }
    }
    return TypedExpression(.call(function, values), result)
  }

  private func sameTyped(
    _ function: TypedFunction, _ operands: [Operand], _ construct: String
  ) throws(ExpressionProblem) -> TypedExpression {
    let values = try common(operands, for: construct)
    return TypedExpression(.call(function, values), values[0].type.unlimited)
  }

  /// The greatest or least value, of a type that has an order.
  private func extreme(
    _ function: TypedFunction, _ operands: [Operand], _ construct: String, at offset: SourceOffset
  ) throws(ExpressionProblem) -> TypedExpression {
    let value = try sameTyped(function, operands, construct)
    guard value.type != .json else {
      throw ExpressionProblem(
        .unknownFunction, "could not identify a comparison function for type json", at: offset)
    }
    return value
  }

  /// An array with another element, as the operator makes it.
  private func appended(_ operands: [Operand], at offset: SourceOffset) throws(ExpressionProblem) -> TypedExpression {
    guard case .typed(let array) = operands[0].value, let type = array.type.element,
      let element = try coerced(operands[1], to: type, .implicit)
    else { throw Self.unknown("array_append(\(operands.map(\.slot.name).joined(separator: ", ")))", at: offset) }
    return try typed(binary(operands[0], .joined, Operand(value: .typed(element), offset: offset), at: offset))
  }

  private func nullIf(_ operands: [Operand], at offset: SourceOffset) throws(ExpressionProblem) -> TypedExpression {
    let comparison = try typed(binary(operands[0], .equal, operands[1], at: offset))
    let slots = try sides(operands[0].slot, .equal, operands[1].slot, at: offset)
    let first = try side(operands[0], slots[0])
    return TypedExpression(.call(.nullIf, [first, comparison]), first.type.unlimited)
  }
}
