import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitService

/// A device of a play on processes: its process while it runs, the events that it has reported, and its links to the
/// server.
package final class ProcessDevice {
  /// The device's name.
  let name: String
  /// The app that it runs.
  let app: DeviceApp
  /// The links between the device and the server.
  let link: DeviceLink
  /// The process; nil while the device is not running.
  var process: ChildProcess?
  /// The events that all of its processes have reported, oldest first.
  private(set) var events: [JSON] = []
  /// The account with which the device starts; nil for none.
  var account: String?
  /// Whether the user has force-quit the app and not opened it since.
  var isForceQuit = false
  /// Whether the device has been told that it has no network.
  var isOffline = false
  /// The offset and drift of its clock, kept while it is not running.
  var clock = DeviceClock()
  /// The time at which its clock stands; nil if the clock runs.
  var standsAt: WallTime?
  /// The name of its time zone, kept while it is not running.
  var timeZone = TimeZoneRules.utc.name
  /// The records that its own commands made, oldest first.
  private(set) var made: [MadeRecord] = []

  /// A device that is not running yet.
  init(_ name: String, account: String?, app: DeviceApp, link: DeviceLink) {
    self.name = name
    self.app = app
    self.account = account
    self.link = link
  }

  /// Whether the device has a running process.
  var isRunning: Bool { process.map { !$0.hasEnded } ?? false }

  /// Ends the process with a signal, if there is one.
  func end(with signal: Int32) {
    process?.end(with: signal)
    process = nil
  }

  /// The number of events so far. Pass it as `since` to see only later events.
  var mark: Int { events.count }

  /// Adds an event that the device reported.
  func hear(_ event: JSON) { events.append(event) }

  /// The requests that the device has sent to the cloud.
  var traffic = DeviceTraffic()

  /// The device IDs that the device has used at the cloud, oldest first.
  var deviceIDs: [String] {
    events.compactMap { event in
      switch event["event"]?.string {
      case "launched", "answer": event["deviceID"]?.string
      case "cloneDetected": event["newDeviceID"]?.string
      default: nil
      }
    }
  }

  /// The last push token that the device registered; nil before the first one.
  var pushToken: String? { events("pushToken").lazy.compactMap { $0["token"]?.string }.last }

  /// Remembers a record that a command made.
  func note(_ record: MadeRecord) {
    if !made.contains(where: { $0.name == record.name }) { made.append(record) }
  }

  /// The events of that name since a mark.
  func events(_ name: String, since mark: Int = 0) -> [JSON] {
    events[mark...].filter { $0["event"]?.string == name }
  }
}

/// A record that a device's user made.
struct MadeRecord {
  /// Its name.
  let name: String
  /// The app's words for its kind, such as `profile`, or `action` and its category.
  let kinds: [String]
  /// The account that was signed in; nil if none was.
  let account: String?
}
