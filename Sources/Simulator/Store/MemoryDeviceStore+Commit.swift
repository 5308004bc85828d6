import Records
import SyncCoordinator

extension MemoryDeviceStore {
  package mutating func commit(_ transition: DeviceTransition) throws(StoreError) {
    let fault = faults.isEmpty ? nil : faults.removeFirst()
    if case .beforeCommit(let error) = fault { throw error }
    var changed = self
    changed.apply(transition)
    if let capacity, changed.size > capacity, changed.size > size {
      throw StoreError(.full, "the disk holds \(capacity) bytes of fields, \(changed.size) are needed", place: "memory")
    }
    changed.commitCount += 1
    self = changed
    if case .afterCommit(let error) = fault { throw error }
  }

  /// The bytes of all field text.
  private var size: Int {
    storedRecords.values.reduce(0) {
      $0 + ($1.local?.fields.utf8.count ?? 0) + ($1.server?.content.fields.utf8.count ?? 0)
    }
  }

  private mutating func apply(_ transition: DeviceTransition) {
    erase(transition.erasure)
    for zoneID in transition.removedZones { remove(zoneID) }
    for zone in transition.zones { storedZones[zone.zoneID] = zone }
    for recordID in transition.removedRecords { remove(recordID) }
    for record in transition.records { put(record) }
    for change in transition.values { storedValues[change.key] = change.value }
    insertLists(of: transition)
    trim(transition.bounds)
  }

  private mutating func erase(_ erasure: DeviceTransition.Erasure) {
    guard erasure != .nothing else { return }
    storedRecords = [:]
    pendingIDs = []
    storedZones = [:]
    guard erasure != .recordsAndZones else { return }
    storedValues = [:]
    storedNotifications = []
    storedTraces = []
    if erasure == .everything { storedConflicts = [] }
  }

  private mutating func remove(_ zoneID: ZoneID) {
    storedZones[zoneID] = nil
    storedRecords = storedRecords.filter { $0.key.zoneID != zoneID }
    pendingIDs = pendingIDs.filter { $0.zoneID != zoneID }
  }

  private mutating func remove(_ recordID: RecordID) {
    storedRecords[recordID] = nil
    pendingIDs.remove(recordID)
  }

  private mutating func put(_ record: LocalRecord) {
    storedRecords[record.recordID] = record
    if record.pendingSince == nil { pendingIDs.remove(record.recordID) } else { pendingIDs.insert(record.recordID) }
  }

  private mutating func insertLists(of transition: DeviceTransition) {
    for seen in transition.notifications
    where !storedNotifications.contains(where: { $0.notificationID == seen.notificationID }) {
      storedNotifications.append(seen)
    }
    for entry in transition.conflicts where !storedConflicts.contains(where: { $0.id == entry.id }) {
      storedConflicts.append(entry)
    }
    storedTraces += transition.traces
  }

  private mutating func trim(_ bounds: DeviceTransition.Bounds) {
    if let since = bounds.notificationsSince { storedNotifications.removeAll { $0.receivedAt < since } }
    storedNotifications.removeFirst(max(0, storedNotifications.count - bounds.notifications))
    storedConflicts.removeFirst(max(0, storedConflicts.count - bounds.conflicts))
    storedTraces.removeFirst(max(0, storedTraces.count - bounds.traces))
  }
}
