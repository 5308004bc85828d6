import ZoneKitRecords
import ZoneKitSync

/// A device's store that counts the records that are read from another one, so that tests can compare effort instead of
/// time.
package struct CountingDeviceStore<Store: DeviceStore>: DeviceStore {
  /// What was read, in all copies of the store.
  package final class Counts {
    /// How many records were handed out, whichever way.
    package fileprivate(set) var records = 0
    /// How many times one record was asked for by its ID.
    package fileprivate(set) var lookups = 0

    /// Begins to count anew.
    package func reset() { (records, lookups) = (0, 0) }
  }

  private var store: Store
  /// What was read so far.
  package let counts = Counts()

  /// Counts what is read from that store.
  package init(_ store: Store) { self.store = store }

  private func counted(_ records: [LocalRecord]) -> [LocalRecord] {
    counts.records += records.count
    return records
  }

  package func values() throws(StoreError) -> [DeviceKey: DeviceValue] { try store.values() }

  package func appValues() throws(StoreError) -> [String: DeviceValue] { try store.appValues() }

  package func zones() throws(StoreError) -> [ZoneState] { try store.zones() }

  package func record(_ recordID: RecordID) throws(StoreError) -> LocalRecord? {
    counts.lookups += 1
    return counted(try store.record(recordID).map { [$0] } ?? []).first
  }

  package func contains(_ recordID: RecordID) throws(StoreError) -> Bool {
    counts.lookups += 1
    return try store.contains(recordID)
  }

  package func records(ofType recordType: Name) throws(StoreError) -> [LocalRecord] {
    counted(try store.records(ofType: recordType))
  }

  package func records(in zoneID: ZoneID, metBefore fullFetch: Int64) throws(StoreError) -> [LocalRecord] {
    counted(try store.records(in: zoneID, metBefore: fullFetch))
  }

  package func pending(in zoneID: ZoneID?, after revision: Int64, limit: Int) throws(StoreError) -> [LocalRecord] {
    counted(try store.pending(in: zoneID, after: revision, limit: limit))
  }

  package func pending(
    ofType recordType: Name, after revision: Int64, limit: Int
  ) throws(StoreError) -> [LocalRecord] {
    counted(try store.pending(ofType: recordType, after: revision, limit: limit))
  }

  package func quarantined(limit: Int) throws(StoreError) -> [LocalRecord] {
    counted(try store.quarantined(limit: limit))
  }

  package func waiting() throws(StoreError) -> [DeviceCensus.Waiting] { try store.waiting() }

  package func census() throws(StoreError) -> DeviceCensus { try store.census() }

  package func isKnown(notificationID: String) throws(StoreError) -> Bool {
    try store.isKnown(notificationID: notificationID)
  }

  package func conflicts(limit: Int) throws(StoreError) -> [ConflictEntry] { try store.conflicts(limit: limit) }

  package func traces(limit: Int) throws(StoreError) -> [ChangeTrace] { try store.traces(limit: limit) }

  package mutating func commit(_ transition: DeviceTransition) throws(StoreError) { try store.commit(transition) }
}
