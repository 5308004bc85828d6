import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// What the push service of a running server and running devices say about pushes, for the reasons of differences.
struct PushSights {
  private let data: DataDirectory
  /// The receivers of pushes; nil if no server answered.
  private let receivers: [JSON]?

  /// Asks the server of a data directory, if one is running.
  init(in data: DataDirectory) {
    self.data = data
    let status = RunningServer.control(in: data).flatMap { try? CloudStatus.fetch(from: $0.http, key: $0.key) }
    receivers = status?["cloud"]?["receivers"]?.array
  }

  /// The way of pushes to a device.
  func way(to device: DeviceReading) -> DeviceSighting.PushWay {
    var way = DeviceSighting.PushWay()
    if let receivers {
      let id = device.values[.deviceID]?.text
      let own = receivers.filter { $0["token"]?.string != nil && id != nil && $0["device"]?.string == id }
      way.isRegistered = !own.isEmpty
      way.waiting = own.flatMap { $0["waiting"]?.array ?? [] }.compactMap { $0["committedAt"]?.string }
        .compactMap { WallTime(iso8601: $0) }
    }
    way.socket = socket(of: device)
    return way
  }

  /// The connection to the push service as a running device sees it; nil if it does not answer.
  private func socket(of device: DeviceReading) -> DeviceDiagnostics.Socket? {
    guard device.isRunning, let folder = try? data.device(device.name),
      let address = ControlClient.address(ofDeviceIn: folder),
      let socket = try? DeviceStatus.fetch(from: address)["device"]?["push"]?["socket"],
      let isConnected = socket["connected"]?.bool
    else { return nil }
    return DeviceDiagnostics.Socket(
      isConnected: isConnected, since: socket["since"]?.string.flatMap { WallTime(iso8601: $0) },
      reason: socket["reason"]?.string)
  }
}
