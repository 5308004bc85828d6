import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitSync
import ZoneKitTables
import ZoneKitTimeline

/// What can be observed in virtual time.
extension ScenarioPlayer: Observation {
  package var deviceNames: [String] { world.devices.map(\.name) }

  package func existing(_ device: String) throws(StepRefusal) -> Int {
    guard let number = world.device(named: device) else { throw StepRefusal("there is no device \(device) yet") }
    return number
  }

  package func app(on device: Int) -> DeviceApp { world.devices[device].app }

  package func app(of record: RecordReference) throws(StepRefusal) -> DeviceApp {
    let zone = try observer.record(record).zoneID
    return world.apps.first { $0.zones.contains(zone) } ?? app
  }

  package func isRunning(_ place: Place) throws(StepRefusal) -> Bool {
    switch place {
    case .cloud: world.cloud.isRunning
    case .device(let device): world.devices[try existing(device)].isRunning
    }
  }

  package var plainClient: PlainClient { world.plainClient }

  // MARK: Devices

  package func status(of device: Int) throws(StepRefusal) -> ObservedStatus {
    let (holder, now) = (world.devices[device], world.moment(of: device).wall)
    let diagnostics: DeviceDiagnostics
    do throws(StoreError) {
      diagnostics = try holder.coordinator.diagnostics(name: holder.name, at: now)
    } catch {
      throw StepRefusal("\(holder.name)'s store cannot be read: \(error.message)")
    }
    var status = ObservedStatus(state: holder.isRunning ? holder.coordinator.liveState.rawValue : "dead")
    let subscription = diagnostics.subscription
    status.subscription = [subscription.state.rawValue, subscription.origin?.rawValue].compactMap { $0 }
    status.subscriptionError = subscription.error.map { "\($0)" }
    status.hasDrought = diagnostics.push.drought
    status.storm = diagnostics.conflicts.storm.map { "\($0)" }
    if holder.app.hasSyncLine { status.line = holder.process.syncLine(diagnostics, at: now).text }
    status.fetchReason = diagnostics.fetch.lastReason
    status.fetchAge = diagnostics.fetch.lastSucceededAt.map { now.milliseconds - $0.milliseconds }
    // A fetch that is shown and that never was is older than all others.
    status.trueFetchAge = holder.counters.lastFetchAt.map { world.now.milliseconds - $0.milliseconds } ?? .max
    status.channel = holder.link?.channelState ?? "off"
    status.migration = holder.process.migration?.stateName ?? "none"
    return status
  }

  package func decisions(of device: Int) -> [(record: RecordID, rule: String)] {
    // A journal that cannot be read counts as empty.
    ((try? world.devices[device].store.conflicts(limit: .max)) ?? []).map { ($0.recordID, $0.rule) }
  }

  package func isQuarantined(_ record: RecordReference, on device: Int) throws(StepRefusal) -> Bool {
    world.devices[device].local(try observer.record(record))?.quarantine != nil
  }

  package func view(of device: Int) -> AppView {
    world.devices[device].process.view(at: world.moment(of: device).wall)
  }

  package func deviceIDs(of device: Int) -> (first: String, last: String)? {
    observer.firstIDs[world.devices[device].name].map { ($0, world.devices[device].coordinator.deviceID) }
  }

  package func photoFinding(
    _ number: Int, of record: RecordReference, on device: Int
  ) throws(StepRefusal) -> String? {
    let (id, device) = (try observer.record(record), world.devices[device])
    guard let photos = device.process.photos, let account = device.accountOfTables else {
      return "\(device.name) has no account with photos"
    }
    guard let path = photos.path(of: id) else {
      return photos.queued[id].map { "its photo \($0.words)" } ?? "it has no photo"
    }
    guard let name = PhotoName(path: path, of: account), name == PhotoName(hash: SimulatedPhotos.hash(ofPhoto: number))
    else { return "it has the photo \(path)" }
    return device.process.photoFiles.contains(name) ? nil : "the bytes of \(path) are not on \(device.name)"
  }

  // MARK: Records

  package func content(of record: RecordReference, at place: Place) throws(StepRefusal) -> RecordContent? {
    let id = try observer.record(record)
    switch place {
    case .device(let device): return world.devices[try existing(device)].local(id)?.local
    case .cloud:
      let record = world.cloudAccounts.lazy.compactMap { world.cloudRecord(id, of: $0) }.first
      return record.map { RecordContent(fields: $0.fields, parent: $0.parent) }
    }
  }

  package func disagreements() -> [String] {
    let restless = world.devices.compactMap(restlessness)
    guard restless.isEmpty else { return restless }
    var clouds: [Name: [RecordID: RecordContent]] = [:]
    var found: [String] = []
    for (number, device) in world.devices.enumerated() {
      if device.isComputing, let text = world.viewDifference(of: number) {
        found.append("\(device.name)'s user does not see what it holds: \(text)")
      }
      guard let account = device.account else { continue }
      let held = clouds[account] ?? observer.picture(ofCloudFor: account, in: world)
      clouds[account] = held
      // What is in quarantine may differ.
      let own = observer.picture(of: device)
      let ids = Set(own.keys).union(held.keys).filter { own[$0] != held[$0] && device.local($0)?.quarantine == nil }
      if let id = ids.min() {
        found.append(
          "\(device.name) differs from the cloud in \(ids.count.counted("record")); \(id.words): "
            + RecordContent.comparison(of: id, own[id], device.name, held[id], "the cloud"))
      }
    }
    return found
  }

