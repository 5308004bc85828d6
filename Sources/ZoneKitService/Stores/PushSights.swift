import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// What the push service of a running server and running devices say about pushes, for the reasons of differences.
struct PushSights {
  private let data: DataDirectory
  /// The receivers of pushes; nil if no server answered.
  private let receivers: [JSON]?
  /// The channels of the server.
  private let channels: [JSON]
  /// The subscriptions of the devices' account; nil if they cannot be read.
  private let subscriptions: [Subscription]?

  /// Asks the server of a data directory, if one is running. `subscriptions` are those of the devices' account.
  init(in data: DataDirectory, subscriptions: [Subscription]?) {
    self.data = data
    self.subscriptions = subscriptions
    let status = RunningServer.control(in: data).flatMap { try? CloudStatus.fetch(from: $0.http, key: $0.key) }
    receivers = status?["cloud"]?["receivers"]?.array
    channels = status?["cloud"]?["channels"]?.array ?? []
  }

  /// The way of pushes to a device.
  func way(to device: DeviceReading) -> DeviceSighting.PushWay {
    var way = DeviceSighting.PushWay()
    let isOwn = { (entry: JSON) in entry["device"]?.string.map { $0 == device.values[.deviceID]?.text } ?? false }
    if let receivers {
      let own = receivers.filter { $0["token"]?.string != nil && isOwn($0) }
      way.isRegistered = !own.isEmpty
      way.waiting = own.flatMap { Self.times($0["waiting"]) }
      way.held = (own + channels.filter(isOwn)).flatMap { Self.times($0["held"]) }
    }
    if let subscriptions, let id = device.values[.subscriptionID]?.text {
      way.subscription = DeviceSighting.PushWay.Subscription(id, among: subscriptions)
    }
    let report = report(of: device)
    way.socket = report?["push"]?["socket"].flatMap(Self.socket)
    way.isOffline = report?["state"]?.string == LiveState.offline.rawValue
    return way
  }

  /// When the changes of pushes or events in the status report were committed.
  private static func times(_ list: JSON?) -> [WallTime] {
    (list?.array ?? []).compactMap { $0["committedAt"]?.string }.compactMap { WallTime(iso8601: $0) }
  }

  /// The diagnostics of a running device; nil if it does not answer.
  private func report(of device: DeviceReading) -> JSON? {
    guard device.isRunning, let folder = try? data.device(device.name),
      let address = ControlClient.address(ofDeviceIn: folder)
    else { return nil }
    return try? DeviceStatus.fetch(from: address)["device"]
  }

  /// The connection to the push service as a device sees it; nil for a device that needs none.
  private static func socket(_ socket: JSON) -> DeviceDiagnostics.Socket? {
    guard let isConnected = socket["connected"]?.bool else { return nil }
    return DeviceDiagnostics.Socket(
      isConnected: isConnected, since: socket["since"]?.string.flatMap { WallTime(iso8601: $0) },
      reason: socket["reason"]?.string)
  }
}
