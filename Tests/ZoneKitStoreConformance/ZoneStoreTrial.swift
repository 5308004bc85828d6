import ZoneKitRecords
import ZoneKitCloud

/// One store under examination, what it was found to do wrong, and the samples it is examined with.
struct ZoneStoreTrial<Store: ZoneStore> {
  var store: Store
  private(set) var violations: [String] = []

  init(store: Store) { self.store = store }

  let database = DatabaseID(container: "iCloud.a", environment: .development, user: "nanny", scope: .private)
  var notes: ZoneKey { ZoneKey(database: database, zoneName: "Notes") }

  mutating func expect<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) {
    if found != wanted { violations.append("\(what): \(found) instead of \(wanted)") }
  }

  mutating func commit() {
    expect(store.commit(), [], "failures of a commit that nothing stands against")
  }

  /// Goes on with what the store leaves behind.
  mutating func reopen(_ reopen: (consuming Store) throws -> Store) throws {
    store = try reopen(store)
  }

  /// Expects exactly these records and tombstones in the zone: one by one, in its feed, and counted nowhere else.
  mutating func expectRecords(_ records: [StoredRecord], in zone: ZoneKey, _ what: String) throws {
    for record in records {
      expect(try store.record(record.recordName, in: zone), record, "\(what), record \(record.recordName)")
    }
    let page = try store.feed(FeedQuery(position: 0, isReversed: false, limit: 1000, recordTypes: nil), in: zone)
    expect(page.page.changes, records.map(change), "\(what), feed")
    expect(page.page.rows.map(\.version), records.map(\.version), "\(what), versions in the feed")
    expect(page.page.rows.map(\.modifiedAt), records.map(\.modified.at), "\(what), times in the feed")
    expect(page.moreComing, false, "\(what), moreComing")
  }

  /// What the feed says of a record or tombstone.
  func change(_ record: StoredRecord) -> RecordChange {
    record.isDeleted
      ? .deleted(recordName: record.recordName, changeTag: ChangeTag(sequence: record.sequence))
      : .saved(record.record)
  }

  /// A header after that many changes.
  func header(_ name: Name, sequence: Int64, databaseSequence: Int64, incarnation: UInt64 = 7) -> ZoneHeader {
    ZoneHeader(
      zoneName: name, incarnation: incarnation, sequence: sequence, databaseSequence: databaseSequence,
      at: WallTime(milliseconds: 1_700_000_000_000 + sequence % 1000))
  }

  /// A live record whose references are all from the field `target`.
  func record(
    _ name: Name, _ sequence: Int64, type: Name = "Note", targets: [Name] = [], action: Reference.Action = .deleteSelf
  ) -> StoredRecord {
    let author = Author(userRecordName: "_user", deviceID: "device-\(sequence % 2)")
    var record = StoredRecord(
      recordName: name, recordType: type,
      fields: EncodedFields(canonical: Array(#"{"count":{"type":"INT64","value":\#(sequence)}}"#.utf8)),
      sequence: sequence, created: Authorship(at: WallTime(milliseconds: 5), author: author),
      modified: Authorship(at: WallTime(milliseconds: 1000 + sequence % 1000), author: author),
      parent: sequence % 3 == 0 ? "parent" : nil,
      references: targets.map { StoredReference(source: name, field: "target", target: $0, action: action) })
    record.version = 1 + sequence % 3
    return record
  }

  /// A tombstone.
  func tombstone(_ name: Name, _ sequence: Int64, type: Name = "Note") -> StoredRecord {
    var record = record(name, sequence, type: type)
    record.fields = .empty
    record.isDeleted = true
    return record
  }

  /// Stages records in a zone; its header gets the sequence of the last one.
  mutating func stage(_ records: [StoredRecord], in zone: ZoneKey, databaseSequence: Int64 = 1) {
    let header = header(zone.zoneName, sequence: records.last?.sequence ?? 0, databaseSequence: databaseSequence)
    store.stage(ZoneTransition(header: header, records: records), in: zone)
  }
}
