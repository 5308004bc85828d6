import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// All invariants that are checked during a simulation, and the violations that were found.
package struct Checkers: Sendable {
  /// The most requests of one device within a minute.
  private static let requestLimit = 600

  /// The kinds of events that are read of all devices together.
  private static let common = IdentityChecker.reads.union(DecisionChecker.reads).union(ReturnedRecordChecker.reads)
    .union([.edited, .diskReplaced, .zoneRemoved, .zoneLost, .reset, .accountChanged, .tokenExpired])

  /// The violations, in the order in which they were found.
  package private(set) var violations: [Violation] = []
  /// The model of the records, from which their expected content is derived.
  package internal(set) var model = ReferenceModel(stampField: nil)
  private var devices: [DeviceCheckers] = []
  private var identity = IdentityChecker()
  private var decisions = DecisionChecker { _ in nil }
  var returned = ReturnedRecordChecker()
  /// The checker of what a service of tables sends.
  var tables = TableChecker()

  init() {}

  /// Adds a violation.
  package mutating func report(_ violation: Violation) { violations.append(violation) }

  /// Adds a device with that app. Its number is the number of devices before it.
  mutating func addDevice(running app: DeviceApp) {
    if devices.isEmpty {
      model = ReferenceModel(
        stampField: app.configuration.stampField, knowsAdoptions: app.configuration.adoptionRule != nil,
        fieldsOfCloud: Self.fieldsOfCloud(app))
      decisions = DecisionChecker(judge: app.simulation.judge)
    }
    devices.append(DeviceCheckers(of: app, requestLimit: Self.requestLimit))
  }

  /// The fields that the cloud of an app may store differently from what a device sent.
  private static func fieldsOfCloud(_ app: DeviceApp) -> @Sendable (RecordID) -> [Name] {
    guard app.configuration.arbiter == .cloud else { return { _ in [] } }
    let (stamp, others) = ([app.configuration.stampField].compactMap { $0 }, app.simulation.fieldsOfCloud)
    return { stamp + others($0) }
  }

  /// The kinds of events on that device that anything reads.
  func reads(of device: Int) -> LogEventKinds { Self.common.union(devices[device].reads) }

  /// Takes in the next entry of the log of a device, of that kind.
  mutating func take(_ entry: LogEntry, _ kind: LogEventKinds, of device: Int) {
    report(devices[device].take(entry, kind), entry)
    guard Self.common.contains(kind) else { return }
    report(decisions.take(entry, model) + [identity.take(entry)].compactMap { $0 }, entry)
    returned.take(entry)
    follow(entry, of: device)
  }

  private mutating func report(_ findings: [Finding], _ entry: LogEntry) {
    for finding in findings {
      report(Violation(finding.rule, at: entry.now, on: entry.device.name, finding.text))
    }
  }

  /// Updates the model of what users wrote.
  private mutating func follow(_ entry: LogEntry, of device: Int) {
    switch entry.event {
    case .edited(let changes, _):
      for change in changes where change.before != change.after {
        let key = RecordKey(account: entry.device.account, id: change.id)
        model.edited(key, from: change.before, to: change.after, by: device, isConfirmed: change.wasConfirmed)
      }
    case .diskReplaced, .fact(.zoneRemoved), .fact(.reset), .fact(.accountChanged):
      model.excuseDeletions()
      model.excuseOffers()
    case .fact(.zoneLost): model.excuseDeletions()
    case .fact(.tokenExpired(let zone?)):
      // The cloud, or a fault, did not say that the zone lost commits.
      let isAfterLoss = entry.device.zones.contains { $0.zoneID == zone && $0.isAfterLoss }
      if !isAfterLoss { model.excuseOffers() }
    default: break
    }
  }

  /// Takes in that a request creates a record that was deleted: it arrived twice, or after the process that sent it
  /// ended.
  mutating func isMadeAnew(_ id: RecordID, isRepeat: Bool) {
    identity.isMadeAnew(id)
    returned.isMadeAnew(id)
    model.excuse(id, onlyDeleted: !isRepeat)
  }

  /// Takes in that the file of a zone was replaced by an earlier state, which differs in those records. A device without a
  /// token does not learn that, and cannot recognise an earlier write of its own among them.
  mutating func zoneGoesOn(_ zone: Name, of account: Name, with records: [RecordID]) {
    returned.zoneGoesOn(zone, of: account)
    for id in records { identity.isMadeAnew(id) }
  }

  /// The decisions that the device of that name made and has not forgotten since, by ID, with the account.
  func decisions(takenBy name: String) -> [String: Name] { decisions.taken[name] ?? [:] }

  /// The difference between what the user of a device sees and what the device holds, as a sentence; nil for none.
  func viewDifference(of device: Int, _ state: SimulatedDevice) -> String? {
    devices[device].viewDifference(from: state.snapshot)
  }

  /// Whether the cloud last refused that record of the device because of a record to which it refers.
  func isRefusedForTarget(_ id: RecordID, of device: Int) -> Bool { devices[device].isRefusedForTarget(id) }
}
