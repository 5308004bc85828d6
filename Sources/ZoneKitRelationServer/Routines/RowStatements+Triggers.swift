import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// Triggers of tables.
extension RowStatements {
  /// The row that is written after the triggers before it; nil if one of them leaves it out.
  mutating func fireBefore(
    _ event: CreateTrigger.Event, _ table: PreparedTable, new: [Datum]?, old: [Datum]?, changed: Set<Int>? = nil
  ) throws(RelationFailure) -> [Datum]? {
    var row = new ?? old
    for trigger in table.triggers where trigger.waits(for: event, isBefore: true, changed: changed) {
      let current = event == .delete ? nil : row
      guard let result = try fire(trigger, event, table, new: current, old: old) else { return nil }
      // A deletion is done or not; its row stays what it is.
      if event != .delete { row = result }
    }
    return row
  }

  /// Fires the triggers after the writes of a statement, from the change of that number on.
  mutating func fireAfter(from start: Int, changed: Set<Int>? = nil) throws(RelationFailure) {
    let written = changes[start...]
    for change in written {
      guard let table = schema.tables[change.table], !table.triggers.isEmpty else { continue }
      let event = change.event
      for trigger in table.triggers where trigger.waits(for: event, isBefore: false, changed: changed) {
        _ = try fire(trigger, event, table, new: change.new?.values, old: change.old?.values)
      }
    }
  }

  /// Does what a trigger does for a row, if its condition holds. Returns the row that it returns; nil for none.
  private mutating func fire(
    _ trigger: PreparedTrigger, _ event: CreateTrigger.Event, _ table: PreparedTable, new: [Datum]?, old: [Datum]?
  ) throws(RelationFailure) -> [Datum]? {
    let nulls = [Datum](repeating: .null, count: table.columns.count)
    let rows = [new ?? nulls, old ?? nulls]
    let unchanged = event == .delete ? old : new
    if let condition = trigger.condition, try value(condition, in: rows) != .boolean(true) { return unchanged }
    guard let routine = trigger.routine else { return unchanged }
    let facts: [Datum] = [.text(event.rawValue), .text(table.name.name)]
    let end = try run(routine, [], facts: facts, rows: rows)
    guard case .row(let row) = end.result else {
      throw .refused(SQLFailure(.noRowReturned, "control reached end of trigger procedure without RETURN"))
    }
    switch row {
    case .new?: return end.rows[0]
    case .old?: return old
    case .newOrOld?: return new == nil ? old : end.rows[0]
    case nil: return nil
    }
  }
}

extension RelationChange {
  /// What was done with the row.
  fileprivate var event: CreateTrigger.Event {
    guard old != nil else { return .insert }
    return new == nil ? .delete : .update
  }
}

extension SQLFailure.Code {
  /// A function has ended without a value.
  static let noRowReturned = SQLFailure.Code(rawValue: "2F005")
  /// Functions call each other too deeply.
  static let depthLimit = SQLFailure.Code(rawValue: "54001")
}
