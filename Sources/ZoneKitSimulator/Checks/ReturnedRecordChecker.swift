import ZoneKitRecords
import ZoneKitSync

/// A record that went with its zone does not come back as it was.
package struct ReturnedRecordChecker: Sendable {
  /// What records were that went with their zone, as far as nobody edited them since.
  private var gone: [RecordKey: RecordContent] = [:]

  /// A checker before anything happened.
  package init() {}

  /// Takes in what happened next on any device.
  package mutating func take(_ entry: LogEntry) {
    switch entry.event {
    case .diskReplaced: gone = [:]
    case .edited(let changes, _):
      for change in changes where change.before != change.after {
        gone[RecordKey(account: entry.device.account, id: change.id)] = nil
      }
    default: break
    }
  }

  /// A request makes a record that is not there any more: for the second time, or after the process that sent it died.
  package mutating func isMadeAnew(_ id: RecordID) { for key in gone.keys where key.id == id { gone[key] = nil } }

  /// Somebody takes a zone away that holds those records. What waits on a device that does not know the zone is the user's
  /// own, and goes up again.
  package mutating func zoneGoes(_ zone: ZoneID, with records: [Record], of account: Name, waiting: Set<RecordID>) {
    for record in records {
      let id = RecordID(recordName: record.recordName, zoneID: zone)
      guard !waiting.contains(id) else { continue }
      gone[RecordKey(account: account, id: id)] = RecordContent(fields: record.fields, parent: record.parent)
    }
  }

  /// A zone is lost or its keys are reset. The database's feed has each zone once, in its last state: a device that did not
  /// read of an earlier deletion and holds something still takes it for lost, and sends it again.
  package mutating func zoneIsLost(_ zone: ZoneID, of account: Name, heldBy devices: [DeviceSnapshot]) {
    let holders = devices.filter { $0.account == account }
    for key in gone.keys.sorted() where key.account == account && key.id.zoneID == zone {
      let isHeld = holders.contains { (try? $0.store.record(key.id)) != nil }
      if isHeld { gone[key] = nil }
    }
  }

  /// What is wrong with a record of the cloud in the end; nil where nothing is.
  package func finding(_ key: RecordKey, _ content: RecordContent) -> Finding? {
    guard gone[key] == content else { return nil }
    return Finding(.resurrection, "record \(key.id.words) is back, which went with its zone")
  }
}
