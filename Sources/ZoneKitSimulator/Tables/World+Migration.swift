import ZoneKitDeviceHost
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// The backup of a simulated device before a migration: its disk and the photos on it.
struct SimulatedBackup {
  /// The path by which the store of the device names it.
  static let path = "backup"

  var disk: MemoryDeviceStore
  var photos: Set<PhotoName>
}

/// Migrations and rollbacks of devices.
extension World {
  /// Copies a device's disk before a migration.
  mutating func backUp(_ device: Int) {
    devices[device].backup = SimulatedBackup(disk: devices[device].store, photos: devices[device].process.photoFiles)
    act(device) { $0.backedUp(to: SimulatedBackup.path, at: $1) }
  }

  /// The user of a device wants an interrupted migration to go on.
  package mutating func migrate(_ device: Int) { act(device) { $0.migrate(at: $1) } }

  /// The user of a device takes the migration back. Throws if there is nothing to take back.
  package mutating func rollBack(_ device: Int, isCloudMeant: Bool) throws(AppRefusal) {
    guard devices[device].isRunning else { throw AppRefusal("\(devices[device].name) does not run") }
    let path = try devices[device].process.rollbackPath()
    guard let backup = devices[device].backup else { throw AppRefusal("the backup \(path) is gone") }
    note(.device(device), .account, "takes the migration back")
    act(device) { process, _ in process.rollBack(isCloudMeant: isCloudMeant, backup: backup.disk, at: path) }
  }

  /// Gives a device the photos of its backup. What nobody but the device has written leaves the account.
  mutating func prepareRollback(_ device: Int, _ path: String) {
    let (store, id) = (devices[device].store, devices[device].coordinator.deviceID)
    let own = devices[device].app.zones.flatMap { (try? store.records(in: $0, metBefore: .max)) ?? [] }
      .filter { $0.isPending || $0.server?.modified.author.deviceID == id }
    let keys = Set(own.map { RecordKey(account: devices[device].coordinator.account, id: $0.recordID) })
    check(device) { $0.model.excuse(where: keys.contains) }
    let photos = devices[device].backup?.photos ?? []
    act(device) { $0.rollbackPrepared(photos: photos, at: $1) }
  }

  mutating func rolledBack(_ device: Int, _ result: Result<[String], AppRefusal>) {
    switch result {
    case .success(let lines):
      devices[device].account = devices[device].coordinator.account
      log(.accountSet, of: device)
      note(.device(device), .account, "migration taken back: \(lines.joined(separator: "; "))")
    case .failure(let refusal): note(.device(device), .account, "migration not taken back: \(refusal)")
    }
  }
}
