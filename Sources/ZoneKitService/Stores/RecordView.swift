import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// The records of one account on a device or in the cloud, without the conflict journal. They can be read while a
/// process uses the store.
package struct RecordView: Hashable, Sendable {
  /// The zone and name of a record. The owner of the zone is left out, because devices and the cloud spell it
  /// differently.
  package struct Key: Hashable, Comparable, Sendable {
    /// The record's zone.
    package let zoneName: Name
    /// The record.
    package let recordName: Name

    /// The ID of the record, in a zone of the user's own.
    package var recordID: RecordID { RecordID(recordName: recordName, zoneID: ZoneID(zoneName: zoneName)) }

    package static func < (one: Key, other: Key) -> Bool {
      (one.zoneName, one.recordName) < (other.zoneName, other.recordName)
    }
  }

  /// The contents of the records.
  package private(set) var records: [Key: RecordContent] = [:]
  /// The types of the records; only for a device.
  private var types: [Key: Name] = [:]
  /// The number of edits that wait to be sent, without those in quarantine; 0 for the cloud.
  package private(set) var pending = 0
  /// The records that are in quarantine on the device. They may differ from those in the cloud.
  package private(set) var quarantined: Set<Key> = []

  /// The records that a device with that app shows. Throws an input error if there is no such device.
  package init(ofDevice name: String, in data: DataDirectory, app: DeviceApp) throws(StoresError) {
    let folder = try data.existingDevice(name)
    try StoresError.from { () throws(StoreError) in
      let reading = try DeviceReading(folder, name: name)
      let user = reading.account ?? ""
      for zoneID in reading.zoneIDs where Self.isShown(zoneID, of: user) {
        for (recordName, record) in try reading.records(in: zoneID) {
          let key = Key(zoneName: zoneID.zoneName, recordName: recordName)
          records[key] = record.local?.leavingOut(app.cloudsOwnField)
          types[key] = record.recordType
          if record.quarantine != nil { quarantined.insert(key) }
        }
      }
      pending = try reading.pending()
    }
  }

  /// The records of an app's account in the cloud's files. Throws if its files cannot be read.
  package init(ofCloud data: DataDirectory, account: Name, app: DeviceApp) throws(StoresError) {
    guard Folder.exists(data.cloud) else { return }
    try StoresError.from { () throws(StoreError) in
      let cloud = try CloudContent(of: app, account: account, in: data, at: SystemClock.wall)
      for zoneID in try cloud.zoneIDs() where Self.isShown(zoneID, of: account) {
        for (recordName, sighting) in try cloud.zone(zoneID.zoneName).sightings {
          guard let content = sighting.leavingOut(app.cloudsOwnField).content else { continue }
          records[Key(zoneName: zoneID.zoneName, recordName: recordName)] = content
        }
      }
    }
  }

  /// The records that differ between the two views, in ascending order.
  package func differences(from other: RecordView) -> [Key] {
    Set(records.keys).union(other.records.keys).filter { records[$0] != other.records[$0] }.sorted()
  }

  /// Whether there is a record of that name in any zone.
  package func shows(_ recordName: Name) -> Bool { records.keys.contains { $0.recordName == recordName } }

  /// The type of the record of that name in any zone; nil if there is none.
  package func type(of recordName: Name) -> Name? { types.first { $0.key.recordName == recordName }?.value }

  private static func isShown(_ zoneID: ZoneID, of user: Name) -> Bool {
    zoneID.isOwn(of: user) && zoneID.zoneName != StoreComparison.journalZoneName
  }
}
