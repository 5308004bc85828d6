import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// The contents of a device's store that a reset or an erasure removes.
package struct DevicePlan: Hashable, Sendable {
  /// The device.
  package var device: String
  /// The number of records that the device shows.
  package var records: Int
  /// The number of edits that the cloud does not have, those in quarantine included.
  package var unsent: Int
  /// The number of change tokens in the store, that of the database included.
  package var positions: Int

  /// Reads the store in that folder, also while the device runs.
  init(reading folder: String, name: String) throws(StoreError) {
    let store = try DeviceFile.readOnly(folder: folder)
    let census = try store.census()
    device = name
    records = census.counts.reduce(0) { $0 + $1.count }
    unsent = census.pending
    let values = try store.values()
    let tokens: [DeviceKey] = [.databaseToken, .sharedDatabaseToken]
    positions = try store.zones().filter { $0.token != nil }.count + tokens.count { values[$0] != nil }
  }
}
