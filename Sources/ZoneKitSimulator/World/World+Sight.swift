import ZoneKitRecords
import ZoneKitSync
import ZoneKitCloud

/// Reads the state of the simulation without an effect on it: no request is sent, and no time passes.
extension World {
  /// A record on the cloud's disk; nil if there is none.
  package func cloudRecord(_ id: RecordID, of account: Name) -> Record? {
    if let table = ownTable(of: id.zoneID) {
      return ownRows(of: table, named: id.recordName, of: account).first
    }
    let key = ZoneKey(database: database(of: account), zoneName: id.zoneID.zoneName)
    guard let header = try? cloud.process.zones.store.zone(key), !header.isDeleted,
      let stored = try? cloud.process.zones.store.record(id.recordName, in: key), !stored.isDeleted
    else { return nil }
    return stored.record
  }

  /// All records of a zone on the cloud's disk, by name.
  package func cloudRecords(in zone: ZoneID, of account: Name) -> [RecordID: Record] {
    if let table = ownTable(of: zone) {
      let rows = ownRows(of: table, of: account)
      return Dictionary(uniqueKeysWithValues: rows.map { (RecordID(recordName: $0.recordName, zoneID: zone), $0) })
    }
    let key = ZoneKey(database: database(of: account), zoneName: zone.zoneName)
    guard let header = try? cloud.process.zones.store.zone(key), !header.isDeleted else { return [:] }
    var records: [RecordID: Record] = [:]
    var query = FeedQuery(position: 0, isReversed: false, limit: 10_000, recordTypes: nil)
    while let page = try? cloud.process.zones.store.feed(query, in: key) {
      for case .saved(let record) in page.page.changes {
        records[RecordID(recordName: record.recordName, zoneID: zone)] = record
      }
      guard page.moreComing else { break }
      query.position = page.position
    }
    return records
  }

  /// The zones of an account, in ascending order of names.
  package func cloudZones(of account: Name) -> [ZoneID] {
    let headers = (try? cloud.process.zones.store.zones(in: database(of: account))) ?? []
    return headers.filter { !$0.isDeleted }.map { ZoneID(zoneName: $0.zoneName) }
  }

  /// The subscriptions of an account.
  package func cloudSubscriptions(of account: Name) -> [Subscription] {
    (try? cloud.process.zones.store.database(database(of: account)).subscriptions) ?? []
  }

  /// The accounts that have ever sent a request to the cloud, in the order of their first request.
  package var cloudAccounts: [Name] { cloud.databases.map(\.user) }
}
