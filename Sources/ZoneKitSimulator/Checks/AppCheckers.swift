import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// The checkers that compare all devices with one app: what users wrote, what was decided, and which device wrote it.
package struct AppCheckers: Sendable {
  /// The kinds of events that are read.
  static let reads = IdentityChecker.reads.union(DecisionChecker.reads).union(ReturnedRecordChecker.reads)
    .union(
      LogEventKinds(
        events: [.edited, .diskReplaced], facts: [.zoneRemoved, .zoneLost, .reset, .accountChanged, .tokenExpired]))

  /// The model of the records, from which their expected content is derived.
  package internal(set) var model: ReferenceModel
  private var identity = IdentityChecker()
  private var decisions: DecisionChecker
  /// Whether rows also go with others to which they refer, so that nobody deleted them.
  private let hasCascades: Bool
  var returned = ReturnedRecordChecker()
  /// The field of the stamp that the app's service cuts if it is far ahead; nil if the service cuts none.
  private let cutStamp: Name?

  /// The checkers of the devices with that app.
  init(of app: DeviceApp) {
    model = ReferenceModel(
      stampField: app.configuration.merging.stampField, knowsAdoptions: app.configuration.merging.adoptionRule != nil,
      fieldsOfCloud: Self.fieldsOfCloud(app), isGiven: app.simulation.isGiven)
    decisions = DecisionChecker(judge: app.simulation.judge)
    hasCascades = app.configuration.traits.isPlainDatabase
    cutStamp = app.configuration.traits.arbiter == .cloud ? app.configuration.merging.stampField : nil
  }

  /// The fields that the cloud of an app may store differently from what a device sent.
  private static func fieldsOfCloud(_ app: DeviceApp) -> @Sendable (RecordID) -> [Name] {
    guard app.configuration.traits.arbiter == .cloud else { return { _ in [] } }
    let (stamp, others) = ([app.configuration.merging.stampField].compactMap { $0 }, app.simulation.fieldsOfCloud)
    return { stamp + others($0) }
  }

  /// The next entry of the log of a device was read, of a kind that counts. Returns the violations.
  mutating func take(_ entry: LogEntry, of device: Int) -> [Finding] {
    let findings = (hasCascades ? [] : decisions.take(entry, model)) + [identity.take(entry)].compactMap { $0 }
    returned.take(entry)
    follow(entry, of: device)
    return findings
  }

  /// Updates the model of what users wrote.
  private mutating func follow(_ entry: LogEntry, of device: Int) {
    switch entry.event {
    case .edited(let changes, let trueTime):
      for change in changes where change.before != change.after {
        let key = RecordKey(account: entry.device.account, id: change.id)
        model.edited(key, from: change.before, to: change.after, by: device, isConfirmed: change.wasConfirmed)
        if isStampedAhead(change.after, of: trueTime) { model.stampedAhead(key) }
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

  /// Whether a service that cuts stamps may cut that of a version made at that time.
  private func isStampedAhead(_ version: RecordContent?, of trueTime: WallTime) -> Bool {
    guard let cutStamp, let fields = try? version?.fields.decoded(), case .timestamp(let stamp)? = fields[cutStamp]
    else {
      return false
    }
    return stamp > trueTime.advanced(byMilliseconds: Self.leastStampLead)
  }

  /// How far a stamp may be ahead that no service cuts, in milliseconds. Simulated faults cut those beyond it.
  private static let leastStampLead: Int64 = 30_000

  /// A request creates a record that was deleted: it arrived twice, or after the process that sent it ended.
  mutating func isMadeAnew(_ id: RecordID, isRepeat: Bool) {
    identity.isMadeAnew(id)
    returned.isMadeAnew(id)
    model.excuse(id, onlyDeleted: !isRepeat)
  }

  /// The file of a zone was replaced by an earlier state, which differs in those records. A device without a token does
  /// not learn that, and cannot recognise an earlier write of its own among them.
  mutating func zoneGoesOn(_ zone: Name, of account: Name, with records: [RecordID]) {
    returned.zoneGoesOn(zone, of: account)
    for id in records { identity.isMadeAnew(id) }
  }

  /// The journal of an account was purged.
  mutating func journalPurged(of account: Name) { decisions.purged(account) }

  /// The decisions that the device of that name made and has not forgotten since, by ID, with the account.
  func decisions(takenBy name: String) -> [String: Name] { decisions.taken[name] ?? [:] }
}
