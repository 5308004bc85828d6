import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// Looks at everything that happens in a world, and remembers what must not happen.
package struct Inspector: Sendable {
  /// What must not have happened, in the order in which it was noticed.
  package private(set) var violations: [Violation] = []
  /// What should be true of the records.
  package internal(set) var model = ReferenceModel(stampField: nil)
  /// The decisions that devices told of, by their IDs.
  package private(set) var decisions: [String: ConflictEntry] = [:]
  /// Those of them that were told by who took them; nil for one that was taken more than once.
  private var ownDecisions: [String: ConflictEntry?] = [:]
  /// Facts that were told, by name, over all devices.
  package private(set) var factCounts: [String: Int] = [:]
  /// How many requests one device may send within a minute before it counts as a storm.
  package var stormLimit = 600
  private var watches: [Int: DeviceWatch] = [:]
  /// The decisions that each device took and has not forgotten since, by their IDs, with the account.
  private(set) var taken: [Int: [String: Name]] = [:]
  /// Whether any device ever got another disk, so that there may be two of one identity.
  private var hasCopies = false
  /// What a request made anew that arrived twice, or after its process died.
  private var revived: Set<RecordID> = []
  /// What records were that went with their zone, as far as nobody edited them since.
  private var gone: [RecordKey: RecordContent] = [:]

  init() {}

  /// Remembers what must not have happened.
  package mutating func report(_ violation: Violation) { violations.append(violation) }

  // MARK: Devices

  /// A process starts on the device.
  mutating func starts(_ device: Int) { watches[device, default: DeviceWatch()].starts() }

  mutating func started(_ device: Int, _ state: SimulatedDevice) {
    if model.histories.isEmpty { model = ReferenceModel(stampField: state.app.configuration.stampField) }
    watches[device, default: DeviceWatch()].started(state)
  }

  /// The app shows what the store holds, though nobody told it of the change.
  mutating func lookedAnew(_ device: Int, _ state: SimulatedDevice) { watches[device]?.showAll(of: state) }

  /// The device may go back to older tokens: it was reset, or got another disk.
  package mutating func forgot(_ device: Int) { watches[device, default: DeviceWatch()].forgetTokens() }

  /// The device has a disk that was another one's, or its own from before.
  mutating func gotAnotherDisk(_ device: Int) {
    forgot(device)
    forgotPushes(device)
    watches[device, default: DeviceWatch()].gotAnotherDisk()
    hasCopies = true
    taken[device] = nil
    gone = [:]
    model.excuseDeletions()
  }

  /// The device may take a push that came before for a new one: it got another disk, or its clock was set.
  mutating func forgotPushes(_ device: Int) { watches[device, default: DeviceWatch()].forgetPushes() }

  /// The user of the device was told that those records changed.
  mutating func shown(_ ids: [RecordID], on device: Int, _ state: SimulatedDevice) {
    watches[device]?.shown(ids, by: state)
  }

  /// What the user of the device sees otherwise than the device holds it; nil where there is nothing.
  func misshown(on device: Int, _ state: SimulatedDevice) -> String? { watches[device]?.misshown(by: state) }

  /// Whether the cloud refused that record of the device last because of what it refers to.
  func isRefusedForTarget(_ id: RecordID, of device: Int) -> Bool { watches[device]?.isRefusedForTarget(id) ?? false }

  mutating func sent(
    _ request: CloudRequest, _ id: RequestID, by device: Int, _ state: SimulatedDevice, at now: MonotonicTime
  ) {
    var watch = watches[device] ?? DeviceWatch()
    watch.window.append(now)
    let start = now.milliseconds - 60_000
    if let first = watch.window.firstIndex(where: { $0.milliseconds > start }), first > 64 {
      watch.window.removeFirst(first)
    }
    let recent = watch.window.count { $0.milliseconds > start }
    if recent == stormLimit {
      report(Violation(.storm, at: now, on: "device \(device)", "\(recent) requests within a minute"))
    }
    if !watch.isSyncing, request.kind.isFetch {
      report(Violation(.fetchWithoutReason, at: now, on: "device \(device)", "\(request.words) outside of any sync"))
    }
    if let (rule, text) = watch.sent(request, id, from: state, at: now) {
      report(Violation(rule, at: now, on: "device \(device)", text))
    }
    watches[device] = watch
  }

  /// The user wants the device to look at the feeds.
  mutating func wanted(_ device: Int, at now: MonotonicTime) {
    watches[device, default: DeviceWatch()].isWanted(at: now)
  }

  /// The cloud's answer reaches the device.
  mutating func answered(_ device: Int, _ id: RequestID, _ answer: Result<CloudResponse, CloudError>) {
    watches[device, default: DeviceWatch()].answered(id, answer)
  }

  /// The store of the device failed while somebody waited for it, who is told instead of everybody.
  mutating func storeFailed(_ device: Int, at now: MonotonicTime) {
    watches[device, default: DeviceWatch()].storeFailed(at: now)
  }

  mutating func heard(_ fact: DeviceFact, from device: Int, _ state: SimulatedDevice, at moment: Moment) {
    let now = moment.monotonic
    factCounts[fact.kind.rawValue, default: 0] += 1
    if let (rule, text) = watches[device, default: DeviceWatch()].heard(fact, from: state, at: moment) {
      report(Violation(rule, at: now, on: state.name, text))
    }
    switch fact {
    case .syncStarted(let reasons) where reasons.list.isEmpty:
      report(Violation(.fetchWithoutReason, at: now, on: state.name, "a sync started without a reason"))
    // A push token can also seem taken because an older hello of the device itself came late; and a request that arrives
    // twice, or after its process died, can bring back what is gone, which nobody can know for their own then.
    case .cloneDetected(let id?, _) where !hasCopies && !revived.contains(id):
      report(Violation(.identity, at: now, on: state.name, "it took a new identity, and nobody has a copy of its disk"))
    case .zoneRemoved, .zoneLost: model.excuseDeletions()
    case .accountChanged(from: nil, _, let discarded)
    where discarded > 0 && state.app.configuration.signInRule == .upload:
      let text = "\(discarded) edits from before anybody signed in were set aside, where the app wants them uploaded"
      report(Violation(.lostEdit, at: now, on: state.name, text))
    case .reset, .accountChanged:
      model.excuseDeletions()
      taken[device] = nil
    case .conflict(let entry):
      if entry.decidedBy == state.coordinator.deviceID {
        taken[device, default: [:]][entry.id] = state.coordinator.account
      }
      decided(entry, on: state, at: now)
    default: break
    }
  }

  private mutating func decided(_ entry: ConflictEntry, on state: SimulatedDevice, at now: MonotonicTime) {
    if decisions[entry.id] == nil { decisions[entry.id] = entry }
    guard entry.decidedBy == state.coordinator.deviceID else { return told(entry, on: state, at: now) }
    // Two versions can meet twice, on different devices, and share an ID: who was told of which is not known then.
    ownDecisions[entry.id] = ownDecisions.keys.contains(entry.id) ? .some(nil) : entry
    if entry.winner == .merged, entry.local != nil, !hasCopies, state.local(entry.recordID)?.local == entry.local {
      let text = "a conflict about \(entry.recordID.words) left the device's version, and the journal says both"
      report(Violation(.decision, at: now, on: state.name, text))
    }
    let key = RecordKey(account: state.coordinator.account, id: entry.recordID)
    // What was written before anybody signed in has its history there, and what went with a zone is noted there too.
    let wasNobodys = model.histories[RecordKey(account: nil, id: entry.recordID)] != nil
    if entry.winner != .none, entry.server == nil, !wasNobodys, model.isUndeleted(key) {
      let text = "a conflict with the deletion of \(entry.recordID.words) was decided, and nobody deleted it"
      report(Violation(.decision, at: now, on: state.name, text))
    }
    guard let complaint = state.app.simulation.judge(entry) else { return }
    report(Violation(.decision, at: now, on: state.name, complaint))
  }

  /// A device hears of a decision about its own version: it sees it from its side.
  private mutating func told(_ entry: ConflictEntry, on state: SimulatedDevice, at now: MonotonicTime) {
    guard let own = ownDecisions[entry.id] ?? nil, own.decidedBy == entry.decidedBy,
      own.serverDeviceID == state.coordinator.deviceID, let winner = own.winnerFromAcross, winner != entry.winner
    else { return }
    let text =
      "of the decision about \(entry.recordID.words), in which its version met another, it keeps the other side"
    report(Violation(.decision, at: now, on: state.name, text))
  }

  /// An event and all that it led to are over.
  mutating func settled(_ device: Int, _ state: SimulatedDevice, at now: MonotonicTime) {
    for (rule, text) in watches[device, default: DeviceWatch()].settled(state, at: now) {
      report(Violation(rule, at: now, on: state.name, text))
    }
  }

  // MARK: Edits

  /// What the user saw of the records that they are about to edit.
  func claims(of edits: [RecordEdit], on state: SimulatedDevice) -> [SeenRecord] {
    var seen: [SeenRecord] = []
    for edit in edits where !seen.contains(where: { $0.id == edit.recordID }) {
      // A store that cannot be read fails the edit too.
      let record = try? state.store.record(edit.recordID)
      seen.append(SeenRecord(id: edit.recordID, content: record?.local, isConfirmed: record?.server != nil))
    }
    return seen
  }

  /// Takes in what the edits made of the records.
  mutating func claim(
    _ before: [SeenRecord], on device: Int, of state: SimulatedDevice, at now: MonotonicTime, wall: WallTime
  ) {
    shown(before.map(\.id), on: device, state)
    for seen in before {
      let (id, old) = (seen.id, seen.content)
      let record = try? state.store.record(id)
      let new = record?.local
      guard old != new else { continue }
      if let reason = record?.quarantine {
        let text = "record \(id.words) was edited, and is still held back: \(reason.text)"
        report(Violation(.quarantine, at: now, on: state.name, text))
      }
      checkStamps(of: id, old, new, on: state, at: now, wall: wall)
      gone[RecordKey(account: state.coordinator.account, id: id)] = nil
      let key = RecordKey(account: state.coordinator.account, id: id)
      model.edited(key, from: old, to: new, by: device, isConfirmed: seen.isConfirmed)
    }
  }

  /// Looks whether the device has kept what the app wrote.
  mutating func checkKept(_ edits: [RecordEdit], on state: SimulatedDevice, at now: MonotonicTime) {
    let field = state.app.configuration.stampField
    for (index, edit) in edits.enumerated()
    where !edits[(index + 1)...].contains(where: { $0.recordID == edit.recordID }) {
      let local = (try? state.store.record(edit.recordID))?.local
      let isKept =
        switch edit {
        case .delete: local == nil
        case .repair: true
        case .save(_, _, let fields, let parent, _):
          local?.parent == parent && local?.fields.without(field) == EncodedFields(fields).without(field)
        }
      if !isKept {
        report(Violation(.lostEdit, at: now, on: state.name, "an edit of record \(edit.recordID.words) was not kept"))
      }
    }
  }

  private mutating func checkStamps(
    of id: RecordID, _ old: RecordContent?, _ new: RecordContent?, on state: SimulatedDevice, at now: MonotonicTime,
    wall: WallTime
  ) {
    guard let new, let after = stamp(of: new, on: state) else { return }
    let before = old.flatMap { stamp(of: $0, on: state) }
    checkFuture(of: id, from: before, to: after, on: state, at: now, wall: wall)
    guard let old, let before else { return }
    let isEmpty =
      old.parent == new.parent
      && old.fields.without(state.app.configuration.stampField)
        == new.fields.without(state.app.configuration.stampField)
    guard after < before || isEmpty else { return }
    let text =
      isEmpty
      ? "record \(id.words) was stamped \(after.iso8601) by an edit that changes nothing else"
      : "record \(id.words) was edited with stamp \(after.iso8601), older than \(before.iso8601), which it replaces"
    report(Violation(.stamp, at: now, on: state.name, text))
  }

  /// A device whose clock is right, as far as it and the truth go, gives no stamp from the far future unless it has to beat
  /// one.
  private mutating func checkFuture(
    of id: RecordID, from before: WallTime?, to after: WallTime, on state: SimulatedDevice, at now: MonotonicTime,
    wall: WallTime
  ) {
    let horizon = wall.advanced(byMilliseconds: 2 * StampClock.tolerance)
    let known = (try? state.store.values())?[.clockOffset]?.integer ?? 0
    guard abs(state.clock.offset(at: now)) < StampClock.tolerance, abs(known) < StampClock.tolerance,
      after > horizon, before.map({ $0 <= horizon }) ?? true
    else { return }
    let text = "record \(id.words) was stamped \(after.iso8601), though it replaces nothing from so far ahead"
    report(Violation(.stamp, at: now, on: state.name, text))
  }

  /// Takes in that the app's rules made something of those records by themselves, which is no edit of a person's.
  mutating func repaired(
    _ before: [SeenRecord], on state: SimulatedDevice, at now: MonotonicTime, wall: WallTime
  ) {
    let view = state.view(at: wall)
    for seen in before {
      let id = seen.id
      guard let old = seen.content, let new = (try? state.store.record(id))?.local, old != new else { continue }
      if stamp(of: old, on: state) != stamp(of: new, on: state) {
        let text = "record \(id.words) was stamped anew by a rule, as if a person had edited it"
        report(Violation(.stamp, at: now, on: state.name, text))
      }
      if let text = state.app.simulation.judgeRepair(DeviceApp.Repaired(id: id, before: old, after: new), view) {
        report(Violation(.decision, at: now, on: state.name, text))
      }
    }
  }

  private func stamp(of content: RecordContent, on state: SimulatedDevice) -> WallTime? {
    guard let field = state.app.configuration.stampField,
      case .timestamp(let time)? = (try? content.fields.decoded())?[field]
    else { return nil }
    return time
  }

  /// The device's disk lost what it had not synced: nobody has to answer for edits that are not there any more.
  mutating func lost(_ device: Int, from before: MemoryDeviceStore, to after: MemoryDeviceStore, of account: Name?) {
    gotAnotherDisk(device)
    let kept = Set(((try? after.conflicts(limit: .max)) ?? []).map(\.id))
    let journal = (try? before.conflicts(limit: .max)) ?? []
    let unjournaled = Set(journal.filter { !kept.contains($0.id) }.map(\.recordID))
    model.excuse { key in
      if unjournaled.contains(key.id) { return true }
      guard key.account == account else { return false }
      let old = (try? before.record(key.id)) ?? nil
      let new = (try? after.record(key.id)) ?? nil
      // What the device does not know that it sent, or that the cloud took, it takes for its own alone.
      let forgotSending =
        old?.isKnownElsewhere == true && new?.isKnownElsewhere != true || old?.server != nil && new?.server == nil
      return old?.pendingSince != nil || old?.local != new?.local || forgotSending
    }
  }

  /// What waits on a device waits on its copy too, which may send it after the device took it back.
  mutating func doubled(_ original: SimulatedDevice) {
    let waiting = Set(((try? original.store.pending(in: nil, after: 0, limit: .max)) ?? []).map(\.recordID))
    model.excuse { $0.account == original.coordinator.account && waiting.contains($0.id) }
  }

  /// Records of that account go that no user deleted: nobody has to answer for them any more.
  mutating func lostZones(of account: Name) { model.excuse { $0.account == account } }

  // MARK: The cloud

  /// A request makes a record that is not there any more: for the second time, or after the process that sent it died.
  mutating func isMadeAnew(_ id: RecordID, isRepeat: Bool) {
    revived.insert(id)
    for key in gone.keys where key.id == id { gone[key] = nil }
    model.excuse(id, onlyDeleted: !isRepeat)
  }

  /// Somebody took a zone away that holds this.
  mutating func zoneGoes(
    _ zone: ZoneID, with records: [Record], of account: Name, waiting: Set<RecordID>
  ) {
    for record in records {
      let id = RecordID(recordName: record.recordName, zoneID: zone)
      // What waits on a device that does not know the zone is the user's own, and goes up again.
      guard !waiting.contains(id) else { continue }
      gone[RecordKey(account: account, id: id)] = RecordContent(fields: record.fields, parent: record.parent)
    }
  }

  /// A zone is lost or its keys are reset. The database's feed has each zone once, in its last state: who did not hear of
  /// an earlier deletion and holds something still takes it for lost, and sends it again.
  mutating func zoneIsLost(_ zone: ZoneID, of account: Name, heldBy devices: [SimulatedDevice]) {
    let holders = devices.filter { $0.coordinator.account == account }
    for key in gone.keys.sorted() where key.account == account && key.id.zoneID == zone {
      let isHeld = holders.contains { (try? $0.store.record(key.id)) != nil }
      if isHeld { gone[key] = nil }
    }
  }

  /// Whether a record is there again as it was when it went with its zone.
  func isBack(_ key: RecordKey, as content: RecordContent) -> Bool { gone[key] == content }
}

extension ConflictEntry {
  /// What decided the conflict, as seen from the other side; nil where nobody won.
  fileprivate var winnerFromAcross: Winner? {
    switch winner {
    case .local: .server
    case .server: .local
    case .merged, .none: nil
    }
  }
}

extension LocalRecord {
  /// Whether the device knows that the cloud may hold the record.
  fileprivate var isKnownElsewhere: Bool { server != nil || sent != nil }
}

extension EncodedFields {
  /// The fields without one of them; nil where the text cannot be read.
  fileprivate func without(_ name: Name?) -> Fields? {
    guard let name, var fields = try? decoded() else { return try? decoded() }
    fields.remove(name)
    return fields
  }
}

/// What a user saw of a record before they edited it.
struct SeenRecord {
  var id: RecordID
  var content: RecordContent?
  /// Whether the cloud was known to hold the record.
  var isConfirmed: Bool
}
