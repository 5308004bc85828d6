import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitCloud

/// Reads a database of the cloud, whether a server is running or not.
struct CloudReading {
  private let store: CloudFiles
  private let database: DatabaseID

  /// Reads the database in the cloud at that path.
  init(_ database: DatabaseID, root: String) {
    store = CloudFiles.readOnly(root: root)
    self.database = database
  }

  /// The zones that are not deleted, in ascending order.
  func zoneIDs() throws(StoreError) -> [ZoneID] {
    try store.zones(in: database).filter { !$0.isDeleted }.map { ZoneID(zoneName: $0.zoneName) }
  }

  /// The subscriptions of the database.
  func subscriptions() throws(StoreError) -> [Subscription] { try store.database(database).subscriptions }

  /// The records and tombstones of a zone.
  func zone(_ name: Name) throws(StoreError) -> Zone {
    let key = ZoneKey(database: database, zoneName: name)
    guard let header = try store.zone(key) else { return Zone(others: .noZone) }
    guard !header.isDeleted else { return Zone(others: .zoneDeleted(at: header.lastCommitAt)) }
    var zone = Zone(others: .unknown)
    var query = FeedQuery(position: 0, isReversed: false, limit: ZoneChangesQuery.pageLimit, recordTypes: nil)
    while true {
      let page = try store.feed(query, in: key)
      zone.take(page.page)
      guard page.moreComing else { return zone }
      query.position = page.position
    }
  }

  /// The records and tombstones of one zone.
  struct Zone {
    private(set) var sightings: [Name: CloudSighting] = [:]
    private(set) var types: [Name: Name] = [:]
    private let others: CloudSighting

    init(others: CloudSighting) { self.others = others }

    /// The state of a record in the cloud.
    subscript(name: Name) -> CloudSighting { sightings[name] ?? others }

    fileprivate mutating func take(_ page: RecordPage) {
      for (row, change) in zip(page.rows, page.changes) {
        switch change {
        case .deleted(let name, _): sightings[name] = .deleted(at: row.modifiedAt)
        case .saved(let record): take(record)
        }
      }
    }

    /// Adds a record that is there.
    mutating func take(_ record: Record) {
      types[record.recordName] = record.recordType
      sightings[record.recordName] = .saved(ServerVersion(record))
    }
  }
}
