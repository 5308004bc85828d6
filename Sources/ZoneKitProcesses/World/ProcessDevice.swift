import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitService
import ZoneKitSimulator

/// A device that is a process while it runs: what it has said so far, and the links between it and the server.
final class ProcessDevice {
  /// The device's name.
  let name: String
  /// What lies between it and the server.
  let link: DeviceLink
  /// The process; nil while the device does not run.
  var process: ChildProcess?
  /// All that it has said, by all its processes, oldest first.
  private(set) var events: [JSON] = []
  /// The account that it starts with; nil where nobody is signed in.
  var account: String?
  /// Whether its user threw the app out and has not opened it since.
  var isForceQuit = false
  /// Whether it knows that it has no network.
  var isOffline = false
  /// How wrong its clock is, remembered while it does not run.
  var clock = DeviceClock()
  /// The moment at which its clock stands; nil where it runs.
  var standsAt: WallTime?
  /// The records that its own commands made, oldest first.
  private(set) var made: [MadeRecord] = []

  /// A device that does not run yet.
  init(_ name: String, account: String?, link: DeviceLink) {
    self.name = name
    self.account = account
    self.link = link
  }

  /// Whether a process runs it.
  var isRunning: Bool { process.map { !$0.hasEnded } ?? false }

  /// Ends its process, if there is one.
  func end(with signal: Int32) {
    process?.end(with: signal)
    process = nil
  }

  /// How much it has said: a place to look from.
  var mark: Int { events.count }

  /// Takes in what it says.
  func hear(_ event: JSON) { events.append(event) }

  /// What it has asked the cloud.
  var traffic = DeviceTraffic()

  /// What it called itself at the cloud, oldest first.
  var deviceIDs: [String] {
    events.compactMap { event in
      switch event["event"]?.string {
      case "launched", "answer": event["deviceID"]?.string
      case "cloneDetected": event["newDeviceID"]?.string
      default: nil
      }
    }
  }

  /// The push token that it registered last; nil before the first one.
  var pushToken: String? { events("pushToken").lazy.compactMap { $0["token"]?.string }.last }

  /// Remembers what a command made.
  func note(_ record: MadeRecord) {
    if !made.contains(where: { $0.name == record.name }) { made.append(record) }
  }

  /// The events of that name from a mark on.
  func events(_ name: String, since mark: Int = 0) -> [JSON] {
    events[mark...].filter { $0["event"]?.string == name }
  }
}

/// A record that a device's user made.
struct MadeRecord {
  /// Its name.
  let name: String
  /// The app's words for its kind: `profile`, or `action` and its category.
  let kinds: [String]
  /// The account that was signed in; nil where nobody was.
  let account: String?
}
