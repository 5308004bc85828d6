import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// A function of a schema.
package struct CatalogueFunction: Equatable, Sendable {
  /// The function's name.
  package var name: ObjectName
  /// What it is given.
  package var parameters: [ColumnShape]
  /// The values of the last parameters where none are given.
  package var defaults: [SQLExpression]
  /// What it returns.
  package var result: Result
  /// What it does; nil if only a fixed answer stands for it.
  package var body: RoutineBody?
  /// Whether it may read and write rows that its caller may not.
  package var isDefiner: Bool
  /// The functions before it, which are the ones that it may call, have lesser numbers.
  var order: Int

  /// What a function returns.
  package enum Result: Equatable, Sendable {
    /// The row that its trigger writes.
    case trigger
    /// A value of that type.
    case value(DatumType)
    /// Nothing, or something that only a fixed answer stands for.
    case nothing
    /// Values of that type.
    case values(DatumType)
    /// Rows of a table, or one row of it.
    case table(ObjectName, isOne: Bool)
    /// Rows of those columns.
    case rows([ColumnShape])
  }

  /// The types of what it is given, as messages write them.
  var signature: String { "\(name.name)(\(parameters.map(\.type.name).joined(separator: ", ")))" }
}

extension CatalogueFunction {
  /// The function as one expression, with which each call of it is replaced. Throws if it does more than to compute a value.
  func inlined(_ names: Names) throws(ExpressionProblem) -> InlineFunction {
    guard case .value(let type) = result, let body else { throw Self.notInlined(signature) }
    var inlining = try Inlining(self, body, type, names)
    guard var value = try inlining.result(of: body.steps[...]) else { throw Self.notInlined(signature) }
    if isDefiner {
      value = value.ofDefiner
    }
    return InlineFunction(parameters, defaults: try typedDefaults(names), value)
  }

  /// The values of the last parameters where none are given, with types. Throws if one does not fit its parameter.
  package func typedDefaults(_ names: Names) throws(ExpressionProblem) -> [TypedExpression] {
    let scope = ExpressionScope(names)
    var values: [TypedExpression] = []
    for (parameter, value) in zip(parameters.suffix(defaults.count), defaults) {
      values.append(try scope.resolve(value, as: parameter, isDefault: true))
    }
    return values
  }

  fileprivate static func notInlined(_ words: String) -> ExpressionProblem {
    ExpressionProblem(
      SQLFailure(.notSupported, "the function \(words) does more than to compute a value, so no condition can use it"),
      at: SourceOffset(0))
  }

  /// The steps of a function on the way to one expression.
  private struct Inlining {
    let function: CatalogueFunction
    let type: DatumType
    let scope: ExpressionScope
    /// What the parameters and variables are.
    let columns: [ColumnShape]
    /// Their values, as expressions of the parameters.
    var values: [TypedExpression]

    init(
      _ function: CatalogueFunction, _ body: RoutineBody, _ type: DatumType, _ names: Names
    ) throws(ExpressionProblem) {
      (self.function, self.type) = (function, type)
      columns = function.parameters + (try body.columns(names))
      scope = ExpressionScope(names, [RowSource(RelationShape(SQLName(function.name.name), columns))])
      values = columns.enumerated().map { place, column in
        place < function.parameters.count
          ? TypedExpression(.column(ColumnPlace(column: place)), column.type)
          : TypedExpression(.constant(.null), column.type)
      }
      for (place, variable) in body.variables.enumerated() {
        guard let value = variable.value else { continue }
        let column = function.parameters.count + place
        values[column] = try self.value(of: value, as: columns[column])
      }
    }

    /// What the steps return; nil if they end without a value.
    mutating func result(of steps: ArraySlice<RoutineBody.Step>) throws(ExpressionProblem) -> TypedExpression? {
      guard let step = steps.first else { return nil }
      let rest = steps.dropFirst()
      switch step {
      case .returns(let value):
        guard let value else { return nil }
        return try self.value(of: value, as: ColumnShape(function.name.name, type))
      case .assign(let target, let value):
        let place = try place(of: target)
        values[place] = try self.value(of: value, as: columns[place])
        return try result(of: rest)
      case .select(let query, let targets, _):
        guard query.results.count == targets.count else { throw CatalogueFunction.notInlined(function.signature) }
        for (target, result) in zip(targets, query.results) {
          let place = try place(of: target)
          var one = query
          one.results = [result]
          // The first row counts, if there are several.
          if one.limit == nil { one.limit = SQLExpression(.constant(.integer(1))) }
          values[place] = try self.value(of: SQLExpression(.query(one)), as: columns[place])
        }
        return try result(of: rest)
      case .branch(let branches, let otherwise): return try choice(branches, otherwise, rest)
      default: throw CatalogueFunction.notInlined(function.signature)
      }
    }

