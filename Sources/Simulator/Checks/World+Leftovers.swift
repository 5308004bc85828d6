import Records
import SyncCoordinator
import ZoneServer

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

  /// A record that waited for another one goes as soon as that is on the cloud.
  private mutating func checkWaiting(_ device: Int) {
    let store = devices[device].store
    for record in (try? store.quarantined(limit: .max)) ?? [] {
      guard let reason = record.quarantine, reason.hasPrefix(SyncCoordinator<MemoryDeviceStore>.waitingMark),
        let fields = try? record.local?.fields.decoded()
      else { continue }
      let targets = fields.sorted.flatMap(\.value.references).filter { $0.action != .none }.map {
        RecordID(recordName: $0.recordName, zoneID: record.recordID.zoneID)
      }
      let isMissing = targets.contains { target in
        (try? store.record(target)).flatMap { $0 }.map { $0.local != nil && $0.server == nil } ?? false
      }
      guard !isMissing else { continue }
      report(
        Violation(
          .quarantine, at: now, on: devices[device].name,
          "record \(record.recordID.words) \(reason), and what it refers to is there"), on: .device(device))
    }
  }

  /// Every decision is told to the other devices, by a record of its own.
  private mutating func checkDecisions(_ device: Int) {
    guard let zone = devices[device].app.configuration.journalZone, let taken = inspector.taken[device] else { return }
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
    guard let last = devices[device].tally.lastFetchAt,
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
