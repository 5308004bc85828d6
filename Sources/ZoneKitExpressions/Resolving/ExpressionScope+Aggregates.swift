import ZoneKitRelations
import ZoneKitSchema

/// The functions of many rows that a query calls.
struct AggregateList {
  /// The source whose columns stand for the results until it is known what the groups are.
  static let source = -1

  /// The calls, as they are written and with types.
  var calls: [(written: SQLAggregate, typed: AggregateCall)] = []

  /// The result of a call.
  func result(of written: SQLAggregate) -> TypedExpression? {
    calls.firstIndex { $0.written == written }.map { place in
      TypedExpression(.column(ColumnPlace(source: Self.source, column: place)), calls[place].typed.type)
    }
  }
}

/// A call of a function of many rows.
struct AggregateCall: Equatable {
  var function: RowsFunction
  var values: [TypedExpression]
  var isDistinct = false
  var order: [TypedOrder] = []
  var filter: TypedExpression?
  var type: DatumType

  /// The call, whose values become some of the results of the query for its rows.
  func aggregate(_ results: inout [TypedExpression]) -> TypedAggregate {
    func add(_ value: TypedExpression) -> Int {
      results.append(value)
      return results.count - 1
    }
    let start = results.count
    results += values
    let end = results.count
    let order = order.map { part in
      var part = part
      part.value = TypedExpression(.column(ColumnPlace(column: add(part.value))), part.value.type)
      return part
    }
    return TypedAggregate(
      function: function, values: start..<end, filter: filter.map(add), order: order, isDistinct: isDistinct,
      types: values.map(\.type), type: type)
  }
}

/// Functions of many rows.
extension ExpressionScope {
  /// The result of a function of many rows.
  func aggregate(_ call: SQLAggregate, at offset: SourceOffset) throws(ExpressionProblem) -> TypedExpression {
    guard let result = aggregates?.result(of: call) else {
      throw ExpressionProblem(.grouping, "aggregate functions are not allowed here", at: offset)
    }
    return result
  }

  /// The functions of many rows that expressions about rows of this scope call.
  func aggregates(of expressions: [SQLExpression]) throws(ExpressionProblem) -> AggregateList {
    var list = AggregateList()
    var left = expressions[...]
    while let next = left.popFirst() {
      guard let written = next.aggregate else {
        left += next.parts
        continue
      }
      guard list.result(of: written) == nil else { continue }
      list.calls.append((written, try typed(written, at: next.offset)))
    }
    return list
  }

  private func typed(_ call: SQLAggregate, at offset: SourceOffset) throws(ExpressionProblem) -> AggregateCall {
    guard let function = RowsFunction(call.name) else {
      throw ExpressionProblem(
        .wrongObject, "DISTINCT, ORDER BY or FILTER specified, but \(call.name.plain) is not an aggregate function",
        at: offset)
    }
    var operands: [Operand] = []
    for value in call.values { operands.append(try operand(row: value)) }
    let words = "\(call.name.plain)(\(operands.map(\.slot.name).joined(separator: ", ")))"
    guard var typed = try self.call(function, operands) else { throw Self.unknown(words, at: offset) }
    typed.isDistinct = call.isDistinct
    for part in call.order {
      typed.order.append(
        TypedOrder(try resolve(part.value), isDescending: part.isDescending, nullsFirst: part.nullsFirst))
    }
    typed.filter = try call.filter.map { (filter) throws(ExpressionProblem) in
      try condition(filter, of: "FILTER")
    }
    return typed
  }

  /// The call of a function of many rows; nil if there is none for such values.
  private func call(_ function: RowsFunction, _ operands: [Operand]) throws(ExpressionProblem) -> AggregateCall? {
    guard operands.count == (function.isOfTwo ? 2 : 1) || (function == .count && operands.isEmpty) else { return nil }
    var values: [TypedExpression] = []
    for operand in operands { values.append(try typed(operand)) }
    func converted(_ types: [DatumType]) throws(ExpressionProblem) -> AggregateCall? {
      var others: [TypedExpression] = []
      for (operand, type) in zip(operands, types) {
        guard let value = try coerced(operand, to: type, .implicit) else { return nil }
        others.append(value)
      }
      return AggregateCall(function: function, values: others, type: types[0])
    }
    let type = values.first?.type.unlimited ?? .text
    switch function {
    case .count: return AggregateCall(function: function, values: values, type: .bigint)
    case .sum, .avg:
      guard type.numberRank != nil, let result = function.result(of: type) else { return nil }
      return AggregateCall(function: function, values: values, type: result)
    case .min, .max:
      switch type {
      case .boolean, .uuid, .json, .jsonb, .bytea: return nil
      case .varchar: return AggregateCall(function: function, values: values, type: .text)
      default: return AggregateCall(function: function, values: values, type: type)
      }
    case .all, .one: return try converted([.boolean])
    case .array:
      return type.element == nil ? AggregateCall(function: function, values: values, type: .array(type)) : nil
    case .text: return try converted([.text, .text])
    case .jsonArray, .jsonObject: return AggregateCall(function: function, values: values, type: .jsonb)
    case .plainJSONArray, .plainJSONObject: return AggregateCall(function: function, values: values, type: .json)
    }
  }

  /// An expression that may name a whole row, which stands for an object in JSON with its columns.
  func operand(row expression: SQLExpression, isPlain: Bool = true) throws(ExpressionProblem) -> Operand {
    if case .column(let column) = expression.kind, column.table == nil, let row = wholeRow(column.name) {
      let function = isPlain ? TypedFunction.rowJSON : .jsonObject
      let value = TypedExpression(.call(function, row), isPlain ? .json : .jsonb)
      return Operand(value: .typed(value), offset: expression.offset)
    }
    return try operand(expression)
  }

  /// The names and values of the columns of the source of that name by turns; nil if the name stands for something else.
  private func wholeRow(_ name: String) -> [TypedExpression]? {
    for (level, sources) in levels.reversed().enumerated() {
      if sources.contains(where: { source in
        !source.needsName && source.shape.columns.contains { $0.name.isSame(name) }
      }) {
        return nil
      }
      guard let place = sources.firstIndex(where: { $0.alias.isSame(name) }) else { continue }
      let source = sources[place]
      if source.isScalar { return nil }
      return zip(source.shape.columns, source.allColumns(level: level, source: place)).flatMap { column, value in
        [TypedExpression(.constant(.text(column.name)), .text), value]
      }
    }
    return nil
  }
}

extension RowSource {
  /// Whether its name stands for the value of its one column too, as that of a function does.
  var isScalar: Bool {
    if case .function? = derivation { shape.columns.count == 1 } else { false }
  }
}

extension RowsFunction {
  /// Whether it gets two values of each row.
  fileprivate var isOfTwo: Bool { self == .text || self == .jsonObject || self == .plainJSONObject }

  /// The type of a sum or of an average.
  fileprivate func result(of type: DatumType) -> DatumType? {
    switch (self, type) {
    case (.sum, .smallint), (.sum, .integer): .bigint
    case (.sum, .real): .real
    case (_, .real), (_, .doublePrecision): .doublePrecision
    default: .numeric(nil)
    }
  }
}

extension SQLExpression {
  /// The call of a function of many rows that the expression is; nil if it is none.
  var aggregate: SQLAggregate? {
    switch kind {
    case .aggregate(let call): call
    case .call(let name, let values) where RowsFunction(name) != nil: SQLAggregate(name, values)
    default: nil
    }
  }
}
