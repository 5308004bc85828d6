import ZoneKitDocuments
import ZoneKitRecords

extension DocumentRequest {
  /// The request to the cloud that does the same, for fault plans: a fault for saves hits pushes, and so on.
  package func cloudRequest(of app: DocumentApp) -> CloudRequest {
    func zone(_ feed: DocumentFeed) -> ZoneID { ZoneID(zoneName: app.zone(of: feed)) }
    switch self {
    case .push(let push):
      guard let feed = push.changes.first?.name.feed else {
        return .modifyZones(DocumentFeed.allCases.map { .create(zone($0)) })
      }
      let operations = push.changes.map { change in
        RecordOperation(
          change.erases ? .delete : .update, recordName: change.name.recordName, recordType: change.name.collection)
      }
      return .modifyRecords(ModifyRecords(zoneID: zone(feed), operations: operations, isAtomic: false))
    case .pull(let pull):
      return .fetchZoneChanges([Self.query(pull.cursor, of: zone(pull.cursor.feed), limit: pull.limit)])
    case .snapshot(let snapshot):
      return .fetchZoneChanges([Self.query(snapshot.page, of: zone(snapshot.page.feed), limit: snapshot.limit)])
    case .lookup(let lookup):
      return .lookupRecords(
        zoneID: zone(lookup.names.first?.feed ?? .documents), recordNames: lookup.names.map(\.recordName))
    case .status(since: let position):
      return .fetchDatabaseChanges(since: position.map { ChangeToken($0.text) }, limit: Self.itemLimit)
    }
  }

  private static func query(_ cursor: DocumentCursor, of zoneID: ZoneID, limit: Int?) -> ZoneChangesQuery {
    ZoneChangesQuery(
      zoneID: zoneID, token: cursor.position == 0 ? nil : ChangeToken(cursor.text), limit: limit ?? itemLimit)
  }
}
