import Records
import SyncCoordinator
import ZoneServer

/// Looks at everything that happens in a world, and remembers what must not happen.
package struct Inspector: Sendable {
  /// What must not have happened, in the order in which it was noticed.
  package private(set) var violations: [Violation] = []
  /// What should be true of the records.
  package internal(set) var model = ReferenceModel(stampField: nil)
  /// The decisions that devices told of, by their IDs.
  package private(set) var decisions: [String: ConflictEntry] = [:]
  /// Facts that were told, by name, over all devices.
  package private(set) var factCounts: [String: Int] = [:]
  /// How many requests one device may send within a minute before it counts as a storm.
  package var stormLimit = 600
  private var watches: [Int: DeviceWatch] = [:]

  /// What is remembered of one device.
  private struct DeviceWatch {
    var deviceID = ""
    var isSyncing = false
    var tokens: [ZoneID: FeedPosition] = [:]
    var tokenTexts: [ZoneID: ChangeToken] = [:]
    var window: [MonotonicTime] = []
    var mayForget = true
  }

  init() {}

  /// Remembers what must not have happened.
  package mutating func report(_ violation: Violation) { violations.append(violation) }

  // MARK: Devices

  mutating func started(_ device: Int, _ state: SimulatedDevice) {
    if model.histories.isEmpty { model = ReferenceModel(stampField: state.app.configuration.stampField) }
    watches[device, default: DeviceWatch()].isSyncing = state.coordinator.isSyncing
    watches[device]?.deviceID = state.coordinator.deviceID
  }

  /// The device may go back to older tokens once: it was reset, or got another disk.
  package mutating func forgot(_ device: Int) { watches[device, default: DeviceWatch()].mayForget = true }

  mutating func sent(_ request: CloudRequest, by device: Int, at now: MonotonicTime) {
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
    if !watch.isSyncing, request.isFetch {
      report(Violation(.fetchWithoutReason, at: now, on: "device \(device)", "\(request.words) outside of any sync"))
    }
    watches[device] = watch
  }

  mutating func heard(_ fact: DeviceFact, from device: Int, _ state: SimulatedDevice, at now: MonotonicTime) {
    factCounts[fact.name, default: 0] += 1
    switch fact {
    case .syncStarted(let reasons):
      watches[device]?.isSyncing = true
      if reasons.list.isEmpty {
        report(Violation(.fetchWithoutReason, at: now, on: state.name, "a sync started without a reason"))
      }
    case .syncFinished, .syncFailed, .signedOut: watches[device]?.isSyncing = false
    case .linkChanged(let isOnline): if !isOnline { watches[device]?.isSyncing = false }
    case .tokenExpired, .zoneLost, .zoneRemoved: forgot(device)
    case .reset, .accountChanged:
      forgot(device)
      watches[device]?.deviceID = state.coordinator.deviceID
    case .conflict(let entry): decided(entry, on: state, at: now)
    default: break
    }
  }

  private mutating func decided(_ entry: ConflictEntry, on state: SimulatedDevice, at now: MonotonicTime) {
    if decisions[entry.id] == nil { decisions[entry.id] = entry }
    guard entry.decidedBy == state.coordinator.deviceID, let complaint = state.app.judge(entry) else { return }
    report(Violation(.decision, at: now, on: state.name, complaint))
  }

  /// An event and all that it led to are over.
  mutating func settled(_ device: Int, _ state: SimulatedDevice, at now: MonotonicTime) {
    var watch = watches[device] ?? DeviceWatch()
    for zone in state.coordinator.zoneStates {
      guard let token = zone.token, watch.tokenTexts[zone.zoneID] != token else { continue }
      watch.tokenTexts[zone.zoneID] = token
      guard let position = FeedPosition(token) else { continue }
      if let old = watch.tokens[zone.zoneID], old.incarnation == position.incarnation, position.position < old.position,
        !watch.mayForget
      {
        report(
          Violation(
            .tokenWentBack, at: now, on: state.name,
            "zone \(zone.zoneID.zoneName) from \(old.position) to \(position.position)"))
      }
      watch.tokens[zone.zoneID] = position
    }
    watches[device] = watch
  }

  // MARK: Edits

  /// What the user saw of the records that they are about to edit.
  func claims(of edits: [RecordEdit], on state: SimulatedDevice) -> [(RecordID, RecordContent?)] {
    var seen: [(RecordID, RecordContent?)] = []
    for edit in edits where !seen.contains(where: { $0.0 == edit.recordID }) {
      // A store that cannot be read fails the edit too.
      seen.append((edit.recordID, (try? state.store.record(edit.recordID))?.local))
    }
    return seen
  }

  /// Takes in what the edits made of the records.
  mutating func claim(
    _ before: [(RecordID, RecordContent?)], on device: Int, of state: SimulatedDevice, at now: MonotonicTime
  ) {
    for (id, old) in before {
      let new = (try? state.store.record(id))?.local
      guard old != new else { continue }
      checkStamp(of: id, old, new, on: state, at: now)
      model.edited(RecordKey(account: state.coordinator.account, id: id), from: old, to: new, by: device)
    }
  }

  private mutating func checkStamp(
    of id: RecordID, _ old: RecordContent?, _ new: RecordContent?, on state: SimulatedDevice, at now: MonotonicTime
  ) {
    guard let field = state.app.configuration.stampField, let new, let old,
      case .timestamp(let before)? = (try? old.fields.decoded())?[field],
      case .timestamp(let after)? = (try? new.fields.decoded())?[field], after < before
    else { return }
    report(
      Violation(
        .stamp, at: now, on: state.name,
        "record \(id) was edited with stamp \(after.iso8601), older than \(before.iso8601), which it replaces"))
  }

  /// The device's disk lost what it had not synced: nobody has to answer for edits that are not there any more.
  mutating func lost(_ device: Int, from before: MemoryDeviceStore, to after: MemoryDeviceStore, of account: Name?) {
    forgot(device)
    model.excuse { key in
      guard key.account == account else { return false }
      return (try? before.record(key.id))?.local != (try? after.record(key.id))?.local
    }
  }

  /// Records of that account go that no user deleted: nobody has to answer for them any more.
  mutating func lostZones(of account: Name) { model.excuse { $0.account == account } }

  // MARK: The cloud

  mutating func committed(
    _ effects: [ZoneServer<MemoryZoneStore>.Effect], cloud: SimulatedCloud, at now: MonotonicTime
  ) {
    for case .answer(_, .atomicFailure(let results)) in effects {
      let isWhole = results.allSatisfy { if case .failed = $0 { true } else { false } }
      if !isWhole { report(Violation(.tornBatch, at: now, "an atomic batch failed, and some of it was written")) }
    }
  }
}
