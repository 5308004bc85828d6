import ZoneKitDeviceHost
import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables
import ZoneKitTimeline

/// Checks expectations that need no time.
extension Observer {
  /// The differences from an expectation, one line for each device or item; nil if it holds. Throws if the expectation
  /// names something that does not exist.
  func finding(against expectation: Expectation, in world: World) throws(StepRefusal) -> [String]? {
    switch expectation {
    case .everyoneAgrees: return disagreement(in: world)
    case .same(let devices): return difference(among: try numbers(devices, in: world), in: world)
    case .has(let place, let record):
      return content(of: try self.record(record), at: place, in: world) == nil ? ["\(place.text) has none"] : nil
    case .lacks(let place, let record):
      return content(of: try self.record(record), at: place, in: world).map {
        ["\(place.text) has \(RecordContent.words($0))"]
      }
    case .field(let place, let record, let field):
      return fieldFinding(field, of: try self.record(record), at: place, in: world)
    case .counts(let device, let checks): return countFinding(checks, on: try number(device, in: world), in: world)
    case .reports(let device, let fact, let quantity):
      let number = try number(device, in: world)
      let count = world.devices[number].counters.count(of: fact) - baseline(of: number).count(of: fact)
      return quantity.allows(count) ? nil : ["\(device) reported \(fact.rawValue) \(count.counted("time"))"]
    case .rule(let device, let rule, let record):
      return try ruleFinding(rule, record, on: try number(device, in: world), in: world)
    case .journal(let device, let record):
      let id = try self.record(record)
      return journal(of: world.devices[try number(device, in: world)]).contains { $0.recordID == id }
        ? nil : ["\(device)'s journal has no entry of it"]
    case .photo(let device, let photo, let reference):
      return photoFinding(photo, of: try record(reference), on: try number(device, in: world), in: world)
    case .quarantine(let device, let record):
      let held = world.devices[try number(device, in: world)].local(try self.record(record))
      return held?.quarantine == nil ? ["\(device) \(held == nil ? "does not hold it" : "does not hold it back")"] : nil
    case .holdsNothing(let device, let account):
      let holder = try number(device, in: world)
      return leftovers(of: app(on: device).account(named: account), on: holder, in: world)
    case .tokenUnused(let device, let account):
      let number = try number(device, in: world)
      let count =
        world.tokenHistory?.misuses.count {
          $0.device == number && $0.owner == app(on: device).account(named: account)
        } ?? 0
      return count == 0 ? nil : ["\(device) asked with one \(count.counted("time"))"]
    case .subscription, .subscriptions, .drought, .storm, .deviceID, .differentDeviceIDs, .running, .state,
      .statusLine, .fetchReason, .fetchShown, .requestsApart, .channel, .migration, .balance, .plainPush:
      return try stateFinding(against: expectation, in: world)
    case .noWrites, .noRequests, .nobodyAsks, .convergence, .noEditLost, .currentViews, .copiesToldApart, .nothingLeft:
      throw StepRefusal("this takes time to be looked at")
    }
  }

  /// The names of the records that an expectation is about; empty if it is about none, or about one that was never made.
  func records(of expectation: Expectation) -> [String] {
    let reference: RecordReference? =
      switch expectation {
      case .has(_, let record), .lacks(_, let record), .field(_, let record, _), .journal(_, let record),
        .photo(_, _, let record), .quarantine(_, let record):
        record
      case .rule(_, _, let record): record
      default: nil
      }
    return reference.flatMap { try? record($0) }.map { [$0.recordName.text] } ?? []
  }

  private func finding(migration state: String, on device: String, in world: World) throws(StepRefusal) -> [String]? {
    let seen = world.devices[try number(device, in: world)].process.migration?.stateName ?? "none"
    return seen == state ? nil : ["it is \(seen)"]
  }

  private func finding(statusLine line: String, on device: String, in world: World) throws(StepRefusal) -> [String]? {
    let number = try number(device, in: world)
    guard world.devices[number].app.hasSyncLine else { throw StepRefusal("the app has no such line") }
    let diagnostics = try diagnostics(device, in: world)
    let seen = world.devices[number].process.syncLine(diagnostics, at: world.moment(of: number).wall).text
    return seen.hasPrefix(line) ? nil : ["it reads \"\(seen)\""]
  }

