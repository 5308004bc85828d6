/// The traits of a request: its kind, the zones and parts of the database that it reads and writes, and its items.
///
/// Faults, traces, encodings and the cloud use these traits instead of the cases of `CloudRequest`.
package struct RequestTraits: Hashable, Sendable {
  /// A part of a database besides the content of its zones.
  package enum DatabasePart: Hashable, Sendable {
    /// The list of all zones.
    case zoneList
    /// The database's identity, sequence and subscriptions.
    case state
    /// The push registrations of the caller's account.
    case account
  }

  /// The kind of the whole request.
  package let kind: RequestKind
  /// The zones that the request reads, with the owners that it names.
  package private(set) var zonesRead: [ZoneID] = []
  /// The zones that the request reads and may change, with the owners that it names.
  package private(set) var zonesWritten: [ZoneID] = []
  /// The parts of the database that the request reads or may change.
  package private(set) var databaseParts: [DatabasePart] = []
  /// The items of the request, in the order of their results; empty if `kind.hasItems` is false.
  package private(set) var items: [RequestItem] = []
  /// Whether the request saves a subscription.
  package private(set) var savesSubscriptions = false
  /// The change token of a query of the database's feed.
  package private(set) var databaseToken: ChangeToken?

  /// The traits of that request.
  package init(_ request: CloudRequest) {
    kind = request.kind
    switch request {
    case .listZones: databaseParts = [.zoneList]
    case .lookupZones(let ids):
      zonesRead = ids
      items = ids.map { RequestItem(.lookupZones, zoneID: $0) }
    case .modifyZones(let operations):
      databaseParts = [.state]
      items = operations.map { RequestItem($0) }
      zonesWritten = items.compactMap(\.zoneID)
    case .modifyRecords(let batch):
      databaseParts = [.state]
      zonesWritten = [batch.zoneID]
      items = batch.operations.map { RequestItem($0, in: batch.zoneID) }
    case .lookupRecords(let zoneID, let names):
      zonesRead = [zoneID]
      items = names.map { RequestItem(.lookupRecords, zoneID: zoneID, recordName: $0) }
    case .queryRecords(let queries):
      zonesRead = queries.compactMap(\.zoneID)
      if queries.contains(where: { $0.zoneID == nil }) { databaseParts = [.zoneList] }
      items = queries.map { RequestItem(.queryRecords, zoneID: $0.zoneID) }
    case .createUploads(let zoneID, _), .rereferenceAssets(let zoneID, _): zonesRead = [zoneID]
    case .fetchDatabaseChanges(let token, _):
      databaseParts = [.zoneList, .state]
      databaseToken = token
    case .fetchZoneChanges(let queries):
      zonesRead = queries.map(\.zoneID)
      items = queries.map { RequestItem($0) }
    case .listSubscriptions: databaseParts = [.state]
    case .lookupSubscriptions(let ids):
      databaseParts = [.state]
      items = ids.map { RequestItem(.lookupSubscriptions, subscriptionID: $0) }
    case .modifySubscriptions(let operations):
      databaseParts = [.state]
      savesSubscriptions = operations.contains { $0.saved != nil }
      items = operations.map { RequestItem($0) }
    case .resolveShares(let requests), .acceptShares(let requests): items = requests.map { _ in RequestItem(kind) }
    case .fetchUsers, .createPushToken: break
    case .registerPushToken: databaseParts = [.account]
    }
  }
}
