import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// All invariants that are checked while a world runs, and the violations that were found.
package struct Checkers: Sendable {
  /// So many requests of one device within a minute are too many.
  private static let requestLimit = 600

  /// The violations, in the order in which they were found.
  package private(set) var violations: [Violation] = []
  /// What should be true of the records.
  package internal(set) var model = ReferenceModel(stampField: nil)
  private var devices: [DeviceCheckers] = []
  private var identity = IdentityChecker()
  private var decisions = DecisionChecker { _ in nil }
  var returned = ReturnedRecordChecker()

  init() {}

  /// Remembers a violation.
  package mutating func report(_ violation: Violation) { violations.append(violation) }

  /// A device with that app comes to the world. Its number is the number of devices before it.
  mutating func addDevice(running app: DeviceApp) {
    if devices.isEmpty {
      model = ReferenceModel(stampField: app.configuration.stampField)
      decisions = DecisionChecker(judge: app.simulation.judge)
    }
    devices.append(DeviceCheckers(of: app, requestLimit: Self.requestLimit))
  }

  /// Takes in what happened next on the device of that number.
  mutating func take(_ entry: LogEntry, of device: Int) {
    let findings = devices[device].take(entry) + decisions.take(entry, model) + [identity.take(entry)].compactMap { $0 }
    for finding in findings {
      report(Violation(finding.rule, at: entry.now, on: entry.device.name, finding.text))
    }
    returned.take(entry)
    follow(entry, of: device)
  }

  /// Keeps the model of what users wrote up to date.
  private mutating func follow(_ entry: LogEntry, of device: Int) {
    switch entry.event {
    case .edited(let changes, _):
      for change in changes where change.before != change.after {
        let key = RecordKey(account: entry.device.account, id: change.id)
        model.edited(key, from: change.before, to: change.after, by: device, isConfirmed: change.wasConfirmed)
      }
    case .diskReplaced, .fact(.zoneRemoved), .fact(.zoneLost), .fact(.reset), .fact(.accountChanged):
      model.excuseDeletions()
    default: break
    }
  }

  /// A request makes a record that is not there any more: for the second time, or after the process that sent it died.
  mutating func isMadeAnew(_ id: RecordID, isRepeat: Bool) {
    identity.isMadeAnew(id)
    returned.isMadeAnew(id)
    model.excuse(id, onlyDeleted: !isRepeat)
  }

  /// The decisions that the device of that name took and has not forgotten since, by their IDs, with the account.
  func decisions(takenBy name: String) -> [String: Name] { decisions.taken[name] ?? [:] }

  /// What the user of a device sees otherwise than the device holds it, in a sentence; nil where there is nothing.
  func viewDifference(of device: Int, _ state: SimulatedDevice) -> String? {
    devices[device].viewDifference(from: state.snapshot)
  }

  /// Whether the cloud refused that record of the device last because of what it refers to.
  func isRefusedForTarget(_ id: RecordID, of device: Int) -> Bool { devices[device].isRefusedForTarget(id) }
}
