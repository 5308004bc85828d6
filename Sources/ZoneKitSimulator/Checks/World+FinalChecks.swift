import ZoneKitTimeline
import ZoneKitRecords
import ZoneKitSync

/// The checks at the end of a story.
extension World {
  /// The first difference between a device and the cloud, as a sentence; nil if they agree.
  package mutating func difference(of device: Int) -> String? {
    guard let account = devices[device].account else { return nil }
    let zones = devices[device].app.comparedZones
    return difference(of: device, from: picture(ofCloudFor: account, zones: zones), zones: zones)
  }

  /// The same for a cloud with that content. A device whose cloud decides conflicts takes in no version of a record with
  /// an edit that the cloud refused, so such a record is not compared there.
  private func difference(of device: Int, from cloud: [RecordID: RecordContent], zones: [ZoneID]) -> String? {
    let state = devices[device]
    var (own, cloud) = (picture(of: device, zones: zones, hidesRefused: true), cloud)
    if state.app.configuration.traits.arbiter == .cloud {
      for record in (try? state.store.quarantined(limit: .max)) ?? [] {
        (own[record.recordID], cloud[record.recordID]) = (nil, nil)
      }
    }
    return Self.difference(between: own, and: cloud, name: state.name)
  }

  /// The first difference between any device and the cloud; nil if all agree.
  package mutating func firstDifference() -> (device: Int, String)? {
    var clouds: [Name: [RecordID: RecordContent]] = [:]
    for device in devices.indices {
      guard let account = devices[device].account else { continue }
      let zones = devices[device].app.comparedZones
      let held = clouds[account] ?? picture(ofCloudFor: account, zones: zones)
      clouds[account] = held
      if let difference = difference(of: device, from: held, zones: zones) { return (device, difference) }
    }
    return nil
  }

  private static func difference(
    between device: [RecordID: RecordContent], and cloud: [RecordID: RecordContent], name: String
  ) -> String? {
    guard device != cloud else { return nil }
    for id in Set(device.keys).union(cloud.keys).sorted() where device[id] != cloud[id] {
      return "record \(id.words): \(RecordContent.comparison(of: id, device[id], name, cloud[id], "the cloud"))"
    }
    return nil
  }

  /// Lets time pass until all devices are idle and agree, for at most that many milliseconds. Reports a violation if
  /// that does not happen. Returns whether it did.
  package mutating func expectConvergence(within limit: Int64, rule: Violation.Rule) -> Bool {
    let end = now.advanced(byMilliseconds: limit)
    var difference: (device: Int, String)?
    // Checked at growing intervals: most simulations are idle within seconds, some wait for an hour.
    var step: Int64 = 2_000
    while now < end {
      run(until: min(end, now.advanced(byMilliseconds: step)))
      step = min(step * 2, 300_000)
      guard isAtRest else { continue }
      difference = firstDifference()
      if difference == nil { return true }
    }
    if let (device, text) = difference ?? firstDifference() {
      report(Violation(rule, at: now, on: devices[device].name, text), on: .device(device))
    } else {
      report(Violation(rule == .convergence ? .pending : rule, at: now, restlessness), on: .cloud)
    }
    return false
  }

  /// The devices that are not idle, with the reasons.
  private var restlessness: String {
    let words = devices.compactMap { device -> String? in
      guard device.isRunning else { return "\(device.name) does not run" }
      guard device.isSignedInAsWanted else { return "\(device.name) is not signed in" }
      let census = try? device.store.census()
      let waiting = (census?.pending ?? 0) - (census?.quarantined ?? 0)
      if waiting > 0 { return "\(device.name) still has \(waiting.counted("record")) to send" }
      return device.coordinator.isIdle ? nil : "\(device.name) is \(device.coordinator.liveState.rawValue)"
    }
    return words.joined(separator: "; ")
  }

  /// Checks every record that users wrote.
  package mutating func checkEdits() {
    let journal = journaled()
    let refused = quarantined()
    var clouds: [Name: [RecordID: RecordContent]] = [:]
    for number in apps.indices {
      let held = checkEdits(ofApp: number, journal, refused)
      clouds.merge(held) { first, _ in first }
    }
    judgeAgreements(clouds)
  }

  /// Checks every record of an app. Returns the content of the accounts in which users wrote any.
  private mutating func checkEdits(
    ofApp number: Int, _ journal: [RecordID: [RecordContent]], _ refused: [RecordID: [RecordContent]]
  ) -> [Name: [RecordID: RecordContent]] {
    let app = apps[number]
    // A database keeps no versions: the last write of a column wins, an insert makes a deleted row again, and triggers write too.
    guard !app.configuration.traits.isPlainDatabase else { return [:] }
    let model = checkers.apps[number].model
    var clouds: [Name: [RecordID: RecordContent]] = [:]
    for key in model.histories.keys.sorted() {
      guard let account = key.account, app.zones.contains(key.id.zoneID) else { continue }
      let held = clouds[account] ?? picture(ofCloudFor: account, zones: app.comparedZones)
      clouds[account] = held
      if let final = held[key.id], refused[key.id] == nil, let versions = model.allVersions(of: key),
        let text = app.simulation.law(key.id, versions, final)
      {
        report(Violation(.lostEdit, at: now, "record \(key.id.words): \(text)"), on: .cloud)
      }
      guard
        let (rule, text) = model.complaint(
          about: key, final: held[key.id], journal: journal[key.id] ?? [], refused: refused[key.id] ?? [])
      else { continue }
      report(Violation(rule, at: now, text), on: .cloud)
    }
    for (id, contents) in refused.sorted(by: { $0.key < $1.key }) where app.zones.contains(id.zoneID) {
      for content in contents where content != Self.deletion {
        guard let text = app.simulation.flaw(id, content) else { continue }
        report(Violation(.model, at: now, "record \(id.words), which the cloud refused: \(text)"), on: .cloud)
      }
    }
    for account in clouds.keys.sorted() {
      for (id, content) in (clouds[account] ?? [:]).sorted(by: { $0.key < $1.key }) where app.zones.contains(id.zoneID)
      {
        checkContent(content, of: RecordKey(account: account, id: id), ofApp: number, model)
      }
    }
    return clouds
  }

