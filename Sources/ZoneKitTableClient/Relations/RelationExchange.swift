import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// An exchange with a database with a user's own schema. Each table is a zone.
typealias RelationExchange = Exchange<RelationContext>

extension Exchange<RelationContext> {
  /// An exchange for that request of a device of the account. `commits` tells when versions of rows were committed, as far as
  /// events told it.
  init(_ request: CloudRequest, _ schema: RelationSchema, account: UUID, commits: [ChangeTag: WallTime] = [:]) {
    self.init(request, RelationContext(schema, account: account, commits: commits))
  }
}

extension RelationContext: ExchangeContext {
  static var service: String { "database" }

  func refusedDeletion(of zoneID: ZoneID) -> CloudError {
    CloudError(.serverRejectedRequest, "the table \(zoneID.zoneName) is not dropped by a device")
  }

  func reading(_ query: ZoneChangesQuery) -> TableReading { TableReading(query, self) }

  func writing(_ batch: ModifyRecords) throws(CloudError) -> TableWriting {
    TableWriting(batch, to: try table(of: batch.zoneID), self)
  }

  func lookup(_ names: [Name], in zoneID: ZoneID) throws(CloudError) -> TableLookup {
    TableLookup(names, in: try table(of: zoneID), self)
  }
}
