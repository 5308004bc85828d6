import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// What the push service of a running server and running devices say about pushes, for the reasons of differences.
struct PushSights {
  /// Asks a device for its diagnostics; nil if it does not answer.
  private let report: (DeviceReading) -> JSON?
  /// The receivers of pushes; nil if no server answered.
  private let receivers: [JSON]?
  /// The channels of the server.
  private let channels: [JSON]

  /// Asks the server of a data directory, if one is running, and the devices that run.
  init(in data: DataDirectory) {
    let status = RunningServer.control(in: data).flatMap { try? CloudStatus.fetch(from: $0.http, key: $0.key) }
    receivers = status?["cloud"]?["receivers"]?.array
    channels = status?["cloud"]?["channels"]?.array ?? []
    report = { device in
      guard device.isRunning, let folder = try? data.device(device.name),
        let address = ControlClient.address(ofDeviceIn: folder)
      else { return nil }
      return try? DeviceStatus.fetch(from: address)["device"]
    }
  }

  /// Reads what server and devices have said for a dump.
  init(in dump: JSON) {
    receivers = dump["cloud"]?["receivers"]?.array
    channels = dump["cloud"]?["channels"]?.array ?? []
    let devices = Dictionary(
      (dump["devices"]?.array ?? []).compactMap { device in device["name"]?.string.map { ($0, device) } },
      uniquingKeysWith: { first, _ in first })
    report = { devices[$0.name] }
  }

  /// The way of pushes to a device. `subscriptions` are those of its account; nil if they cannot be read.
  func way(to device: DeviceReading, _ subscriptions: [Subscription]?) -> DeviceSighting.PushWay {
    var way = DeviceSighting.PushWay()
    let isOwn = { (entry: JSON) in entry["device"]?.string.map { $0 == device.values[.deviceID]?.text } ?? false }
    if let receivers {
      let own = receivers.filter { $0["token"]?.string != nil && isOwn($0) }
      way.isRegistered = !own.isEmpty
      way.waiting = own.flatMap { Self.times($0["waiting"]) }
      let ways = own + channels.filter(isOwn)
      way.held = ways.flatMap { Self.times($0["held"]) }
      way.dropped = ways.flatMap { $0["droppedAt"]?.array ?? [] }.compactMap { time in
        time.string.flatMap { WallTime(iso8601: $0) }
      }
    }
    if let subscriptions, let id = device.values[.subscriptionID]?.text {
      way.subscription = DeviceSighting.PushWay.Subscription(id, among: subscriptions)
    }
    let report = report(device)
    way.socket = report?["push"]?["socket"].flatMap(Self.socket)
    way.isOffline = report?["state"]?.string == LiveState.offline.rawValue
    return way
  }

  /// When the changes of pushes or events in the status report were committed.
  private static func times(_ list: JSON?) -> [WallTime] {
    (list?.array ?? []).compactMap { $0["committedAt"]?.string }.compactMap { WallTime(iso8601: $0) }
  }

  /// The connection to the push service as a device sees it; nil for a device that needs none.
  private static func socket(_ socket: JSON) -> DeviceDiagnostics.Socket? {
    guard let isConnected = socket["connected"]?.bool else { return nil }
    return DeviceDiagnostics.Socket(
      isConnected: isConnected, since: socket["since"]?.string.flatMap { WallTime(iso8601: $0) },
      reason: socket["reason"]?.string)
  }
}
