import ZoneKitRecords
import ZoneKitSync

/// The checks at the end of a story for remaining work.
extension World {
  /// Reports remaining work of devices, and wrong subscriptions and diagnostics.
  package mutating func checkLeftovers() {
    for device in devices.indices where devices[device].isRunning {
      checkWaiting(device)
      checkDecisions(device)
      checkDiagnostics(device)
      checkSubscription(device)
      checkPhotos(device)
    }
    let signedIn = devices.filter { $0.isRunning && $0.hasTables }.compactMap(\.account)
    for account in Set(signedIn).sorted() { checkRows(of: account) }
    for account in cloudAccounts {
      let waking = cloudSubscriptions(of: account).filter {
        $0.kind == .database && $0.notificationInfo?.shouldSendContentAvailable == true
      }
      guard waking.count > 1 else { continue }
      let names = waking.map(\.subscriptionID).joined(separator: ", ")
      report(Violation(.subscription, at: now, "\(account) has \(waking.count): \(names)"), on: .cloud)
    }
  }

  /// Reports copies of one device that still share its device ID, although both hold a recent write of one of them. A
  /// copy whose store was reset under a clock that is ahead takes such a write for its own until it saves.
  mutating func checkCopies() {
    for device in devices.indices {
      let name = devices[device].coordinator.deviceID
      let copies = devices.indices[..<device].filter {
        devices[$0].coordinator.deviceID == name && devices[$0].account == devices[device].account
      }
      for copy in copies {
        guard let id = newest(by: name, on: device), newest(by: name, on: copy) == id,
          !mayBeForgotten(on: device), !mayBeForgotten(on: copy)
        else { continue }
        let text = "it and \(devices[copy].name) still share a name, and both hold \(id.words), which one of them wrote"
        report(Violation(.identity, at: now, on: devices[device].name, text), on: .device(device))
      }
    }
  }

  /// Whether the device takes every write by its device ID for one from before a reset.
  private func mayBeForgotten(on device: Int) -> Bool {
    guard let value = try? devices[device].store.values()[.forgottenAt] else { return false }
    return value.integer.map { $0 > wall.milliseconds } ?? false
  }

  /// The age up to which a write is recent, in milliseconds.
  private static var late: Int64 { 60_000 }

  /// The record that the device of that name wrote last, as `device` holds it; nil if that is not recent.
  private func newest(by name: String, on device: Int) -> RecordID? {
    let records = devices[device].app.comparedZones.flatMap {
      (try? devices[device].store.records(in: $0, metBefore: .max)) ?? []
    }
    let start = wall.milliseconds - Self.late
    let own = records.filter { record in
      record.server.map { $0.modified.author.deviceID == name && $0.modified.at.milliseconds > start } ?? false
    }
    return own.max { ($0.server?.modified.at.milliseconds ?? 0) < ($1.server?.modified.at.milliseconds ?? 0) }?.recordID
  }

  /// Checks that a record that waited for another one is sent as soon as that is in the cloud.
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

  /// Checks that every decision was reported to the other devices by a record.
  private mutating func checkDecisions(_ device: Int) {
    // Where the cloud decides, devices report nothing.
    let configuration = devices[device].app.configuration
    guard configuration.traits.arbiter == .device, let zone = configuration.traits.journalZone else { return }
    let taken = checkers.apps[devices[device].appNumber].decisions(takenBy: devices[device].name)
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

  /// Checks that a failed check of the subscription is repeated until it succeeds.
  private mutating func checkSubscription(_ device: Int) {
    guard devices[device].account != nil, devices[device].app.configuration.pushes.subscriptionID != nil,
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
    // A clock may be slightly fast.
    guard shownAge.map({ abs($0 - age) > age / 20 + 1_000 }) ?? true else { return }
    let text = "the last fetch was \(age) ms ago; the diagnostics say \(shownAge.map { "\($0) ms" } ?? "nothing")"
    report(Violation(.diagnostics, at: now, on: devices[device].name, text), on: .device(device))
  }
}
