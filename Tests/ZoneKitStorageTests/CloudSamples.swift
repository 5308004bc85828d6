import ZoneKitRecords
import ZoneKitStorage
import ZoneKitCloud

/// A cloud's folder and what tests do with it.
struct CloudSamples {
  static let database = DatabaseID(
    container: "iCloud.a", environment: .development, user: "nanny", scope: .private)
  static let zonesFolder = "iCloud.a/development/nanny/private/zones"
  static let databaseFile = "iCloud.a/development/nanny/private/database.sqlite"

  /// Whether this process may mount file systems, which tests of full disks need.
  static let mayMount = (try? TemporaryFolder().mount(options: "size=64k")) == true

  static func zone(_ name: Name) -> ZoneKey { ZoneKey(database: database, zoneName: name) }

  /// A change that puts in a record for each name, the last one with that sequence.
  static func change(
    of zone: Name, names: [Name], sequence: Int64, databaseSequence: Int64 = 1, fieldBytes: Int = 100
  ) -> ZoneTransition {
    let stamp = Authorship(
      at: WallTime(milliseconds: 5), author: Author(userRecordName: "_user", deviceID: "d"))
    let header = ZoneHeader(
      zoneName: zone, incarnation: 7, sequence: sequence, databaseSequence: databaseSequence,
      at: WallTime(milliseconds: 9))
    let fields = EncodedFields(canonical: Array(repeating: UInt8(ascii: "x"), count: fieldBytes))
    let records = names.enumerated().map { index, name in
      StoredRecord(
        recordName: name, recordType: "Note", fields: fields, sequence: sequence - Int64(names.count - 1 - index),
        created: stamp, modified: stamp, parent: nil, references: [])
    }
    return ZoneTransition(header: header, records: records)
  }

  /// The names of a zone's records in the order of its feed.
  static func names(in zone: Name, of store: CloudFiles) throws -> [Name] {
    let query = FeedQuery(position: 0, isReversed: false, limit: 100_000, recordTypes: nil)
    return try store.feed(query, in: Self.zone(zone)).page.changes.map(\.recordName)
  }
}

extension CommitFailure {
  /// The store's error; nil for stale changes.
  var error: StoreError? { if case .store(let error) = cause { error } else { nil } }
}
