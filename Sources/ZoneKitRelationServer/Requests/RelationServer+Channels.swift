import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// Which channels get a change of a row (Supabase: Realtime, Postgres changes).
extension RelationServer {
  /// Why an entry of a channel cannot be served; nil if it can.
  package func problem(of entry: ChannelEntry) -> String? {
    guard let name = entry.table else { return nil }
    guard let table = schema.tables[ObjectName(ObjectName.usualSchema, name.text)] else {
      let known = schema.tables.keys.filter { $0.schema == ObjectName.usualSchema }.map(\.name).sorted()
      let nearest = NearMiss.guess(for: name.text, among: known).map { "; did you mean \($0)?" } ?? ""
      return "there is no table \(name)\(nearest)"
    }
    guard schema.catalogue.sendsChanges(of: table.name) else {
      return "table \(name) makes no events; add it to the publication supabase_realtime"
    }
    for column in entry.columns ?? [] where table.index(of: column.text) == nil {
      return "table \(name) has no column \(column)"
    }
    do throws(RowError) {
      _ = try condition(of: entry, on: table, now: 0)
      return nil
    } catch {
      return error.message
    }
  }

  /// What is told of a change; nil if its table is none of a user's own. Policies hide all of a row before a change but its
  /// key.
  package func event(of change: RelationChange, at time: WallTime) -> RelationEvent? {
    guard let table = schema.tables[change.table], table.name.schema == ObjectName.usualSchema else { return nil }
    let key = (table.catalogue.primaryKey?.columns ?? []).compactMap { table.index(of: $0) }
    return RelationEvent(
      table: table.name.name, table.columns.map { RelationEvent.Column($0.name, $0.type) }, key: key,
      tellsOld: table.catalogue.isReplicaFull && !table.catalogue.hasRowSecurity, old: change.old?.values,
      new: change.new?.values, at: time)
  }

  /// Whether an entry of a channel asks for a change, and its bearer may see the row. A removal is told to everybody, because
  /// no policy can be asked about a row that is gone; its event has the key alone.
  package func isAsked(_ change: RelationChange, by entry: ChannelEntry, _ context: EvaluationContext) -> Bool {
    guard let table = schema.tables[change.table], let row = change.new ?? change.old,
      table.catalogue.privileges.allowsSome("select", to: context.role)
    else { return false }
    do {
      if let condition = try condition(of: entry, on: table, now: context.now),
        try !condition.isTrue(of: row.values, context)
      {
        return false
      }
      guard change.new != nil,
        let policy = try RowSecurity(schema, role: context.role).using(.select, of: table)
      else { return true }
      return try RowStatements(schema, on: store, context).holds(policy, for: row.values)
    } catch {
      return false
    }
  }

  private func condition(
    of entry: ChannelEntry, on table: PreparedTable, now: Int64
  ) throws(RowError) -> TypedExpression? {
    guard let condition = entry.condition else { return nil }
    var reading = RelationReading([])
    reading.conditions = [condition]
    return try ReadingPlanner(schema, role: RowSecurity.unlimitedRole, now: now).plan(reading, of: table).condition
  }
}

extension RelationChange {
  /// What happened to the row.
  package var kind: RowChange.Kind { new == nil ? .delete : old == nil ? .insert : .update }
}
