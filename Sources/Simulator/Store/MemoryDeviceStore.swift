import Records
import SyncCoordinator

/// A device's store as a value: a copy of it is a copy of the disk, and what is in it is what survived a crash.
package struct MemoryDeviceStore: DeviceStore, Sendable {
  /// What a commit runs into.
  package enum Fault: Hashable, Sendable {
    /// Nothing is kept.
    case beforeCommit(StoreError)
    /// Everything is kept, but the store says it failed, as a disk may that dies after the write.
    case afterCommit(StoreError)
  }

  /// What the next commits run into, the first one first; an exhausted list means all is well.
  package var faults: [Fault] = []
  /// The most bytes of field text that the store holds; a commit that needs more fails as `full`.
  package var capacity: Int?
  /// How many commits succeeded.
  package internal(set) var commitCount = 0

  var storedValues: [DeviceKey: DeviceValue] = [:]
  var storedZones: [ZoneID: ZoneState] = [:]
  var storedRecords: [RecordID: LocalRecord] = [:]
  /// The records with `pendingSince` set, kept apart so that asking for them does not walk through all.
  var pendingIDs: Set<RecordID> = []
  var storedNotifications: [SeenNotification] = []
  var storedConflicts: [ConflictEntry] = []
  var storedTraces: [ChangeTrace] = []

  /// An empty store.
  package init() {}

  package func values() throws(StoreError) -> [DeviceKey: DeviceValue] { storedValues }

  package func zones() throws(StoreError) -> [ZoneState] {
    storedZones.values.sorted { $0.zoneID < $1.zoneID }
  }

  package func record(_ recordID: RecordID) throws(StoreError) -> LocalRecord? { storedRecords[recordID] }

  package func records(ofType recordType: Name) throws(StoreError) -> [LocalRecord] {
    storedRecords.values.filter { $0.recordType == recordType && $0.local != nil }
      .sorted { $0.recordID < $1.recordID }
  }

  package func records(in zoneID: ZoneID, sweptBefore sweep: Int64) throws(StoreError) -> [LocalRecord] {
    storedRecords.values.filter { $0.recordID.zoneID == zoneID && $0.sweep < sweep }
      .sorted { $0.recordID < $1.recordID }
  }

  package func pending(in zoneID: ZoneID?, after revision: Int64, limit: Int) throws(StoreError) -> [LocalRecord] {
    let waiting = allPending().filter { record in
      record.quarantine == nil && record.revision > revision && (zoneID == nil || record.recordID.zoneID == zoneID)
    }
    return Array(waiting.sorted { $0.revision < $1.revision }.prefix(limit))
  }

  package func quarantined(limit: Int) throws(StoreError) -> [LocalRecord] {
    let held = storedRecords.values.filter { $0.quarantine != nil }
    return Array(held.sorted { $0.recordID < $1.recordID }.prefix(limit))
  }

  package func census() throws(StoreError) -> DeviceCensus {
    var census = DeviceCensus()
    let live = storedRecords.values.filter { $0.local != nil }.map { ($0.recordID.zoneID, $0.recordType) }
    for (zoneID, recordType) in live.sorted(by: <) {
      if let last = census.counts.last, last.zoneID == zoneID, last.recordType == recordType {
        census.counts[census.counts.count - 1].count += 1
      } else {
        census.counts.append(DeviceCensus.Count(zoneID: zoneID, recordType: recordType, count: 1))
      }
    }
    census.pending = pendingIDs.count
    census.oldestPendingAt = allPending().compactMap(\.pendingSince).min()
    census.quarantined = storedRecords.values.count { $0.quarantine != nil }
    return census
  }

  package func isKnown(notificationID: String) throws(StoreError) -> Bool {
    storedNotifications.contains { $0.notificationID == notificationID }
  }

  package func conflicts(limit: Int) throws(StoreError) -> [ConflictEntry] {
    storedConflicts.suffix(limit).reversed()
  }

  package func traces(limit: Int) throws(StoreError) -> [ChangeTrace] { storedTraces.suffix(limit).reversed() }

  private func allPending() -> [LocalRecord] {
    pendingIDs.sorted().compactMap { storedRecords[$0] }
  }
}
