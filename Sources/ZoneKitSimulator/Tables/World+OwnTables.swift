import ZoneKitCloudProcess
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitRelations
import ZoneKitTables

/// The tables of a user's own schema in the cloud.
extension World {
  /// Serves the tables of a schema. What keeps its first rows out is a finding.
  mutating func serve(_ schema: PreparedSchema) {
    do throws(SchemaRefusal) {
      try cloud.serve(schema, at: wall)
    } catch {
      report(Finding(.message, "the tables of the schema cannot be made: \(error)"))
    }
  }

  /// The table of a user's own schema whose rows are in that zone; nil if the cloud serves no such table.
  func ownTable(of zone: ZoneID) -> RelationSchema.Table? {
    cloud.tables?.app.relations?.table(zone.zoneName.text)
  }

  /// The rows of a table that an account sees, as records: all, or the one of that name.
  func ownRows(of table: RelationSchema.Table, named name: Name? = nil, of account: Name) -> [Record] {
    guard let tables = cloud.process.tables, let relations = tables.relations, let user = UUID(account.text) else {
      return []
    }
    let stored = try? tables.store.account(user)?.account
    let context = EvaluationContext(of: .account(user), stored, at: wall) { UUID(high: 0, low: 0) }
    var reading = RelationReading()
    if let name {
      guard let key = table.key(ofRecord: name) else { return [] }
      reading.conditions = table.conditions(ofKey: key)
    }
    var server = RelationServer(relations.schema, on: relations.store)
    let request = RelationRequest(.read, table.name, reading)
    guard case .success(let result) = server.carryOut(request, context).result else { return [] }
    return table.records(result, of: account)
  }
}
