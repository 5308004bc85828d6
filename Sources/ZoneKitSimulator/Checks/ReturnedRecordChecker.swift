import ZoneKitRecords
import ZoneKitSync

/// A record that was removed with its zone does not come back unchanged.
package struct ReturnedRecordChecker: Sendable {
  /// The kinds of events that it reads.
  package static let reads = LogEventKinds(events: [.diskReplaced, .edited], facts: [.zoneRemoved])

  /// The content of the records that were removed with their zone and not edited since.
  private var gone: [RecordKey: RecordContent] = [:]

  /// A checker at the start of a log.
  package init() {}

  /// The next entry of the log of any device was read.
  package mutating func take(_ entry: LogEntry) {
    switch entry.event {
    case .diskReplaced: gone = [:]
    case .edited(let changes, _):
      for change in changes where change.before != change.after {
        gone[RecordKey(account: entry.device.account, id: change.id)] = nil
      }
    case .fact(.zoneRemoved(let zone, _, _)):
      // What was made after the zone ended stays on the device, with the records to which it refers.
      let stays = (try? entry.device.store.pending(in: zone, after: 0, limit: .max)) ?? []
      for record in stays { gone[RecordKey(account: entry.device.account, id: record.recordID)] = nil }
    default: break
    }
  }

  /// A request creates a record that was deleted: it arrived twice, or after the process that sent it ended.
  package mutating func isMadeAnew(_ id: RecordID) { for key in gone.keys where key.id == id { gone[key] = nil } }

  /// A zone with those records is removed. What waits on a device that does not know the zone is the user's own, and is
  /// uploaded.
  package mutating func zoneGoes(_ zone: ZoneID, with records: [Record], of account: Name, waiting: Set<RecordID>) {
    for record in records {
      let id = RecordID(recordName: record.recordName, zoneID: zone)
      guard !waiting.contains(id) else { continue }
      gone[RecordKey(account: account, id: id)] = RecordContent(fields: record.fields, parent: record.parent)
    }
  }

  /// The file of a zone was replaced by an earlier state, in which the records may still be.
  package mutating func zoneGoesOn(_ zone: Name, of account: Name) {
    for key in gone.keys.sorted() where key.account == account && key.id.zoneID.zoneName == zone { gone[key] = nil }
  }

  /// A zone is lost or its keys are reset. The database's feed lists each zone once, with its last state. So a device
  /// that has not seen an earlier deletion treats the zone as lost, and uploads its records again.
  package mutating func zoneIsLost(_ zone: ZoneID, of account: Name, heldBy devices: [DeviceSnapshot]) {
    let holders = devices.filter { $0.account == account }
    for key in gone.keys.sorted() where key.account == account && key.id.zoneID == zone {
      let isHeld = holders.contains { (try? $0.store.record(key.id)) != nil }
      if isHeld { gone[key] = nil }
    }
  }

  /// The violation in a record of the cloud at the end; nil for none.
  package func finding(_ key: RecordKey, _ content: RecordContent) -> Finding? {
    guard gone[key] == content else { return nil }
    return Finding(.resurrection, "record \(key.id.words) is back, which went with its zone")
  }
}