  /// What a device still has to do, as a sentence; nil if it is idle.
  private func restlessness(of device: SimulatedDevice) -> String? {
    guard device.account != nil else { return nil }
    let census = try? device.store.census()
    let waiting = (census?.pending ?? 0) - (census?.quarantined ?? 0)
    if waiting > 0 {
      return "\(device.name) has \(waiting.counted("record")) to send" + (device.isRunning ? "" : " and does not run")
    }
    guard device.isComputing, device.isOnline else { return nil }
    if device.link?.photos.isDone == false { return "\(device.name) has photos to transfer" }
    guard !device.coordinator.isIdle else { return nil }
    return "\(device.name) is \(device.coordinator.liveState.rawValue)"
  }

  package func differences(among devices: [Int]) -> [String] {
    let pictures = devices.map { observer.picture(of: world.devices[$0]) }
    guard let first = pictures.first else { return [] }
    for (device, picture) in zip(devices, pictures).dropFirst() {
      let ids = Set(first.keys).union(picture.keys).filter { first[$0] != picture[$0] }
      guard let id = ids.min() else { continue }
      let names = [devices[0], device].map { world.devices[$0].name }
      return [
        "\(names[0]) and \(names[1]) differ in \(ids.count.counted("record")); \(id.words): "
          + RecordContent.comparison(of: id, first[id], names[0], picture[id], names[1])
      ]
    }
    return []
  }

  package func leftovers(of name: String, on device: Int) -> [String] {
    let account = account(named: name)
    let model = world.checkers.apps[world.devices[device].appNumber].model
    var ids = Set(model.histories.keys.filter { $0.account == account }.map(\.id))
    for zone in world.devices[device].app.comparedZones {
      ids.formUnion(world.cloudRecords(in: zone, of: account).keys)
    }
    let holder = world.devices[device]
    var found: [String] = []
    for id in ids.sorted() {
      if holder.local(id) != nil { found.append("\(holder.name) holds \(id.words)") }
      if let current = holder.account, current != account, world.cloudRecord(id, of: current) != nil {
        found.append("the cloud of \(current) holds \(id.words)")
      }
    }
    return found
  }

  // MARK: Numbers

  package func count(of fact: Fact.Kind, on device: Int) -> Int {
    world.devices[device].counters.count(of: fact) - observer.baseline(of: device).count(of: fact)
  }

  package func closestRequests(of device: Int) -> Int64? { world.devices[device].counters.closestRequests }

  package func hasUsed(tokenOf account: String, on device: Int) -> Bool {
    let owner = self.account(named: account)
    return world.tokenHistory?.misuses.contains { $0.device == device && $0.owner == owner } ?? false
  }

  package func subscriptions(of device: Int) -> Int? {
    if world.devices[device].hasTables { return world.openSockets(of: device) }
    return world.devices[device].account.map { world.cloudSubscriptions(of: $0).count }
  }

  package func count(_ counter: Counter, on device: Int) -> Int {
    let (now, before) = (world.devices[device].counters, observer.baseline(of: device))
    func facts(_ fact: Fact.Kind) -> Int { now.count(of: fact) - before.count(of: fact) }
    func verdicts(_ verdict: RowVerdict) -> Int { (now.verdicts[verdict] ?? 0) - (before.verdicts[verdict] ?? 0) }
    let census = (try? world.devices[device].store.census()) ?? DeviceCensus()
    return switch counter {
    case .pushReceived: now.pushes - before.pushes
    case .pushDuplicates: facts(.duplicatePush)
    case .pushUnknown: facts(.unknownSubscription)
    case .pushOtherAccount: facts(.pushForOtherAccount)
    case .pushWithoutID: now.pushesWithoutID - before.pushesWithoutID
    case .pushLost: now.lostPushes - before.lostPushes
    case .requests: now.requests - before.requests
    case .syncs: facts(.syncFinished)
    case .fetches: now.completedFetches - before.completedFetches
    case .writes: now.writes - before.writes
    case .pages: facts(.pageMerged)
    case .conflicts: facts(.conflict)
    case .pending: census.pending - census.quarantined
    case .quarantined: census.quarantined
    case .records:
      census.counts.reduce(0) {
        $0 + ($1.zoneID == world.devices[device].app.configuration.traits.journalZone ? 0 : $1.count)
      }
    case .fetchesAtOnce: now.zoneFetchesAtOnce
    case .verdictInserted: verdicts(.inserted)
    case .verdictUpdated: verdicts(.updated)
    case .verdictSame: verdicts(.same)
    case .verdictRepeat: verdicts(.repeat)
    case .verdictKept: verdicts(.kept)
    }
  }
}

extension SimulatedDevice {
  /// A record in the device's store; nil if there is none or the store cannot be read.
  func local(_ id: RecordID) -> LocalRecord? { (try? store.record(id)) ?? nil }
}
