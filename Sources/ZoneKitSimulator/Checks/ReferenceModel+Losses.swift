import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitSync

/// Losses of edits for which devices are not responsible.
extension ReferenceModel {
  /// A device's disk was replaced by another one or an older one. Edits that are missing on it are no violation.
  mutating func excuseLosses(from before: MemoryDeviceStore, to after: MemoryDeviceStore, of account: Name?) {
    let kept = Set(((try? after.conflicts(limit: .max)) ?? []).map(\.id))
    let journal = (try? before.conflicts(limit: .max)) ?? []
    let unjournaled = Set(journal.filter { !kept.contains($0.id) }.map(\.recordID))
    excuse { key in
      if unjournaled.contains(key.id) { return true }
      guard key.account == account else { return false }
      let old = (try? before.record(key.id)) ?? nil
      let new = (try? after.record(key.id)) ?? nil
      // If the device does not know that it sent a record or that the cloud has it, it treats the record as only its
      // own.
      let forgotSending =
        old?.isKnownElsewhere == true && new?.isKnownElsewhere != true || old?.server != nil && new?.server == nil
      return old?.pendingSince != nil || old?.local != new?.local || forgotSending
    }
  }

  /// A device was copied. What waits on it also waits on the copy, which may send it after the device withdrew it.
  mutating func excuseWaiting(on original: MemoryDeviceStore, of account: Name?) {
    let waiting = Set(((try? original.pending(in: nil, after: 0, limit: .max)) ?? []).map(\.recordID))
    excuse { $0.account == account && waiting.contains($0.id) }
  }

  /// A zone of the cloud lost those versions of records; nil for deletions. A version that no device holds is lost for
  /// good, and records whose deletion is lost may come back.
  mutating func cloudLost(
    _ versions: [RecordKey: RecordContent?], of account: Name, zone: Name,
    unless isHeld: (RecordKey, RecordContent) -> Bool
  ) {
    var gone: Set<RecordKey> = []
    for key in versions.keys.sorted() {
      if let version = versions[key] ?? nil, isHeld(key, version) { offered.insert(key) } else { gone.insert(key) }
    }
    // Deletions that a device has not seen are lost with its token.
    let ofZone = histories.keys.filter { $0.account == account && $0.id.zoneID.zoneName == zone }
    gone.formUnion(ofZone.filter { !isUndeleted($0) })
    excuse { gone.contains($0) }
  }

  /// A device may have lost what it was to offer to the cloud.
  mutating func excuseOffers() {
    guard !offered.isEmpty else { return }
    let offered = offered
    excuse { offered.contains($0) }
    self.offered = []
  }

  /// Records of an account disappear that no user deleted.
  mutating func excuseAll(of account: Name) { excuse { $0.account == account } }
}

extension LocalRecord {
  /// Whether the device knows that the cloud may have the record.
  fileprivate var isKnownElsewhere: Bool { server != nil || sent != nil }
}
