import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync
import ZoneKitCloud

/// Reads an account's data from the cloud's disk, without a request and without side effects.
struct CloudReading {
  private let store: MemoryZoneStore
  private let database: DatabaseID

  init(_ simulation: ZoneKitSimulator.World, account: Name) {
    store = simulation.cloud.process.zones.store
    database = simulation.database(of: account)
  }

  /// The records and tombstones of a zone.
  func zone(_ zoneID: ZoneID) -> Zone {
    let key = ZoneKey(database: database, zoneName: zoneID.zoneName)
    // A store in memory that cannot be read counts as empty.
    guard let header = try? store.zone(key) else { return Zone(others: .noZone) }
    guard !header.isDeleted else { return Zone(others: .zoneDeleted(at: header.lastCommitAt)) }
    var zone = Zone(others: .unknown)
    var query = FeedQuery(position: 0, isReversed: false, limit: ZoneChangesQuery.pageLimit, recordTypes: nil)
    while let page = try? store.feed(query, in: key) {
      zone.take(page.page, of: zoneID)
      guard page.moreComing else { break }
      query.position = page.position
    }
    return zone
  }

  /// The records and tombstones of one zone.
  struct Zone {
    private(set) var contents: [RecordID: RecordContent] = [:]
    private var sightings: [RecordID: CloudSighting] = [:]
    private let others: CloudSighting

    init(others: CloudSighting) { self.others = others }

    subscript(id: RecordID) -> CloudSighting { sightings[id] ?? others }

    mutating func take(_ page: RecordPage, of zoneID: ZoneID) {
      for (row, change) in zip(page.rows, page.changes) {
        let id = RecordID(recordName: change.recordName, zoneID: zoneID)
        switch change {
        case .deleted:
          contents[id] = nil
          sightings[id] = .deleted(at: row.modifiedAt)
        case .saved(let record):
          let version = ServerVersion(record)
          contents[id] = version.content
          sightings[id] = .saved(version)
        }
      }
    }
  }
}