  private func stateFinding(against expectation: Expectation, in world: World) throws(StepRefusal) -> [String]? {
    switch expectation {
    case .subscription(let device, let state):
      let seen = try diagnostics(device, in: world).subscription
      let words = [seen.state.rawValue, seen.origin?.rawValue].compactMap { $0 }
      return words.contains(state)
        ? nil : ["it is \(words.joined(separator: ", "))" + (seen.error.map { ": \($0)" } ?? "")]
    case .subscriptions(let quantity, let device) where world.devices[try number(device, in: world)].hasTables:
      let count = world.openSockets(of: try number(device, in: world))
      return quantity.allows(count) ? nil : ["the cloud has \(count.counted("open socket")) of it"]
    case .subscriptions(let quantity, let device):
      guard let account = world.devices[try number(device, in: world)].account else { return ["nobody is signed in"] }
      let names = world.cloudSubscriptions(of: account).map(\.subscriptionID)
      return quantity.allows(names.count)
        ? nil : ["the cloud holds \(names.count): \(names.joined(separator: ", "))"]
    case .drought(let device, let isOne):
      return try diagnostics(device, in: world).push.drought == isOne ? nil : ["there is \(isOne ? "none" : "one")"]
    case .storm(let device, let isOne):
      let storm = try diagnostics(device, in: world).conflicts.storm
      return (storm != nil) == isOne ? nil : ["there is \(storm.map { "one on \($0)" } ?? "none")"]
    case .deviceID(let device, let hasChanged):
      let now = world.devices[try number(device, in: world)].coordinator.deviceID
      return (now != firstIDs[device]) == hasChanged
        ? nil : ["it is \(now), and was \(firstIDs[device] ?? "none") at first"]
    case .differentDeviceIDs(let one, let other):
      let id = world.devices[try number(one, in: world)].coordinator.deviceID
      return id == world.devices[try number(other, in: world)].coordinator.deviceID ? ["both are \(id)"] : nil
    case .channel(let device, let state):
      let seen = world.devices[try number(device, in: world)].link?.channelState ?? "off"
      return seen == state ? nil : ["it is \(seen)"]
    case .migration(let device, let state): return try finding(migration: state, on: device, in: world)
    case .balance(let device, let name, let value):
      return balanceFinding(value, of: name, on: try number(device, in: world), in: world)
    case .plainPush(let outcome):
      let seen = world.plainClient.outcome ?? "none"
      return seen == outcome ? nil : ["it ended as \(seen)"]
    case .running(let place, let isRunning):
      let seen: Bool
      switch place {
      case .cloud: seen = world.cloud.isRunning
      case .device(let device): seen = world.devices[try number(device, in: world)].isRunning
      }
      return seen == isRunning ? nil : ["\(place.text) is \(seen ? "running" : "dead")"]
    case .state(let device, let state):
      let number = try number(device, in: world)
      let seen = world.devices[number].isRunning ? world.devices[number].coordinator.liveState.rawValue : "dead"
      return seen == state ? nil : ["\(device) is \(seen)"]
    case .statusLine(let device, let line): return try finding(statusLine: line, on: device, in: world)
    case .fetchReason(let device, let reason):
      let seen = try diagnostics(device, in: world).fetch.lastReason ?? "none"
      return seen.split(separator: "+").contains { $0 == reason } ? nil : ["it was for \(seen)"]
    case .fetchShown(let device, let span): return try fetchFinding(device, span, in: world)
    case .requestsApart(let device, let span):
      let gap = world.devices[try number(device, in: world)].counters.closestRequests ?? .max
      return gap >= span.milliseconds ? nil : ["two are \(TimeSpan(milliseconds: gap).text) apart"]
    default: throw StepRefusal("this takes records to be looked at")
    }
  }

  // MARK: Agreement

