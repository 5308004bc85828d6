import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// A device that is not running, opened by a command that changes its store. Its coordinator has no connection to the
/// cloud.
package final class StoppedDevice {
  /// The device's coordinator. Its requests to the cloud are dropped; it sends them again when the device runs.
  package private(set) var coordinator: SyncCoordinator<DeviceFile>
  private let lock: DirectoryLock
  /// The account of a store without one; nil where nobody need be signed in.
  private let fallback: Name?
  private var generator = SystemGenerator()

  /// Locks the folder of a device, which is made if it is missing, and gives the device a device ID if it has none.
  /// Throws with the owner's process ID if the device is running; also if its store cannot be read or another app made
  /// it.
  package init(
    _ name: String, in data: DataDirectory, user: Name?, app: DeviceApp, unmarkedApp: String
  ) throws(StoreError) {
    let folder = try data.device(name)
    lock = try DirectoryLock(folder)
    let store = try DeviceFile(folder: folder)
    try store.claim(for: app, unmarkedApp: unmarkedApp)
    coordinator = try SyncCoordinator(store: store, configuration: app.configuration)
    fallback = app.hasTables ? nil : DeviceOptions.defaultUser
    let account = user ?? coordinator.account ?? fallback
    _ = try coordinator.launch(account: account, at: Self.now, using: &generator)
  }

  /// The device's state for the app.
  package var view: AppView { view(in: .utc) }

  /// The device's state for the app, on a device in that time zone.
  package func view(in zone: TimeZoneRules) -> AppView {
    AppView(
      store: coordinator.store, account: coordinator.account ?? fallback, wall: SystemClock.wall, timeZone: zone,
      hidden: self.coordinator.hiddenRecords)
  }

  /// Saves what an app's answer changes in one transaction. Throws if the store fails; then nothing has changed.
  package func save(_ answer: AppAnswer) throws(StoreError) {
    _ = try coordinator.edit(answer.edits, setting: answer.appValues, at: Self.now, using: &generator)
  }

  /// The folder of an existing device. Throws an error that lists the known devices.
  package static func folder(of name: String, in data: DataDirectory) throws(StoresError) -> String {
    try data.existingDevice(name)
  }

  private static var now: Moment {
    Moment(wall: SystemClock.wall, monotonic: MonotonicTime(milliseconds: 0))
  }
}
