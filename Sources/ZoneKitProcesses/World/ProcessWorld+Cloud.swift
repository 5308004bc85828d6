import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage
import ZoneKitSync

/// The IDs of devices at the cloud, and pushes without a cause.
extension ProcessWorld {
  /// The device ID that the device sends to the cloud.
  func deviceID(of device: ProcessDevice) throws(ProcessFailure) -> String {
    if let id = device.deviceIDs.last { return id }
    // A device that has never run gets its ID now, as at its first start.
    do throws(StoreError) {
      let stopped = try StoppedDevice(
        device.name, in: data, user: device.account.map { Name($0) },
        app: device.app, unmarkedApp: device.app.name)
      return stopped.coordinator.deviceID
    } catch {
      throw .unavailable("\(error)")
    }
  }

  // MARK: Pushes without a cause

  /// Delivers a payload with that `ck` part to a running device, as if the push service had sent it.
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
    var generator = SystemGenerator()
    return RandomIdentifier.uuid(using: &generator)
  }
}
