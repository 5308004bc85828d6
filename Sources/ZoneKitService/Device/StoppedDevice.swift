import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// A device that no process runs, opened by a command that changes it: its coordinator without a cloud.
package final class StoppedDevice {
  /// The device's coordinator. Its requests to the cloud are dropped; it asks again when the device runs.
  package private(set) var coordinator: SyncCoordinator<DeviceFile>
  private let lock: DirectoryLock
  private var generator = SystemRandomNumberGenerator()

  /// Locks the folder of a device, which is made where it is missing, and gives the device an identity where it has none.
  /// Throws with the owner's process ID while the device runs, where its store cannot be read, or where another app made it.
  package init(
    _ name: String, in data: DataDirectory, user: Name?, app: DeviceApp, unmarkedApp: String
  ) throws(StoreError) {
    let folder = try data.device(name)
    lock = try DirectoryLock(folder)
    let store = try DeviceFile(folder: folder)
    try store.claim(for: app.name, unmarkedApp: unmarkedApp)
    coordinator = try SyncCoordinator(store: store, configuration: app.configuration)
    let account = user ?? coordinator.account ?? DeviceOptions.defaultUser
    _ = try coordinator.launch(account: account, at: Self.now, using: &generator)
  }

  /// What the device's app sees.
  package var view: AppView {
    AppView(
      store: coordinator.store, account: coordinator.account ?? DeviceOptions.defaultUser, wall: SystemClock.wall,
      hidden: coordinator.parked)
  }

  /// Saves the app's edits in one transaction. Throws where the store fails; then nothing has changed.
  package func edit(_ edits: [RecordEdit]) throws(StoreError) {
    _ = try coordinator.edit(edits, at: Self.now, using: &generator)
  }

  /// The folder of an existing device. Throws an error that lists the known devices.
  package static func folder(of name: String, in data: DataDirectory) throws(StoresError) -> String {
    try data.existingDevice(name)
  }

  private static var now: Moment {
    Moment(wall: SystemClock.wall, monotonic: MonotonicTime(milliseconds: 0))
  }
}
