import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitService
import ZoneKitStorage
import ZoneKitSync

/// Damage to devices' files, and the repair of the server's.
extension ProcessWorld {
  /// Rebuilds the damaged files of the cloud, as `zonekit repair` does. The server is not running.
  func repairCloud() throws(ProcessFailure) {
    var generator = SystemGenerator()
    _ = try ProcessFailure.from { () throws(StoresError) in
      try DataRepair(of: data, at: SystemClock.wall, using: &generator)
    }
  }

  /// Makes the change tokens in a device's file unreadable for the server. The device's process is ended before that,
  /// and started afterwards if it was running.
  func damageTokens(_ kind: TokenKind, of device: ProcessDevice) throws(ProcessFailure) {
    let isRunning = device.isRunning
    if isRunning { try kill(device) }
    do throws(StoreError) {
      let store = try DeviceFile(folder: try data.device(device.name))
      try store.commit(try DeviceTransition(damaging: kind, in: store, scope: device.app.configuration.traits.scope))
    } catch {
      throw .unavailable("\(error)")
    }
    if isRunning { try start(device) }
  }
}
