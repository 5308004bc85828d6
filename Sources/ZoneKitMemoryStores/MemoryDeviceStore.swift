import ZoneKitRecords
import ZoneKitSync

/// A device's store as a value. A copy of it is a copy of the disk, and its content is what survives a crash.
///
/// The cost of a commit depends on its changes and not on the content of the store. Failures are set from outside:
/// failing commits and reads, a full disk, the end of a process between two commits, and a power cut before a sync.
package struct MemoryDeviceStore: DeviceStore, Sendable {
  /// The result that is set for a commit.
  package enum Fault: Hashable, Sendable {
    /// The commit succeeds. Used to let commits pass before the next fault.
    case nothing
    /// The commit fails, and nothing is kept.
    case beforeCommit(StoreError)
    /// The commit fails, and everything is kept, as with a disk that fails after the write.
    case afterCommit(StoreError)
  }

  /// The faults of the next commits, in order. If the list is empty, commits succeed.
  package var faults: [Fault] = []
  /// The error of every read while it is set.
  package var readError: StoreError?
  /// The limit of the size of all field text in bytes. A commit beyond it fails as `full`.
  package var capacity: Int?
  /// Whether every commit fails as `full`, also one that would free space, because a database needs space to write that
  /// down.
  package var isFull = false
  /// The number of further commits after which the store refuses everything until `restart`: the process is to die
  /// there, between two commits or before the following reads and effects. 0 refuses immediately; nil means never.
  package var haltsAfterCommits: Int?
  /// The number of the commit, from 1 for the next one, that the store refuses with everything after it until
  /// `restart`. Nil means never.
  package var haltsBeforeCommit: Int?
  /// The number of commits, including those that a power cut undid.
  package internal(set) var commitCount = 0

  var disk = Disk()
  /// The content that survives every power cut; nil while every commit is durable.
  var durable: Disk?
  /// The commits since `durable`, oldest first.
  var unsynced: [DeviceTransition] = []

  /// The transitions that made the content, oldest first; nil if they are not kept.
  package internal(set) var history: [DeviceTransition]?

  /// An empty store.
  package init(keepingHistory: Bool = false) { history = keepingHistory ? [] : nil }

  package func values() throws(StoreError) -> [DeviceKey: DeviceValue] {
    try checkReadable()
    return disk.values
  }

  package func appValues() throws(StoreError) -> [String: DeviceValue] {
    try checkReadable()
    return Dictionary(uniqueKeysWithValues: disk.appValues.map { ($0.key.text, $0.value) })
  }

  package func zones() throws(StoreError) -> [ZoneState] {
    try checkReadable()
    return disk.zones.values.sorted { $0.zoneID < $1.zoneID }
  }

  package func record(_ recordID: RecordID) throws(StoreError) -> LocalRecord? {
    try checkReadable()
    return disk.record(recordID)
  }

  package func contains(_ recordID: RecordID) throws(StoreError) -> Bool { try record(recordID) != nil }

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

  package func pending(
    ofType recordType: Name, after revision: Int64, limit: Int
  ) throws(StoreError) -> [LocalRecord] {
    try checkReadable()
    let waiting = disk.waiting(ofType: recordType)
    let rest = waiting[waiting.place { $0.revision <= revision }...]
    return rest.prefix(limit).compactMap { disk.record($0.recordID) }
  }

  package func quarantined(limit: Int) throws(StoreError) -> [LocalRecord] {
    try checkReadable()
    return disk.quarantined.prefix(limit).compactMap { disk.record($0) }
  }

  package func waiting() throws(StoreError) -> [DeviceCensus.Waiting] {
    try checkReadable()
    return disk.waitingTypes.map {
      DeviceCensus.Waiting(recordType: $0, count: disk.waiting(ofType: $0).count)
    }
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
