import ZoneKitCloud
import ZoneKitRecords

@testable import ZoneKitStorage

/// Everything that a cloud's store holds.
struct CloudContent: Equatable {
  /// A zone with its records and tombstones in the order of the feed.
  struct Zone: Equatable {
    var header: ZoneHeader
    var records: [StoredRecord]
  }

  /// What a database holds besides its zones.
  struct Database: Equatable, CustomStringConvertible {
    var identity: UInt64?
    var subscriptions: [Subscription] = []
    var registrations: [PushRegistration] = []

    /// The database after its list of zones was found wrong.
    var withoutIdentity: Database { Database(subscriptions: subscriptions, registrations: registrations) }

    var description: String {
      "\(identity ?? 0) with \(subscriptions.map(\.subscriptionID)) and \(registrations.map(\.token))"
    }
  }

  var zones: [ZoneKey: Zone] = [:]
  var databases: [DatabaseID: Database] = [:]

  /// The content of no store.
  init() {}

  /// Reads the store.
  init(of store: CloudFiles) throws {
    for id in try store.databases() {
      let state = try store.database(id)
      databases[id] = Database(
        identity: state.identity, subscriptions: state.subscriptions, registrations: state.registrations)
      for unreadable in try store.unreadableZones(in: id) { throw unreadable.error }
      for header in try store.zones(in: id) {
        let key = ZoneKey(database: id, zoneName: header.zoneName)
        let query = FeedQuery(position: 0, isReversed: false, limit: .max, recordTypes: nil)
        let names = try store.feed(query, in: key).page.changes.map(\.recordName)
        zones[key] = Zone(header: header, records: try names.compactMap { try store.record($0, in: key) })
      }
    }
  }
}
