import ZoneKitExpressions
import ZoneKitRelations

/// Rows that no store keeps: those of a view, or those that a function returned.
struct DerivedRows {
  private let all: [StoredRow]
  private let context: EvaluationContext

  /// Those rows, in their order. The context has the rows of other tables.
  init(_ rows: [[Datum]], _ context: EvaluationContext) {
    all = rows.enumerated().map { StoredRow(Int64($0), $1) }
    self.context = context
  }

  /// The rows that a search finds, in its order.
  func rows(_ search: RowSearch) throws(RelationFailure) -> [StoredRow] {
    var found = try found(search)
    if !search.order.isEmpty {
      var keyed: [(row: StoredRow, keys: [Datum])] = []
      for row in found {
        var keys: [Datum] = []
        for part in search.order { keys.append(try value(part.value, of: row)) }
        keyed.append((row, keys))
      }
      found = keyed.sorted { first, second in
        TypedOrder.areInOrder(search.order, first.keys, second.keys) ?? (first.row.number < second.row.number)
      }.map(\.row)
    }
    let rest = found.dropFirst(search.offset)
    return Array(search.limit.map { rest.prefix($0) } ?? rest)
  }

  /// The rows that a search finds, without its offset and limit.
  func found(_ search: RowSearch) throws(RelationFailure) -> [StoredRow] {
    guard let condition = search.condition else { return all }
    var found: [StoredRow] = []
    for row in all where try value(condition, of: row) == .boolean(true) { found.append(row) }
    return found
  }

  private func value(_ value: TypedExpression, of row: StoredRow) throws(RelationFailure) -> Datum {
    try RelationFailure.refusing { () throws(SQLFailure) in try value.value(of: row.values, context) }
  }
}
