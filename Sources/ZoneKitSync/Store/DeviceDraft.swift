import ZoneKitRecords

/// A transition in the making: later steps see what earlier ones wrote, and nothing counts until it is committed.
struct DeviceDraft {
  /// What the draft does with a record.
  private enum Drafted {
    case put(LocalRecord)
    case removed
  }

  /// Values and zones as they will be.
  var memory: DeviceMemory
  /// Journal entries to insert.
  var conflicts: [ConflictEntry] = []
  /// Notification IDs to insert.
  var notifications: [SeenNotification] = []
  /// Traces to insert.
  var traces: [ChangeTrace] = []
  private let earlier: DeviceMemory
  private let now: WallTime
  private var erasure = DeviceTransition.Erasure.nothing
  private var removedZones: [ZoneID] = []
  /// Records as they will be.
  private var records: [RecordID: Drafted] = [:]
  /// The IDs of all journal entries, read when the first one is to be written.
  private var journaled: Set<String>?

  init(_ memory: DeviceMemory, now: WallTime) {
    self.memory = memory
    earlier = memory
    self.now = now
  }

  /// A record as it will be.
  func record(_ recordID: RecordID, in store: some DeviceStore) throws(StoreError) -> LocalRecord? {
    switch records[recordID] {
    case .put(let record): return record
    case .removed: return nil
    case nil: break
    }
    if erasure != .nothing || removedZones.contains(recordID.zoneID) { return nil }
    return try store.record(recordID)
  }

  /// Puts a record in and settles whether it is pending. One that is nowhere any more goes.
  mutating func put(_ record: LocalRecord) {
    var settled = record
    if !record.isPending {
      settled.pendingSince = nil
      settled.quarantine = nil
    } else if record.pendingSince == nil {
      settled.pendingSince = now
    }
    let isNowhere = record.local == nil && !record.isPending
    records[record.recordID] = isNowhere ? .removed : .put(settled)
  }

  /// Puts in a record that the cloud refused as it was sent; reports it where it is kept back now.
  mutating func putRefused(_ record: LocalRecord, _ quarantine: Quarantine) -> [Effect] {
    var refused = record
    let isKeptBack = refused.refuse(quarantine)
    put(refused)
    return isKeptBack ? [.fact(.quarantined(record.recordID, reason: quarantine.text))] : []
  }

  mutating func remove(_ recordID: RecordID) { records[recordID] = .removed }

  /// Takes a zone out with all its records.
  mutating func removeZone(_ zoneID: ZoneID) {
    memory.removeZone(zoneID)
    removedZones.append(zoneID)
    for recordID in records.keys.sorted() where recordID.zoneID == zoneID { records[recordID] = nil }
  }

  /// Empties the store first; values that are to survive are set again afterwards.
  mutating func erase(_ erasure: DeviceTransition.Erasure) {
    self.erasure = erasure
    memory.removeZones()
    if erasure != .recordsAndZones { memory.removeValues() }
  }

  /// The transition that makes all of it true.
  var transition: DeviceTransition {
    var kept = earlier
    if erasure != .nothing { kept.removeZones() }
    if erasure == .allButJournal || erasure == .everything { kept.removeValues() }
    var transition = DeviceTransition(erasure: erasure, values: memory.valueChanges(since: kept))
    for recordID in records.keys.sorted() {
      switch records[recordID] {
      case .put(let record): transition.records.append(record)
      case .removed: transition.removedRecords.append(recordID)
      case nil: break
      }
    }
    // Records that are sent together lie together in the store, where new ones go to its end.
    transition.records.sort { ($0.revision, $0.recordID) < ($1.revision, $1.recordID) }
    // A zone that goes and comes again in one draft is written although it may equal what was there.
    for zoneID in removedZones { kept.removeZone(zoneID) }
    transition.zones = memory.zoneChanges(since: kept)
    transition.removedZones = removedZones
    transition.conflicts = conflicts
    transition.notifications = notifications
    transition.traces = traces
    transition.bounds = NotificationRing.bounds(now: now)
    return transition
  }
}

extension DeviceDraft {
  /// Writes an entry into the journal, and counts it unless the journal holds it already, as after a reset that made the
  /// device hear of it again. Returns whether it is new.
  @discardableResult
  mutating func journal(_ entry: ConflictEntry, in store: some DeviceStore) throws(StoreError) -> Bool {
    if journaled == nil { journaled = Set(try store.conflicts(limit: .max).map(\.id)) }
    guard journaled?.insert(entry.id).inserted == true else { return false }
    conflicts.append(entry)
    memory.count(.conflictTotal)
    return true
  }

  /// Writes a decision of this device into its journal, and into the record that reports it to the others; a record that
  /// the journal's zone holds already stays as it is. Returns what there is to report, which is nothing where the journal
  /// held the decision already: another device made the same one.
  mutating func publish(
    _ entry: ConflictEntry, in zoneID: ZoneID?, store: some DeviceStore
  ) throws(StoreError) -> [Effect] {
    let effects: [Effect] = try journal(entry, in: store) ? [.fact(.conflict(entry))] : []
    guard let zoneID else { return effects }
    var told = ConflictJournal.record(for: entry, in: zoneID)
    guard try record(told.recordID, in: store) == nil else { return effects }
    told.revision = memory.nextRevision()
    put(told)
    return effects
  }
}

extension DeviceTransition {
  /// Whether committing would change nothing.
  var isEmpty: Bool {
    erasure == .nothing && values.isEmpty && zones.isEmpty && removedZones.isEmpty && records.isEmpty
      && removedRecords.isEmpty && conflicts.isEmpty && notifications.isEmpty && traces.isEmpty
  }
}
