import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// All invariants that are checked during a simulation, and the violations that were found.
package struct Checkers: Sendable {
  /// The most requests of one device within a minute.
  private static let requestLimit = 600

  /// The violations, in the order in which they were found.
  package private(set) var violations: [Violation] = []
  /// The checkers of all devices with one app, by the number of the app.
  package internal(set) var apps: [AppCheckers] = []
  private var devices: [DeviceCheckers] = []
  /// The number of each device's app.
  private var appOfDevice: [Int] = []
  /// The checkers of the cloud.
  private(set) var cloud = CloudCheckers()

  init() {}

  /// Adds a violation.
  package mutating func report(_ violation: Violation) { violations.append(violation) }

  /// Adds a device with that app, which has that number. The device's number is the number of devices before it.
  mutating func addDevice(running app: DeviceApp, numbered number: Int) {
    if number == apps.count { apps.append(AppCheckers(of: app)) }
    appOfDevice.append(number)
    devices.append(DeviceCheckers(of: app, requestLimit: Self.requestLimit))
  }

  /// The kinds of events on that device that anything reads.
  func reads(of device: Int) -> LogEventKinds { AppCheckers.reads.union(devices[device].reads) }

  /// The next entry of the log of a device was read, of that kind.
  mutating func take(_ entry: LogEntry, _ kind: LogEventKinds, of device: Int) {
    report(devices[device].take(entry, kind), entry)
    guard AppCheckers.reads.contains(kind) else { return }
    report(apps[appOfDevice[device]].take(entry, of: device), entry)
  }

  /// The next event at the cloud happened.
  mutating func take(_ event: CloudEvent, at now: MonotonicTime) {
    for finding in cloud.take(event) { report(Violation(finding.rule, at: now, finding.text)) }
  }

  private mutating func report(_ findings: [Finding], _ entry: LogEntry) {
    for finding in findings {
      report(Violation(finding.rule, at: entry.now, on: entry.device.name, finding.text))
    }
  }

  /// The difference between what the user of a device sees and what the device holds, as a sentence; nil for none.
  func viewDifference(of device: Int, _ state: SimulatedDevice) -> String? {
    devices[device].viewDifference(from: state.snapshot)
  }

  /// The photos that the user of that device gave to rows.
  func photos(of device: Int) -> PhotoChecker { devices[device].photos }

  /// Whether the cloud last refused that record of the device because of a record to which it refers.
  func isRefusedForTarget(_ id: RecordID, of device: Int) -> Bool { devices[device].isRefusedForTarget(id) }
}