  /// Checks a record in the cloud of an account.
  private mutating func checkContent(
    _ content: RecordContent, of key: RecordKey, ofApp number: Int, _ model: ReferenceModel
  ) {
    guard let account = key.account else { return }
    if let finding = checkers.apps[number].returned.finding(key, content) {
      report(Violation(finding.rule, at: now, finding.text), on: .cloud)
    }
    if model.isUndeleted(key), let finding = checkers.cloud.members.finding(content, of: key) {
      report(Violation(finding.rule, at: now, finding.text), on: .cloud)
    }
    if let text = apps[number].simulation.flaw(key.id, content) {
      report(Violation(.model, at: now, "record \(key.id.words): \(text)"), on: .cloud)
    }
    guard model.histories[key] == nil, model.histories[RecordKey(account: nil, id: key.id)] == nil,
      !isMadeByCloud(key.id, of: account)
    else { return }
    report(
      Violation(.account, at: now, "record \(key.id.words) is in the cloud of \(account), where nobody wrote it"),
      on: .cloud)
  }

  /// Reports what the app finds wrong on devices that agree with their cloud. `clouds` are those that were read.
  private mutating func judgeAgreements(_ clouds: [Name: [RecordID: RecordContent]]) {
    for device in devices.indices where devices[device].isRunning {
      let state = devices[device]
      guard let held = state.account.flatMap({ clouds[$0] }) else { continue }
      let records = held.filter { state.app.zones.contains($0.key.zoneID) }
      for text in state.app.simulation.judgeAgreement(records, state.process.view(at: moment(of: device).wall)) {
        report(Violation(.model, at: now, on: state.name, text), on: .device(device))
      }
    }
  }

  /// The versions that decisions discarded, by record. A record with a decision has at least one, possibly an empty
  /// one.
  private func journaled() -> [RecordID: [RecordContent]] {
    var journal: [RecordID: [RecordContent]] = [:]
    let ofDevices = devices.flatMap { (try? $0.store.conflicts(limit: .max)) ?? [] }
    for entry in ofDevices + tableAccounts.flatMap({ tableDecisions(of: $0) }) {
      let versions = [entry.local, entry.server].compactMap { $0 }
      journal[entry.recordID, default: []] += versions.isEmpty ? [Self.deletion] : versions
    }
    return journal
  }

  /// The version as which a deletion counts: an empty one.
  private static var deletion: RecordContent { RecordContent(fields: EncodedFields(Fields())) }

  private func quarantined() -> [RecordID: [RecordContent]] {
    var refused: [RecordID: [RecordContent]] = [:]
    for device in devices {
      for record in (try? device.store.quarantined(limit: .max)) ?? [] {
        refused[record.recordID, default: []].append(record.local ?? Self.deletion)
      }
    }
    return refused
  }

  /// Reports differences between what users see and what their devices hold.
  package mutating func checkViews() {
    for device in devices.indices where devices[device].isRunning {
      guard let text = viewDifference(of: device) else { continue }
      report(Violation(.view, at: now, on: devices[device].name, text), on: .device(device))
    }
  }

  /// The difference between what a user sees and what the device holds, as a sentence; nil for none.
  func viewDifference(of device: Int) -> String? {
    // The coordinator reports a store that cannot be read.
    checkers.viewDifference(of: device, devices[device])
      ?? (try? devices[device].process.staleness(at: moment(of: device).wall))
  }

  /// Records a violation, and marks it in the trace.
  package mutating func report(_ violation: Violation, on lane: TraceEvent.Lane) {
    checkers.report(violation)
    note(lane, .broken, violation.description)
    markedViolations = checkers.violations.count
  }

  /// The longest time for the last push and its consequences, in milliseconds. After that there may be no requests.
  static var aftermath: Int64 { 150_000 }
  /// The time without requests, in milliseconds.
  static var restTime: Int64 { 600_000 }

  /// Waits for the consequences of the last push, then lets ten minutes pass in which no device may send requests or
  /// write.
  package mutating func expectRest() {
    wait(Self.aftermath)
    expectRest(for: Self.restTime)
  }

  /// Lets that many milliseconds pass in which no device may send requests or write.
  package mutating func expectRest(for milliseconds: Int64) {
    let requests = devices.map(\.counters.requests)
    wait(milliseconds)
    for device in devices.indices where devices[device].counters.requests > requests[device] {
      let count = devices[device].counters.requests - requests[device]
      let text = "\(count) requests after the world was at peace"
      report(Violation(.notQuiescent, at: now, on: devices[device].name, text), on: .device(device))
    }
  }
}
