import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitService

/// Expectations. Each is checked repeatedly until it holds, because processes do not report when they are done.
extension ProcessPlayer {
  func expect(_ expectation: Expectation, within: TimeSpan?) throws(ProcessFailure) {
    switch expectation {
    case .noWrites(let span):
      try expectQuiet("batchSent", of: world.devices, for: span)
      return
    case .noRequests(let name, let span):
      try expectQuiet("syncStarted", of: [try world.device(name)], for: span)
      return
    default: break
    }
    var failure: String?
    let patience = min(max(Self.patience, within?.milliseconds ?? 0), Self.longestPatience)
    let time = try world.waiter.wait(atMost: patience) { () throws(ProcessFailure) in
      do throws(ProcessFailure) {
        failure = try self.failure(of: expectation)
      } catch {
        // A file may be read while its process writes it. A new zone file exists shortly before it can be read.
        guard error.kind == .unavailable else { throw error }
        failure = error.message
      }
      return failure == nil
    }
    if time == nil, let failure { throw .broken("\(failure), and that for \(patience) ms") }
  }

  /// Lets the time pass and throws if one of the devices reports such an event.
  private func expectQuiet(_ event: String, of devices: [ProcessDevice], for span: TimeSpan) throws(ProcessFailure) {
    let marks = devices.map(\.mark)
    let watched = TimeSpan(milliseconds: min(span.milliseconds, Self.longestWatch))
    if watched != span { note = "watched for \(watched.text) only" }
    try pass(watched)
    for (device, mark) in zip(devices, marks) {
      let count = device.events(event, since: mark).count
      guard count == 0 else { throw .broken("\(device.name) reported \(event) \(count.counted("time"))") }
    }
  }

  /// The difference from the expectation; nil if it holds.
  private func failure(of expectation: Expectation) throws(ProcessFailure) -> String? {
    switch expectation {
    case .everyoneAgrees:
      let known = world.devices.filter { !$0.deviceIDs.isEmpty }
      let sentences = try world.disagreements(among: known)
      return sentences.isEmpty ? nil : sentences.joined(separator: "; ")
    case .same(let choice): return try difference(of: try devices(choice))
    case .has(let place, let record):
      let name = try name(of: record)
      return try view(of: place, about: record).shows(Name(name)) ? nil : "\(place.text) lacks \(name)"
    case .lacks(let place, let record):
      let name = try name(of: record)
      return try view(of: place, about: record).shows(Name(name)) ? "\(place.text) has \(name)" : nil
    case .field(let place, let record, let field): return try failure(of: field, of: record, at: place)
    case .counts(let name, let checks): return try failure(of: checks, on: try world.device(name))
    case .reports(let name, let fact, let quantity):
      let count = reports(of: fact, on: try world.device(name))
      return quantity.allows(count) ? nil : "\(name) reported it \(count.counted("time"))"
    case .running(.cloud, let isWanted):
      return (world.server?.hasEnded == false) == isWanted ? nil : "the cloud is \(isWanted ? "dead" : "running")"
    case .running(.device(let name), let isWanted):
      let device = try world.device(name)
      return (device.isRunning && !device.isForceQuit) == isWanted ? nil : "\(name) is \(isWanted ? "dead" : "running")"
    case .deviceID(let name, let hasChanged):
      let ids = try world.device(name).deviceIDs
      return (ids.first != ids.last) == hasChanged ? nil : "\(name)'s device ID \(hasChanged ? "stayed" : "changed")"
    case .differentDeviceIDs(let one, let other):
      return try world.device(one).deviceIDs.last != world.device(other).deviceIDs.last
        ? nil : "\(one) and \(other) have the same device ID"
    case .subscriptions(let quantity, let name):
      let count = try world.admin.subscriptions(of: try account(of: .device(name))).count
      return quantity.allows(count) ? nil : "the cloud holds \(count)"
    case .rule, .journal, .quarantine, .subscription, .drought, .storm, .state, .statusLine, .fetchReason,
      .fetchShown:
      return try failureInStatus(of: expectation)
    case .noWrites, .noRequests: return nil
    case .channel, .migration, .balance, .photo: return try failureInTables(of: expectation)
    case .convergence, .noEditLost, .currentViews, .copiesToldApart, .nothingLeft, .nobodyAsks:
      throw .virtualOnly("no process can do that")
    case .plainPush(let outcome): return failure(ofPlainPush: outcome)
    case .tokenUnused(let name, let account):
      return world.tokens.hasUsed(try world.device(name).name, tokenOf: account) ? "\(name) asked with one" : nil
    case .holdsNothing(let name, let account): return try leftovers(of: account, on: try world.device(name))
    case .requestsApart(let name, let span):
      guard let closest = try world.device(name).traffic.closest, closest < span.milliseconds else { return nil }
      return "two are \(closest) ms apart"
    }
  }

