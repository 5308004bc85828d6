import ZoneKitRelations
import ZoneKitSchema

/// A function of a schema whose result is one expression. A call of it is replaced by the expression.
package struct InlineFunction {
  /// What it is given, in order.
  package var parameters: [ColumnShape]
  /// The values of the last parameters where none are given.
  package var defaults: [TypedExpression]
  /// The expression. Its outermost row has the parameters as columns.
  package var value: TypedExpression

  /// A function of that expression.
  package init(_ parameters: [ColumnShape], defaults: [TypedExpression] = [], _ value: TypedExpression) {
    self.parameters = parameters
    self.defaults = defaults
    self.value = value
  }

  /// The most parts of the expression that stands for a call.
  package static let sizeLimit = 10_000
}

extension TypedExpression {
  /// The expression with values in place of the columns of its outermost row.
  package func replacingOutermost(_ values: [TypedExpression]) throws(SQLFailure) -> TypedExpression {
    try mapped { place, depth in
      guard place.level == depth, values.indices.contains(place.column) else { return .column(place) }
      return values[place.column].within(queries: depth).kind
    }
  }

  /// The expression as it is written inside of so many queries more.
  private func within(queries count: Int) -> TypedExpression {
    guard count > 0 else { return self }
    let moved = try? mapped { place, depth in
      guard place.level >= depth else { return .column(place) }
      return .column(ColumnPlace(level: place.level + count, source: place.source, column: place.column))
    }
    return moved ?? self
  }

  /// The number of its parts, with those inside of queries.
  package var size: Int {
    var left = [self]
    var size = 0
    while let next = left.popLast() {
      size += 1
      left += next.parts
      var queries = next.query.map { [$0] } ?? []
      while let query = queries.popLast() {
        left += query.parts
        queries += query.queries
      }
    }
    return size
  }
}

extension TypedQuery {
  /// The number of its parts, with those inside of queries.
  package var size: Int { TypedExpression(.query(self), .text).size }

  /// Whether it has more parts than a query may have that others read.
  package var isTooLarge: Bool { size > InlineFunction.sizeLimit }
}

extension ExpressionScope {
  /// The expression that stands for a call of a function of the schema.
  func inlined(
    _ function: InlineFunction, _ operands: [Operand], _ words: String, at offset: SourceOffset
  ) throws(ExpressionProblem) -> TypedExpression {
    let required = function.parameters.count - function.defaults.count
    guard (required...function.parameters.count).contains(operands.count) else { throw Self.unknown(words, at: offset) }
    var values: [TypedExpression] = []
    for (operand, parameter) in zip(operands, function.parameters) {
      guard let value = try coerced(operand, to: parameter.type, .implicit) else {
        throw Self.unknown(words, at: offset)
      }
      values.append(value)
    }
    values += function.defaults.dropFirst(operands.count - required)
    do throws(SQLFailure) {
      let value = try function.value.replacingOutermost(values)
      guard value.size <= InlineFunction.sizeLimit else {
        throw SQLFailure(.notSupported, "the functions that \(words) calls are too many")
      }
      return value
    } catch {
      throw ExpressionProblem(error.code, error.message, at: offset)
    }
  }

  /// The problem of a function that is not there.
  static func unknown(_ words: String, at offset: SourceOffset) -> ExpressionProblem {
    ExpressionProblem(
      .unknownFunction, "function \(words) does not exist", at: offset,
      hint: "No function matches the given name and argument types. You might need to add explicit type casts.")
  }
}