  private func disagreement(in world: World) -> [String]? {
    let restless = world.devices.compactMap(restlessness)
    guard restless.isEmpty else { return restless }
    var clouds: [Name: [RecordID: RecordContent]] = [:]
    var found: [String] = []
    for (number, device) in world.devices.enumerated() {
      if device.isComputing, let text = world.viewDifference(of: number) {
        found.append("\(device.name)'s user does not see what it holds: \(text)")
      }
      guard let account = device.account else { continue }
      let held = clouds[account] ?? picture(ofCloudFor: account, in: world)
      clouds[account] = held
      // What is in quarantine may differ.
      let own = picture(of: device)
      let ids = Set(own.keys).union(held.keys).filter { own[$0] != held[$0] && device.local($0)?.quarantine == nil }
      if let id = ids.min() {
        found.append(
          "\(device.name) differs from the cloud in \(ids.count.counted("record")); \(id.words): "
            + RecordContent.comparison(of: id, own[id], device.name, held[id], "the cloud"))
      }
    }
    return found.isEmpty ? nil : found
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

  private func difference(among devices: [Int], in world: World) -> [String]? {
    let pictures = devices.map { picture(of: world.devices[$0]) }
    guard let first = pictures.first else { return nil }
    for (device, picture) in zip(devices, pictures).dropFirst() {
      let ids = Set(first.keys).union(picture.keys).filter { first[$0] != picture[$0] }
      guard let id = ids.min() else { continue }
      let names = [devices[0], device].map { world.devices[$0].name }
      return [
        "\(names[0]) and \(names[1]) differ in \(ids.count.counted("record")); \(id.words): "
          + RecordContent.comparison(of: id, first[id], names[0], picture[id], names[1])
      ]
    }
    return nil
  }

  private func leftovers(of account: Name, on device: Int, in world: World) -> [String]? {
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
    return found.isEmpty ? nil : found
  }

  // MARK: Records

  private func content(of id: RecordID, at place: Place, in world: World) -> RecordContent? {
    switch place {
    case .device(let name): return world.devices.first { $0.name == name }?.local(id)?.local
    case .cloud:
      for account in world.cloudAccounts {
        if let record = world.cloudRecord(id, of: account) {
          return RecordContent(fields: record.fields, parent: record.parent)
        }
      }
      return nil
    }
  }

  private func fieldFinding(_ field: ScenarioField, of id: RecordID, at place: Place, in world: World) -> [String]? {
    guard let content = content(of: id, at: place, in: world) else { return ["\(place.text) has no such record"] }
    guard let fields = try? content.fields.decoded() else { return ["the fields cannot be read"] }
    let app = world.apps.first { $0.zones.contains(id.zoneID) } ?? app
    return field.finding(in: fields, of: app).map { ["\(place.text) \($0)"] }
  }

  private func journal(of device: SimulatedDevice) -> [ConflictEntry] {
    // A journal that cannot be read counts as empty.
    (try? device.store.conflicts(limit: .max)) ?? []
  }

  private func ruleFinding(
    _ rule: String, _ reference: RecordReference?, on device: Int, in world: World
  ) throws(StepRefusal) -> [String]? {
    var entries = journal(of: world.devices[device])
    if let reference {
      let id = try record(reference)
      entries.removeAll { $0.recordID != id }
    }
    guard let newest = entries.first else { return ["there is no conflict"] }
    return newest.rule == rule ? nil : ["the newest was decided by \(newest.rule)"]
  }

  // MARK: Numbers

  private func balanceFinding(
    _ value: ScenarioValue, of person: String, on device: Int, in world: World
  ) -> [String]? {
    let view = world.devices[device].process.view(at: world.moment(of: device).wall)
    return world.devices[device].app.finding(balance: value, of: person, in: view).map { [$0] }
  }

  private func countFinding(_ checks: [CounterCheck], on device: Int, in world: World) -> [String]? {
    let found = checks.compactMap { check -> String? in
      let seen = count(check.counter, on: device, in: world)
      return check.quantity.allows(seen) ? nil : "\(check.counter.rawValue) \(seen)"
    }
    return found.isEmpty ? nil : found
  }

  private func count(_ counter: Counter, on device: Int, in world: World) -> Int {
    let (now, before) = (world.devices[device].counters, baseline(of: device))
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

  /// The difference if the diagnostics' last fetch is too long ago or wrong.
  private func fetchFinding(_ device: String, _ span: TimeSpan, in world: World) throws(StepRefusal) -> [String]? {
    let number = try number(device, in: world)
    let now = world.moment(of: number).wall
    guard let shown = try diagnostics(device, in: world).fetch.lastSucceededAt else { return ["they show none"] }
    let age = now.milliseconds - shown.milliseconds
    guard (0...span.milliseconds).contains(age) else {
      return ["they show one \(TimeSpan(milliseconds: max(0, age)).text) ago"]
    }
    guard let last = world.devices[number].counters.lastFetchAt else { return ["they show one, and there was none"] }
    let trueAge = world.now.milliseconds - last.milliseconds
    return trueAge == age
      ? nil
      : ["they show one \(TimeSpan(milliseconds: age).text) ago; it was \(TimeSpan(milliseconds: trueAge).text) ago"]
  }

  private func diagnostics(_ device: String, in world: World) throws(StepRefusal) -> DeviceDiagnostics {
    let number = try number(device, in: world)
    do throws(StoreError) {
      return try world.devices[number].coordinator.diagnostics(name: device, at: world.moment(of: number).wall)
    } catch {
      throw StepRefusal("\(device)'s store cannot be read: \(error.message)")
    }
  }

  // MARK: Words

  func number(_ device: String, in world: World) throws(StepRefusal) -> Int {
    guard let number = world.device(named: device) else { throw StepRefusal("there is no device \(device) yet") }
    return number
  }

  func numbers(_ devices: DeviceChoice, in world: World) throws(StepRefusal) -> [Int] {
    var numbers: [Int] = []
    for name in devices.names(among: world.devices.map(\.name)) { numbers.append(try number(name, in: world)) }
    return numbers
  }
}

extension SimulatedDevice {
  /// A record in the device's store; nil if there is none or the store cannot be read.
  func local(_ id: RecordID) -> LocalRecord? { (try? store.record(id)) ?? nil }
}