  // MARK: Records

  private func view(of place: Place, about record: RecordReference) throws(ProcessFailure) -> RecordView {
    switch place {
    case .device(let name): return try world.records(of: try world.device(name))
    case .cloud: return try world.records(ofCloudFor: try account(about: record), of: try app(of: record))
    }
  }

  /// The account of the device that made a record; that of the first device if the record is named.
  func account(about record: RecordReference) throws(ProcessFailure) -> String {
    guard let owner = try owner(of: record) ?? world.devices.first else {
      throw .refused("there is no device whose account could be meant")
    }
    guard let account = owner.account else { throw .refused("no account is signed in on \(owner.name)") }
    return account
  }

  /// What remains of an account that should have left nothing: records in its cloud, or records that the device made
  /// for it.
  private func leftovers(of account: String, on device: ProcessDevice) throws(ProcessFailure) -> String? {
    let names =
      try world.records(ofCloudFor: account, of: device.app).records.keys.map(\.recordName)
      + device.made.filter { $0.account == account }.map { Name($0.name) }
    let held = try world.records(of: device)
    if let name = names.first(where: held.shows) { return "\(device.name) holds \(name)" }
    guard let current = device.account, current != account else { return nil }
    let cloud = try world.records(ofCloudFor: current, of: device.app)
    return names.first(where: cloud.shows).map { "the cloud of \(current) holds \($0)" }
  }

  private func difference(of devices: [ProcessDevice]) throws(ProcessFailure) -> String? {
    guard let first = devices.first else { return nil }
    let view = try world.records(of: first)
    for device in devices.dropFirst() {
      let differences = try world.records(of: device).differences(from: view)
      guard differences.isEmpty else {
        return "\(first.name) and \(device.name) differ in \(differences.count.counted("record"))"
      }
    }
    return nil
  }

  private func failure(
    of field: ScenarioField, of record: RecordReference, at place: Place
  ) throws(ProcessFailure) -> String? {
    let name = Name(try name(of: record))
    let view = try view(of: place, about: record)
    guard let content = view.records.first(where: { $0.key.recordName == name })?.value else {
      return "\(place.text) lacks \(name)"
    }
    let fields: Fields
    do {
      fields = try content.fields.decoded()
    } catch {
      throw .unavailable("\(name) cannot be read: \(error)")
    }
    return field.finding(in: fields, of: try app(of: record)).map { "\(place.text) \($0)" }
  }

  // MARK: Counters

  private func failure(of checks: [CounterCheck], on device: ProcessDevice) throws(ProcessFailure) -> String? {
    for check in checks {
      let count = try count(check.counter, on: device)
      guard check.quantity.allows(count) else { return "\(device.name): \(check.counter.rawValue) \(count)" }
    }
    return nil
  }

  private func count(_ counter: Counter, on device: ProcessDevice) throws(ProcessFailure) -> Int {
    func told(_ name: String, where fits: (JSON) -> Bool = { _ in true }) -> Int {
      device.events(name, since: marks[device.name] ?? 0).filter(fits).count
    }
    switch counter {
    case .pushReceived: return told("push") + told("pushIgnored")
    case .pushDuplicates: return told("push") { $0["duplicate"] == true }
    case .pushUnknown: return told("pushIgnored") { $0["subscription"] != nil }
    case .pushOtherAccount: return told("pushIgnored") { $0["user"] != nil }
    case .pushWithoutID: return told("push") { $0["id"]?.isNull ?? true }
    case .syncs: return told("syncFinished")
    case .fetches: return told("syncFinished") { $0["pages"]?.integer ?? 0 > 0 }
    case .writes: return device.traffic.writes
    case .pages: return told("pageMerged")
    case .conflicts: return told("conflict")
    case .pending:
      let send = try world.status(of: device)["send"]
      return Int(send?["pending"]?.integer ?? 0) - (send?["quarantined"]?.array?.count ?? 0)
    case .quarantined: return try world.status(of: device)["send"]?["quarantined"]?.array?.count ?? 0
    case .records: return try world.records(of: device).records.count
    case .requests: return device.traffic.times.count
    case .fetchesAtOnce: return device.traffic.mostZoneFetches
    case .verdictInserted, .verdictUpdated, .verdictSame, .verdictRepeat, .verdictKept:
      note = "for all devices"
      let name = counter.rawValue.split(separator: " ").last.map(String.init) ?? ""
      return try Int((world.admin.verdicts()[name] ?? 0) - (verdicts[name] ?? 0))
    case .pushLost:
      throw .virtualOnly("the number cannot be observed from outside")
    }
  }

  private func reports(of fact: Fact.Kind, on device: ProcessDevice) -> Int {
    device.events(fact.event, since: marks[device.name] ?? 0).count { $0["fact"]?.string == fact.rawValue }
  }
}
