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

  /// The rows of a table that an account sees, as records.
  func ownRows(of table: RelationSchema.Table, of account: Name) -> [Record] {
    guard let relations = cloud.process.tables?.relations else { return [] }
    let claims = JSON.object([JSON.Member("sub", .string(account.text)), JSON.Member("role", "authenticated")])
    let context = EvaluationContext(
      now: wall.milliseconds * 1_000, role: "authenticated", claims: JSONBValue(claims),
      randomUUID: { UUID(high: 0, low: 0) })
    var server = RelationServer(relations.schema, on: relations.store)
    guard case .success(let result) = server.carryOut(RelationRequest(.read, table.name), context).result else {
      return []
    }
    return table.records(result, of: account)
  }
}
