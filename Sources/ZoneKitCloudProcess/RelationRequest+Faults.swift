import ZoneKitCloud
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTableServer
import ZoneKitTables

extension FaultSubject {
  /// A request for rows, or a call of a function, of a schema of a user's own. `users` are the names of the sender's account.
  init(_ request: RelationRequest, users: [Name], deviceID: String?) {
    let kind = request.kind
    self.init(kind, users: users, deviceID: deviceID, items: [Item(kind, table: Name(request.table))])
  }
}

extension RelationRequest {
  /// The kind of the request for faults.
  fileprivate var kind: TableRequestKind {
    switch action {
    case .read: .readRows
    case .insert(_, nil): .insertRows
    case .insert: .upsertRows
    case .update: .updateRows
    case .delete: .deleteRows
    case .call: .callFunction
    }
  }
}

extension RefusableExchange<Result<RelationResult, RowError>> {
  /// A request that those faults hit.
  init(_ faults: RequestFaults) {
    let error =
      faults.refusal.map { RowError($0) }
      ?? (faults.contains(.expireTokens) ? RowError(.expiredToken, "JWT expired") : nil)
    self.init(faults: faults, refusal: error.map { .failure($0) })
  }
}
