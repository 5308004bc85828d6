import ZoneKitRecords
import ZoneKitSync

/// A device's store as a value: a copy of it is a copy of the disk, and what is in it is what survived a crash.
///
/// A commit costs what it changes, not what the store holds. What goes wrong is set from outside: commits that fail,
/// reads that fail, a full disk, a process that stops between two commits, and power that goes before a sync.
package struct MemoryDeviceStore: DeviceStore, Sendable {
  /// What a commit runs into.
  package enum Fault: Hashable, Sendable {
    /// All is well; the next fault is for the commit after this one.
    case nothing
    /// Nothing is kept.
    case beforeCommit(StoreError)
    /// Everything is kept, but the store says it failed, as a disk may that dies after the write.
    case afterCommit(StoreError)
  }

  /// What the next commits run into, the first one first; an exhausted list means all is well.
  package var faults: [Fault] = []
  /// While set, every read fails with it, as on a broken disk.
  package var readError: StoreError?
  /// The most bytes of field text that the store holds; a commit that needs more fails as `full`.
  package var capacity: Int?
  /// While set, every commit fails as `full`, also one that would free space: a database needs room to write that down.
  package var isFull = false
  /// After that many more commits the store refuses everything until `restart`: the process is about to die there,
  /// between two commits or in front of the reads and effects that follow. 0 refuses at once; nil never.
  package var haltsAfterCommits: Int?
  /// The commit, 1 being the next one, that the store refuses, and everything after it, until `restart`: the process
  /// gets as far as asking for it. Nil never.
  package var haltsBeforeCommit: Int?
  /// How many commits were kept, those that a power cut took back included.
  package internal(set) var commitCount = 0

  var disk = Disk()
  /// What a power cut leaves for sure; nil while every commit is durable.
  var durable: Disk?
  /// The commits since, oldest first.
  var unsynced: [DeviceTransition] = []

  /// An empty store.
  package init() {}

  package func values() throws(StoreError) -> [DeviceKey: DeviceValue] {
    try checkReadable()
    return disk.values
  }

  package func zones() throws(StoreError) -> [ZoneState] {
    try checkReadable()
    return disk.zones.values.sorted { $0.zoneID < $1.zoneID }
  }

  package func record(_ recordID: RecordID) throws(StoreError) -> LocalRecord? {
    try checkReadable()
    return disk.record(recordID)
  }

  package func records(ofType recordType: Name) throws(StoreError) -> [LocalRecord] {
    try checkReadable()
    return disk.recordZones.flatMap { zone in
      zone.records.filter(atMost: zone.records.counts[recordType] ?? 0) {
        $0.recordType == recordType && $0.local != nil
      }
    }
  }

  package func records(in zoneID: ZoneID, metBefore fullFetch: Int64) throws(StoreError) -> [LocalRecord] {
    try checkReadable()
    return disk.records[zoneID]?.records(metBefore: fullFetch) ?? []
  }

  package func pending(in zoneID: ZoneID?, after revision: Int64, limit: Int) throws(StoreError) -> [LocalRecord] {
    try checkReadable()
    let waiting = disk.pending[disk.pending.place { $0.revision <= revision }...]
    var found: [LocalRecord] = []
    for place in waiting where zoneID == nil || place.recordID.zoneID == zoneID {
      if found.count >= limit { break }
      if let record = disk.record(place.recordID), record.quarantine == nil { found.append(record) }
    }
    return found
  }

  package func quarantined(limit: Int) throws(StoreError) -> [LocalRecord] {
    try checkReadable()
    return disk.quarantined.prefix(limit).compactMap { disk.record($0) }
  }

  package func census() throws(StoreError) -> DeviceCensus {
    try checkReadable()
    var census = DeviceCensus()
    for (zoneID, records) in disk.recordZones {
      census.counts += records.counts.sorted { $0.key < $1.key }.map { recordType, count in
        DeviceCensus.Count(zoneID: zoneID, recordType: recordType, count: count)
      }
    }
    census.pending = disk.pending.count
    census.oldestPendingAt = disk.pending.lazy.map(\.since).min()
    census.quarantined = disk.quarantined.count
    return census
  }

  package func isKnown(notificationID: String) throws(StoreError) -> Bool {
    try checkReadable()
    return disk.knownNotifications.contains(Name(notificationID))
  }

  package func conflicts(limit: Int) throws(StoreError) -> [ConflictEntry] {
    try checkReadable()
    return disk.conflicts.elements.suffix(limit).reversed()
  }

  package func traces(limit: Int) throws(StoreError) -> [ChangeTrace] {
    try checkReadable()
    return disk.traces.elements.suffix(limit).reversed()
  }

  private func checkReadable() throws(StoreError) {
    if let readError { throw readError }
    try checkRunning()
  }
}
