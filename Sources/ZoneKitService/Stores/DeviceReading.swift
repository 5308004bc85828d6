import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// Reads a device's store, whether the device is running or not.
struct DeviceReading {
  /// The device.
  let name: String
  /// The coordinator's values.
  let values: [DeviceKey: DeviceValue]
  /// The states of the zones.
  let zones: [ZoneState]
  /// The zones with a state or a record in the store, in ascending order.
  let zoneIDs: [ZoneID]
  /// Whether a process has the store open.
  let isRunning: Bool
  /// The stamps of its files before they were read.
  let stamps: [FileStamp?]
  /// The device's file.
  let store: DeviceFile

  /// Reads the store in that folder.
  init(_ folder: String, name: String) throws(StoreError) {
    self.name = name
    stamps = FileStamp.database("\(folder)/\(DeviceFile.fileName)")
    isRunning = try DirectoryLock.owner(of: folder) != nil
    store = try DeviceFile.readOnly(folder: folder)
    values = try store.values()
    zones = try store.zones()
    let waiting = try store.pending(in: nil, after: -1, limit: .max) + store.quarantined(limit: .max)
    let all =
      zones.map(\.zoneID) + (try store.census().counts.map(\.zoneID)) + waiting.map(\.recordID.zoneID)
    zoneIDs = Set(all).sorted()
  }

  /// The account to which the data in the store belongs.
  var account: Name? { values[.account]?.text.map { Name($0) } }

  /// The app that made the store; `unmarkedApp` if a used store names none, nil if the store was never used, or cannot be read.
  func owner(unmarkedApp: String) -> StoreOwner? { (try? store.owner(unmarkedApp: unmarkedApp)) ?? nil }

  /// The number of edits that wait to be sent, without those in quarantine.
  func pending() throws(StoreError) -> Int {
    let census = try store.census()
    return census.pending - census.quarantined
  }

  /// All records of a zone by name, including locally deleted ones.
  func records(in zoneID: ZoneID) throws(StoreError) -> [Name: LocalRecord] {
    let records = try store.records(in: zoneID, metBefore: .max)
    return Dictionary(uniqueKeysWithValues: records.map { ($0.recordID.recordName, $0) })
  }

  /// One record; nil if the device does not have it.
  func record(_ recordID: RecordID) throws(StoreError) -> LocalRecord? { try store.record(recordID) }

  /// See `DeviceFile.versions`.
  func versions(in zoneID: ZoneID) throws(StoreError) -> (synced: [SyncedVersion], others: [LocalRecord]) {
    try store.versions(in: zoneID)
  }

  /// The journal's entries for records that the device removed because the cloud did not show them any more, and that it
  /// does not have again, newest first.
  func leftOut() throws(StoreError) -> [ConflictEntry] {
    var found: [ConflictEntry] = []
    for entry in try store.conflicts(limit: .max) where entry.rule == ConflictEntry.leftOut {
      if try store.record(entry.recordID)?.local == nil { found.append(entry) }
    }
    return found
  }

  /// The state of one record on the device.
  func sighting(_ record: LocalRecord?, in zoneID: ZoneID) -> DeviceSighting {
    DeviceSighting(
      record: record, zone: zones.first { $0.zoneID == zoneID }, values: values, isRunning: isRunning)
  }
}
