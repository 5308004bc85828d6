import ZoneKitExpressions
import ZoneKitRelations

/// Which rows of a table are wanted and what of them, with everything looked up.
struct ReadingPlan {
  /// A part of what an answer has of a row.
  indirect enum Item {
    /// A value.
    case value(String, TypedExpression)
    /// The number of rows, in place of the rows themselves.
    case count(String)
    /// Related rows.
    case related(RelatedPlan)
  }

  /// The table.
  let table: PreparedTable
  /// What the answer has of a row.
  var items: [Item] = []
  /// The condition for a row without that of the policies; nil for all rows.
  var condition: TypedExpression?
  /// The order.
  var order: [TypedOrder] = []
  /// The most rows; nil for all.
  var limit: Int?
  /// How many of the rows found are left out, from the first on.
  var offset = 0

  /// The name of the number of rows; nil if the rows themselves are wanted.
  var countName: String? { if case .count(let name)? = items.first { name } else { nil } }

  /// What an answer has of a row.
  var columns: [RelationColumn] {
    items.flatMap { item -> [RelationColumn] in
      switch item {
      case .value(let name, let value): [RelationColumn(name, .value(value.type))]
      case .count(let name): [RelationColumn(name, .value(.bigint))]
      case .related(let related): related.columns
      }
    }
  }
}

/// Which related rows are wanted.
struct RelatedPlan {
  /// Their name in the answer.
  let name: String
  /// How they are related.
  let relationship: Relationship
  /// Whether the parts of the one related row are parts of the row itself.
  let isSpread: Bool
  /// Which of them are wanted.
  let reading: ReadingPlan

  fileprivate var columns: [RelationColumn] {
    if isSpread { return reading.columns }
    let inner = reading.columns
    return inner.isEmpty ? [] : [RelationColumn(name, relationship.isToOne ? .row(inner) : .rows(inner))]
  }

  /// The condition for a row of the origin that there is such a related row. It is not limited by policies yet.
  var exists: TypedExpression {
    var sources = [reading.table.source]
    var conditions: [TypedExpression]
    let origin = relationship.origin.places(relationship.originColumns, level: 1)
    let target = relationship.target.places(relationship.targetColumns)
    if let junction = relationship.junction {
      sources.append(junction.table.source)
      conditions =
        TypedExpression.equal(origin, junction.table.places(junction.originColumns, source: 1))
        + TypedExpression.equal(target, junction.table.places(junction.targetColumns, source: 1))
    } else {
      conditions = TypedExpression.equal(origin, target)
    }
    conditions += reading.condition.map { [$0] } ?? []
    let one = TypedExpression(.constant(.integer(1)), .integer)
    return TypedExpression(.exists(TypedQuery([one], from: sources, where: .all(conditions))), .boolean)
  }

  /// A value of the one related row, for a row of the origin. It is not limited by policies yet.
  func value(_ value: TypedExpression) -> TypedExpression {
    let conditions = TypedExpression.equal(
      relationship.origin.places(relationship.originColumns, level: 1),
      relationship.target.places(relationship.targetColumns))
    let query = TypedQuery([value], from: [reading.table.source], where: .all(conditions), limit: 1)
    return TypedExpression(.query(query), value.type)
  }
}

extension TypedExpression {
  /// The conditions that values are equal, pair by pair.
  static func equal(_ values: [TypedExpression], _ others: [TypedExpression]) -> [TypedExpression] {
    zip(values, others).map { TypedExpression(.binary($0, .equal, $1), .boolean) }
  }
}
