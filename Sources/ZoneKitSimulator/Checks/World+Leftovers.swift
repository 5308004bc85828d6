import ZoneKitRecords
import ZoneKitSync

/// What must not be left over at the end of a story.
extension World {
  /// Reports what devices, the cloud and the diagnostics still hold or say that they must not.
  package mutating func checkLeftovers() {
    for device in devices.indices where devices[device].isRunning {
      checkWaiting(device)
      checkDecisions(device)
      checkDiagnostics(device)
      checkSubscription(device)
    }
    for account in cloudAccounts {
      let waking = cloudSubscriptions(of: account).filter {
        $0.kind == .database && $0.notificationInfo?.shouldSendContentAvailable == true
      }
      guard waking.count > 1 else { continue }
      let names = waking.map(\.subscriptionID).joined(separator: ", ")
      report(Violation(.subscription, at: now, "\(account) has \(waking.count): \(names)"), on: .cloud)
    }
  }

  /// Reports copies of one device that still share its name though both hold what one of them has just written.
  mutating func checkCopies() {
    for device in devices.indices {
      let name = devices[device].coordinator.deviceID
      let copies = devices.indices[..<device].filter {
        devices[$0].coordinator.deviceID == name && devices[$0].account == devices[device].account
      }
      for copy in copies {
        guard let id = newest(by: name, on: device), newest(by: name, on: copy) == id else { continue }
        let text = "it and \(devices[copy].name) still share a name, and both hold \(id.words), which one of them wrote"
        report(Violation(.identity, at: now, on: devices[device].name, text), on: .device(device))
      }
    }
  }

  /// How long ago something was written of late at most, in milliseconds.
  private static var late: Int64 { 60_000 }

  /// The record that a device of that name was the last to write, as the device holds it; nil where it was not of late.
  private func newest(by name: String, on device: Int) -> RecordID? {
    let records = comparedZones.flatMap { (try? devices[device].store.records(in: $0, metBefore: .max)) ?? [] }
    let start = wall.milliseconds - Self.late
    let own = records.filter { record in
      record.server.map { $0.modified.author.deviceID == name && $0.modified.at.milliseconds > start } ?? false
    }
    return own.max { ($0.server?.modified.at.milliseconds ?? 0) < ($1.server?.modified.at.milliseconds ?? 0) }?.recordID
  }

  /// A record that another one kept from going goes as soon as that is on the cloud.
  private mutating func checkWaiting(_ device: Int) {
    let store = devices[device].store
    for record in (try? store.quarantined(limit: .max)) ?? [] {
      guard let quarantine = record.quarantine, let fields = try? record.local?.fields.decoded() else { continue }
      let isWaiting = if case .waiting = quarantine { true } else { false }
      guard isWaiting || checkers.isRefusedForTarget(record.recordID, of: device) else { continue }
      let targets = fields.sorted.flatMap(\.value.references).filter { $0.action != .none }.map {
        RecordID(recordName: $0.recordName, zoneID: record.recordID.zoneID)
      }
      let known = targets.map { (try? store.record($0)).flatMap { $0 } }
      guard !known.isEmpty, !known.contains(where: { $0?.local == nil || $0?.server == nil }) else { continue }
      report(
        Violation(
          .quarantine, at: now, on: devices[device].name,
          "record \(record.recordID.words) \(quarantine.text), and what it refers to is there"), on: .device(device))
    }
  }

  /// Every decision is told to the other devices, by a record of its own.
  private mutating func checkDecisions(_ device: Int) {
    guard let zone = devices[device].app.configuration.journalZone else { return }
    let taken = checkers.decisions(takenBy: devices[device].name)
    for id in taken.keys.sorted() {
      let recordID = RecordID(recordName: Name(id), zoneID: zone)
      guard let account = taken[id], account == devices[device].account,
        cloudRecord(recordID, of: account) == nil, devices[device].local(recordID)?.quarantine == nil
      else { continue }
      report(
        Violation(
          .decision, at: now, on: devices[device].name, "decision \(id) was told to nobody: the cloud does not hold it"),
        on: .device(device))
    }
  }

  /// A check of the subscription that failed is repeated until it succeeds.
  private mutating func checkSubscription(_ device: Int) {
    guard devices[device].account != nil, devices[device].app.configuration.subscriptionID != nil,
      let shown = try? devices[device].coordinator.diagnostics(name: devices[device].name, at: moment(of: device).wall),
      shown.subscription.state != .active
    else { return }
    let text = "the subscription is \(shown.subscription.state.rawValue)"
    report(Violation(.subscription, at: now, on: devices[device].name, text), on: .device(device))
  }

  private mutating func checkDiagnostics(_ device: Int) {
    let wall = moment(of: device).wall
    guard let last = devices[device].counters.lastFetchAt,
      let shown = try? devices[device].coordinator.diagnostics(name: devices[device].name, at: wall)
    else { return }
    let age = now.milliseconds - last.milliseconds
    let shownAge = shown.fetch.lastSucceededAt.map { wall.milliseconds - $0.milliseconds }
    // A clock may be a little fast.
    guard shownAge.map({ abs($0 - age) > age / 20 + 1_000 }) ?? true else { return }
    let text = "the last fetch was \(age) ms ago; the diagnostics say \(shownAge.map { "\($0) ms" } ?? "nothing")"
    report(Violation(.diagnostics, at: now, on: devices[device].name, text), on: .device(device))
  }
}
