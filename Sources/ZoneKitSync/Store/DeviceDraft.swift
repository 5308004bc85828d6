import ZoneKitRecords

/// A transition that is being built. Later steps see the changes of earlier ones. Nothing is valid until it is
/// committed.
struct DeviceDraft {
  /// The change of a record in the draft.
  private enum Drafted {
    /// `number` counts the records that were put before it.
    case put(LocalRecord, number: Int)
    case removed

    var record: LocalRecord? {
      switch self {
      case .put(let record, _): record
      case .removed: nil
      }
    }
  }

  /// The values and zones after the changes.
  var memory: DeviceMemory
  /// The changes of the app's values.
  var appValues: [AppValueChange] = []
  /// Whether an erasure leaves the app's values.
  var keepsAppValues = false
  /// Journal entries to insert.
  var conflicts: [ConflictEntry] = []
  /// Notification IDs to insert.
  var notifications: [SeenNotification] = []
  /// Traces to insert.
  var traces: [ChangeTrace] = []
  private let earlier: DeviceMemory
  private let now: WallTime
  /// The field that does not count when the device recognises a version as its own; nil if all fields count.
  private let ignoredField: Name?
  private var erasure = DeviceTransition.Erasure.nothing
  private var removedZones: [ZoneID] = []
  /// The changed records.
  private var records: [RecordID: Drafted] = [:]
  /// The number of times that a record was put.
  private var puts = 0
  /// The IDs of all journal entries, read before the first one is written.
  private var journaled: Set<String>?

  init(_ memory: DeviceMemory, now: WallTime, ignoredField: Name? = nil) {
    self.memory = memory
    self.memory.beginDraft()
    earlier = memory
    self.now = now
    self.ignoredField = ignoredField
  }

  /// A record after the changes.
  func record(_ recordID: RecordID, in store: some DeviceStore) throws(StoreError) -> LocalRecord? {
    switch records[recordID] {
    case .put(let record, _): return record
    case .removed: return nil
    case nil: break
    }
    return isErased(recordID) ? nil : try store.record(recordID)
  }

  /// Whether there is a record after the changes.
  func contains(_ recordID: RecordID, in store: some DeviceStore) throws(StoreError) -> Bool {
    if let drafted = records[recordID] { return drafted.record != nil }
    return isErased(recordID) ? false : try store.contains(recordID)
  }

  /// Whether the draft removes what the store has of a record together with others.
  private func isErased(_ recordID: RecordID) -> Bool {
    erasure != .nothing || removedZones.contains(recordID.zoneID)
  }

  /// Writes a record and sets whether it is pending. A record that exists neither here nor in the cloud is removed.
  mutating func put(_ record: LocalRecord) {
    var settled = record
    if !record.isPending {
      settled.pendingSince = nil
      settled.quarantine = nil
    } else if record.pendingSince == nil {
      settled.pendingSince = now
    }
    let isNowhere = record.local == nil && !record.isPending
    records[record.recordID] = isNowhere ? .removed : .put(settled, number: puts)
    puts += 1
  }

  /// Writes a record that the cloud refused as it was sent. Returns a fact if it is in quarantine now.
  mutating func putRefused(_ record: LocalRecord, _ quarantine: Quarantine) -> [Effect] {
    var refused = record
    let isKeptBack = refused.refuse(quarantine, leavingOut: ignoredField)
    put(refused)
    return isKeptBack ? [.fact(.quarantined(record.recordID, reason: quarantine.text))] : []
  }

  mutating func remove(_ recordID: RecordID) { records[recordID] = .removed }

  /// Removes a zone with all its records.
  mutating func removeZone(_ zoneID: ZoneID) {
    memory.removeZone(zoneID)
    removedZones.append(zoneID)
    for recordID in records.keys.sorted() where recordID.zoneID == zoneID { records[recordID] = nil }
  }

  /// Empties the store before all other changes. Values that have to survive are set again afterwards.
  mutating func erase(_ erasure: DeviceTransition.Erasure) {
    self.erasure = erasure
    memory.removeZones()
    if erasure != .recordsAndZones { memory.removeValues() }
  }

  /// The records that were put, in the order of their revisions, and otherwise as they were put: records that are sent
  /// together lie together in the store, where new ones go to its end.
  private var sortedRecords: [LocalRecord] {
    var put: [LocalRecord] = []
    var order: [(revision: Int64, number: Int, place: Int)] = []
    for case .put(let record, let number) in records.values {
      order.append((record.revision, number, put.count))
      put.append(record)
    }
    // Their places are sorted, because records are large and moving them took most of the time.
    return order.sorted { ($0.revision, $0.number) < ($1.revision, $1.number) }.map { put[$0.place] }
  }

  /// The transition with all changes.
  var transition: DeviceTransition {
    var kept = earlier
    if erasure != .nothing { kept.removeZones() }
    if erasure == .allButJournal || erasure == .everything { kept.removeValues() }
    var transition = DeviceTransition(erasure: erasure, values: memory.valueChanges(since: kept))
    transition.records = sortedRecords
    if transition.records.count < records.count {
      transition.removedRecords = records.filter { $0.value.record == nil }.keys.sorted()
    }
    // A zone that is removed and added in one draft is written even if it is equal to its earlier state.
    for zoneID in removedZones { kept.removeZone(zoneID) }
    transition.zones = memory.zoneChanges(since: kept)
    transition.removedZones = removedZones
    transition.keepsAppValues = keepsAppValues
    transition.appValues = appValues
    transition.conflicts = conflicts
    transition.notifications = notifications
    transition.traces = traces
    transition.bounds = NotificationRing.bounds(now: now)
    return transition
  }
}

extension DeviceDraft {
  /// Writes an entry to the journal and counts it, unless the journal contains it already, for example after a reset.
  /// Returns whether it is new.
  @discardableResult
  mutating func journal(_ entry: ConflictEntry, in store: some DeviceStore) throws(StoreError) -> Bool {
    if journaled == nil { journaled = Set(try store.conflicts(limit: .max).map(\.id)) }
    guard journaled?.insert(entry.id).inserted == true else { return false }
    conflicts.append(entry)
    memory.count(.conflictTotal)
    return true
  }

  /// Writes a decision of this device to its journal, and to the record that reports it to others unless that exists
  /// already. Returns the facts; none if the journal contained the decision already, because another device made the
  /// same one.
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
    erasure == .nothing && values.isEmpty && appValues.isEmpty && zones.isEmpty && removedZones.isEmpty
      && records.isEmpty
      && removedRecords.isEmpty && conflicts.isEmpty && notifications.isEmpty && traces.isEmpty
  }
}
