import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitSync

/// The state of a device at one time, for checkers.
package struct DeviceSnapshot: Sendable {
  /// The name of the device.
  package var name: String
  /// The device ID in its requests.
  package var deviceID = ""
  /// The account of its data; nil if none is signed in.
  package var account: Name?
  /// Whether its process runs and is not suspended.
  package var isComputing = true
  /// Whether it has a link, as far as it knows.
  package var isOnline = true
  /// Whether a sync is running.
  package var isSyncing = false
  /// Whether its app uploads local rows. Edits wait until that ends.
  package var isMigrating = false
  /// When its coordinator has something to do next; nil if only an event can cause it.
  package var nextDeadline: MonotonicTime?
  /// The token of the database's feed.
  package var databaseToken: ChangeToken?
  /// Its push token.
  package var pushToken: String?
  /// The states of the zones.
  package var zones: [ZoneState] = []
  /// The records that it does not show yet, because records to which they refer have not arrived.
  package var hiddenRecords: [RecordID] = []
  /// The content of its disk.
  package var store = MemoryDeviceStore()

  /// A device of that name that is running and online, with an empty store.
  package init(name: String) { self.name = name }

  /// A record on the disk; nil if there is none or the disk cannot be read.
  func record(_ id: RecordID) -> LocalRecord? { (try? store.record(id)) ?? nil }

  /// A value on the disk; nil if there is none or the disk cannot be read.
  func value(_ key: DeviceKey) -> DeviceValue? { (try? store.values())?[key] }
}

extension SimulatedDevice {
  /// The device's present state.
  var snapshot: DeviceSnapshot {
    var snapshot = DeviceSnapshot(name: name)
    snapshot.deviceID = coordinator.deviceID
    snapshot.account = coordinator.account
    snapshot.isComputing = isComputing
    snapshot.isOnline = process.isOnline
    snapshot.isSyncing = coordinator.isSyncing
    snapshot.isMigrating = process.migration?.isRunning == true
    snapshot.nextDeadline = coordinator.nextDeadline
    snapshot.databaseToken = coordinator.databaseToken
    snapshot.pushToken = coordinator.pushToken
    snapshot.zones = coordinator.zoneStates
    snapshot.hiddenRecords = coordinator.hiddenRecords
    snapshot.store = coordinator.store
    return snapshot
  }
}
