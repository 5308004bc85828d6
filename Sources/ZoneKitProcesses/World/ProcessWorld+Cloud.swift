import ZoneKitRecords
import ZoneKitService
import ZoneKitSync

/// Devices as the cloud and the push service know them.
extension ProcessWorld {
  /// What a device calls itself when it asks the cloud.
  func deviceID(of device: ProcessDevice) throws(ProcessFailure) -> String {
    if let id = device.deviceIDs.last { return id }
    // A device that has never run is given its identity now, as at its first start.
    do throws(StoreError) {
      let stopped = try StoppedDevice(
        device.name, in: data, user: device.account.map { Name($0) },
        app: app, unmarkedApp: app.name)
      return stopped.coordinator.deviceID
    } catch {
      throw .unavailable("\(error)")
    }
  }

  // MARK: Pushes by hand

  /// Hands a payload with that `ck` part to a running device, as if the push service had sent it.
  func push(_ ck: JSON, to device: ProcessDevice) throws(ProcessFailure) {
    do {
      let folder = try data.device(device.name)
      guard device.isRunning, let address = ControlClient.address(ofDeviceIn: folder) else {
        throw ProcessFailure.refused("\(device.name) does not run")
      }
      _ = try ControlClient.ask(["aps": ["content-available": 1], "ck": ck], at: address)
    } catch {
      throw error as? ProcessFailure ?? .unavailable("\(error)")
    }
  }

  /// A new notification ID.
  func newID() -> String {
    var generator = SystemRandomNumberGenerator()
    return RandomIdentifier.uuid(using: &generator)
  }
}
