import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// What a device's store holds that a reset or an erasure can take away.
package struct DevicePlan: Hashable, Sendable {
  /// The device.
  package var device: String
  /// How many records it shows.
  package var records: Int
  /// How many of its edits the cloud does not have, those in quarantine included.
  package var unsent: Int
  /// How many positions in feeds it keeps, that of the database included.
  package var positions: Int

  /// Reads a device's store beside whoever uses it.
  init(reading folder: String, name: String) throws(StoreError) {
    let store = try DeviceFile.readOnly(folder: folder)
    let census = try store.census()
    device = name
    records = census.counts.reduce(0) { $0 + $1.count }
    unsent = census.pending
    let hasDatabasePosition = try store.values()[.databaseToken] != nil
    positions = try store.zones().filter { $0.token != nil }.count + (hasDatabasePosition ? 1 : 0)
  }
}
