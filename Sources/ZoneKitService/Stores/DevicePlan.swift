import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// What a reset or an erasure removes from a device's store.
package struct DevicePlan: Hashable, Sendable {
  /// The device.
  package var device: String
  /// The number of records that the device shows.
  package var records: Int
  /// The number of edits that the cloud does not have, including those in quarantine.
  package var unsent: Int
  /// The number of change tokens, including that of the database.
  package var positions: Int

  /// A plan of those numbers.
  init(device: String, records: Int, unsent: Int, positions: Int) {
    (self.device, self.records, self.unsent, self.positions) = (device, records, unsent, positions)
  }

  /// Reads the store in that folder, whether the device is running or not.
  init(reading folder: String, name: String) throws(StoreError) {
    let store = try DeviceFile.readOnly(folder: folder)
    let census = try store.census()
    device = name
    records = census.counts.reduce(0) { $0 + $1.count }
    unsent = census.pending
    let values = try store.values()
    let tokens = DatabaseScope.allCases.compactMap { DeviceKey.feedPosition(of: $0)?.token }
    positions = try store.zones().filter { $0.token != nil }.count + tokens.count { values[$0] != nil }
  }
}