    /// A choice between what is returned behind each condition.
    private func choice(
      _ branches: [RoutineBody.Branch], _ otherwise: [RoutineBody.Step], _ rest: ArraySlice<RoutineBody.Step>
    ) throws(ExpressionProblem) -> TypedExpression? {
      var parts: [TypedExpression] = []
      for branch in branches {
        parts.append(try value(of: branch.condition, as: ColumnShape("IF", .boolean)))
        var inner = self
        guard let value = try inner.result(of: (branch.steps + rest)[...]) else { return nil }
        parts.append(value)
      }
      var inner = self
      guard let last = try inner.result(of: (otherwise + rest)[...]) else { return nil }
      let choice = TypedExpression(.choice(parts, otherwise: last), type)
      guard choice.size <= InlineFunction.sizeLimit else { throw CatalogueFunction.notInlined(function.signature) }
      return choice
    }

    private func place(of target: SQLColumn) throws(ExpressionProblem) -> Int {
      guard let place = columns.lastIndex(where: { $0.name == target.name }),
        target.table == nil || target.table == function.name.name
      else {
        throw ExpressionProblem(SQLFailure(.syntax, "\"\(target.name)\" is not a known variable"), at: SourceOffset(0))
      }
      return place
    }

    private func value(of expression: SQLExpression, as column: ColumnShape) throws(ExpressionProblem)
      -> TypedExpression
    {
      let typed = try scope.resolve(expression, as: column)
      do throws(SQLFailure) {
        let value = try typed.replacingOutermost(values)
        guard value.size <= InlineFunction.sizeLimit else {
          throw SQLFailure(.notSupported, "\(function.signature) is too long")
        }
        return value
      } catch {
        throw ExpressionProblem(error, at: expression.offset)
      }
    }
  }
}

extension RoutineBody {
  /// The variables as columns of the row that expressions of the body see.
  func columns(_ names: Names) throws(ExpressionProblem) -> [ColumnShape] {
    try variables.map { (variable) throws(ExpressionProblem) in
      guard case .value(let type) = variable.kind else {
        throw ExpressionProblem(
          SQLFailure(.notSupported, "the variable \(variable.name) is a row"), at: SourceOffset(0))
      }
      return ColumnShape(variable.name, try DatumType(resolving: type, names))
    }
  }
}

extension TypedExpression {
  /// The expression whose queries read rows that the role may not.
  fileprivate var ofDefiner: TypedExpression {
    // Nothing here throws.
    (try? mapped(column: { place, _ in .column(place) }, query: { query, _ in query.markedAsDefiner })) ?? self
  }
}

extension TypedQuery {
  /// The query that reads rows that the role may not, with all queries in it.
  package var ofDefiner: TypedQuery {
    // Nothing here throws.
    let inner = try? mapped(
      depth: 0, column: { place, _ in .column(place) }, query: { query, _ in query.markedAsDefiner })
    return (inner ?? self).markedAsDefiner
  }

  fileprivate var markedAsDefiner: TypedQuery {
    var query = self
    query.isDefiner = true
    return query
  }
}

extension Catalogue {
  /// The function that a name stands for, as one expression; nil if there is none, or if it is no expression.
  func inlineFunction(_ name: SQLName, before order: Int) -> InlineFunction? {
    guard let function = functions[Self.full(name)], function.order < order else { return nil }
    return try? function.inlined(names(before: function.order))
  }

  /// What the names of the catalogue stand for in expressions.
  package var names: Names { names(before: .max) }

  /// The same with the functions alone that were made before another one.
  func names(before order: Int) -> Names {
    Names(
      relation: { [tables] name in tables[Self.full(name)]?.shape },
      enumeration: { [enums] name in enums[Self.full(name)] },
      function: { name in inlineFunction(name, before: order) },
      view: { name in (try? query(ofView: Self.full(name), names(before: order))) ?? nil })
  }
}
