import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// A device that no process runs, opened to be changed by a command: its coordinator without a cloud.
package final class StoppedDevice {
  /// The device's coordinator; whatever it asks of the cloud stays unsaid until the device runs.
  package private(set) var coordinator: SyncCoordinator<DeviceFile>
  private let lock: DirectoryLock
  private var generator = SystemRandomNumberGenerator()

  /// Takes the folder of a device, makes it where it is missing, and gives it an identity where it has none. Throws where
  /// a process has it, naming its pid, or the store cannot be read.
  package init(
    _ name: String, in data: DataDirectory, user: Name?, configuration: CoordinatorConfiguration
  ) throws(StoreError) {
    let folder = try data.device(name)
    lock = try DirectoryLock(folder)
    coordinator = try SyncCoordinator(store: try DeviceFile(folder: folder), configuration: configuration)
    let account = user ?? coordinator.account ?? DeviceOptions.defaultUser
    _ = try coordinator.launch(account: account, at: Self.now, using: &generator)
  }

  /// Keeps the app's edits, all or none. Throws where the store fails; then nothing has changed.
  package func edit(_ edits: [RecordEdit]) throws(StoreError) {
    _ = try coordinator.edit(edits, at: Self.now, using: &generator)
  }

  /// The folder of a device that exists. Throws `StoresError` where there is none, naming those that are there.
  package static func folder(of name: String, in data: DataDirectory) throws(StoresError) -> String {
    try data.existingDevice(name)
  }

  private static var now: Moment {
    Moment(wall: SystemClock.wall, monotonic: MonotonicTime(milliseconds: 0))
  }
}
