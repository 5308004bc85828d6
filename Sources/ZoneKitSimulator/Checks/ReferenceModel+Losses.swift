import ZoneKitRecords
import ZoneKitSync

/// What devices lose that they do not have to answer for.
extension ReferenceModel {
  /// A device's disk of that account is replaced by another one, or by its own from before: nobody has to answer for edits
  /// that are not there any more.
  mutating func excuseLosses(from before: MemoryDeviceStore, to after: MemoryDeviceStore, of account: Name?) {
    let kept = Set(((try? after.conflicts(limit: .max)) ?? []).map(\.id))
    let journal = (try? before.conflicts(limit: .max)) ?? []
    let unjournaled = Set(journal.filter { !kept.contains($0.id) }.map(\.recordID))
    excuse { key in
      if unjournaled.contains(key.id) { return true }
      guard key.account == account else { return false }
      let old = (try? before.record(key.id)) ?? nil
      let new = (try? after.record(key.id)) ?? nil
      // What the device does not know that it sent, or that the cloud took, it takes for its own alone.
      let forgotSending =
        old?.isKnownElsewhere == true && new?.isKnownElsewhere != true || old?.server != nil && new?.server == nil
      return old?.pendingSince != nil || old?.local != new?.local || forgotSending
    }
  }

  /// What waits on a device waits on its copy too, which may send it after the device took it back.
  mutating func excuseWaiting(on original: MemoryDeviceStore, of account: Name?) {
    let waiting = Set(((try? original.pending(in: nil, after: 0, limit: .max)) ?? []).map(\.recordID))
    excuse { $0.account == account && waiting.contains($0.id) }
  }

  /// Records of an account go that no user deleted.
  mutating func excuseAll(of account: Name) { excuse { $0.account == account } }
}

extension LocalRecord {
  /// Whether the device knows that the cloud may hold the record.
  fileprivate var isKnownElsewhere: Bool { server != nil || sent != nil }
}
