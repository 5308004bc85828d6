import ZoneKitPush
import ZoneKitSync

extension World {
  /// The way of pushes to a device, as the device and the push service see it.
  package func pushWay(to device: Int) -> DeviceSighting.PushWay {
    let own = cloud.process.gateway.receivers.filter {
      $0.token != nil && $0.token == devices[device].coordinator.pushToken
    }
    var way = DeviceSighting.PushWay(isRegistered: !own.isEmpty)
    way.waiting = own.flatMap(\.waiting).compactMap(\.committedAt)
    way.held = pushFaults[device].held(at: now)
    way.isOffline = devices[device].isRunning && !devices[device].isOnline
    if devices[device].pushConnection != nil {
      way.socket = DeviceDiagnostics.Socket(isConnected: true)
    } else {
      way.socket = DeviceDiagnostics.Socket(
        isConnected: false, reason: way.isOffline ? DeviceDiagnostics.Socket.noLink : nil)
    }
    return way
  }
}
