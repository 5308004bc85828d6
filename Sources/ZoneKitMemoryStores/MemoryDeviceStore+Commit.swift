import ZoneKitRecords
import ZoneKitSync

extension MemoryDeviceStore {
  package mutating func commit(_ transition: DeviceTransition) throws(StoreError) {
    if haltsBeforeCommit == 1 { halt() }
    try checkRunning()
    let fault = faults.isEmpty ? nil : faults.removeFirst()
    if case .beforeCommit(let error) = fault { throw error }
    try checkSpace(for: transition)
    disk.apply(transition)
    history?.append(transition)
    if durable != nil { unsynced.append(transition) }
    commitCount += 1
    haltsBeforeCommit = haltsBeforeCommit.map { $0 - 1 }
    haltsAfterCommits = haltsAfterCommits.map { $0 - 1 }
    if case .afterCommit(let error) = fault { throw error }
  }

  private func checkSpace(for transition: DeviceTransition) throws(StoreError) {
    if isFull { throw StoreError(.full, "no space is left on the disk", place: "memory") }
    guard let capacity else { return }
    let needed = disk.bytes(after: transition)
    if needed > capacity, needed > disk.bytes {
      throw StoreError(.full, "the disk holds \(capacity) bytes of fields, \(needed) are needed", place: "memory")
    }
  }
}

extension MemoryDeviceStore.Disk {
  /// The size of all field text in bytes.
  var bytes: Int { recordZones.reduce(0) { $0 + $1.records.bytes } }

  /// The size of all field text in bytes after applying the transition.
  fileprivate func bytes(after transition: DeviceTransition) -> Int {
    var bytes = transition.records.reduce(0) { $0 + $1.fieldBytes }
    guard transition.erasure == .nothing else { return bytes }
    let kept = recordZones.filter { !transition.removedZones.contains($0.zoneID) }
    bytes += kept.reduce(0) { $0 + $1.records.bytes }
    var gone: Set<RecordID> = []
    for recordID in transition.removedRecords + transition.records.map(\.recordID)
    where !transition.removedZones.contains(recordID.zoneID) && gone.insert(recordID).inserted {
      bytes -= record(recordID)?.fieldBytes ?? 0
    }
    return bytes
  }
}
