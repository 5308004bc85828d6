/// The changes that fire a query subscription: of records that a query finds (CloudKit Web Services, b.8 and f.3).
public struct QuerySubscription: Hashable, Sendable {
  /// The query. Its order does not matter.
  public var query: CloudQuery
  /// The zone of the records; nil for all zones of the database.
  public var zoneID: ZoneID?
  /// The kinds of changes, each once, at least one.
  public var firesOn: [RecordChangeKind]

  /// The changes of those kinds.
  public init(_ query: CloudQuery, in zoneID: ZoneID?, firesOn: [RecordChangeKind]) {
    self.query = query
    self.zoneID = zoneID
    self.firesOn = RecordChangeKind.allCases.filter { firesOn.contains($0) }
  }
}
