import ZoneKitRecords
import ZoneKitSync

/// The state of a device at one moment, as checkers see it.
package struct DeviceSnapshot: Sendable {
  /// What the device is called.
  package var name: String
  /// The ID by which it names itself in its requests.
  package var deviceID = ""
  /// Whose data it holds; nil where nobody is signed in.
  package var account: Name?
  /// Whether its process runs and is not suspended.
  package var isComputing = true
  /// Whether it has a link, as far as it knows.
  package var isOnline = true
  /// Whether a sync is under way.
  package var isSyncing = false
  /// When its coordinator does something next by itself; nil where it does not.
  package var nextDeadline: MonotonicTime?
  /// Up to where it has read the database's feed.
  package var databaseToken: ChangeToken?
  /// Its push token.
  package var pushToken: String?
  /// What it knows of the zones' feeds.
  package var zones: [ZoneState] = []
  /// The records that it does not show yet, because records that they refer to have not arrived.
  package var hiddenRecords: [RecordID] = []
  /// Its disk.
  package var store = MemoryDeviceStore()

  /// A device of that name that runs, is online, and holds nothing.
  package init(name: String) { self.name = name }

  /// What the disk has of a record; nil where it has nothing, or cannot be read.
  func record(_ id: RecordID) -> LocalRecord? { (try? store.record(id)) ?? nil }

  /// A value of the disk; nil where there is none, or the disk cannot be read.
  func value(_ key: DeviceKey) -> DeviceValue? { (try? store.values())?[key] }
}

extension SimulatedDevice {
  /// The device's state now.
  var snapshot: DeviceSnapshot {
    var snapshot = DeviceSnapshot(name: name)
    snapshot.deviceID = coordinator.deviceID
    snapshot.account = coordinator.account
    snapshot.isComputing = isComputing
    snapshot.isOnline = isOnline
    snapshot.isSyncing = coordinator.isSyncing
    snapshot.nextDeadline = coordinator.nextDeadline
    snapshot.databaseToken = coordinator.databaseToken
    snapshot.pushToken = coordinator.pushToken
    snapshot.zones = coordinator.zoneStates
    snapshot.hiddenRecords = coordinator.parked
    snapshot.store = coordinator.store
    return snapshot
  }
}
