import ZoneKitDeviceHost
import ZoneKitRecords

extension Observation {
  /// The differences from an expectation, one sentence for each device or item; empty if it holds. Throws if the
  /// expectation names something that does not exist, or takes time to be judged.
  package func findings(against expectation: Expectation) throws(Refusal) -> [String] {
    let finding: String?
    switch expectation {
    case .everyoneAgrees: return try disagreements()
    case .same(let choice): return try differences(among: try existing(choice))
    case .holdsNothing(let device, let account): return try leftovers(of: account, on: try existing(device))
    case .counts(let device, let checks): return try findings(against: checks, on: try existing(device))
    case .has(let place, let record):
      finding = try content(of: record, at: place) == nil ? "\(place.text) lacks \(try name(of: record))" : nil
    case .lacks(let place, let record):
      finding = try content(of: record, at: place) == nil ? nil : "\(place.text) has \(try name(of: record))"
    case .field(let place, let record, let field): finding = try self.finding(field, of: record, at: place)
    case .photo(let device, let photo, let record):
      finding = try photoFinding(photo, of: record, on: try existing(device))
    case .quarantine(let device, let record):
      finding = try isQuarantined(record, on: try existing(device)) ? nil : "\(device) does not hold it back"
    case .journal(let device, let record):
      finding = try decisions(of: device, on: record).isEmpty ? "\(device)'s journal has no entry of it" : nil
    case .rule(let device, let rule, let record):
      let seen = try decisions(of: device, on: record).first?.rule
      finding = seen == rule ? nil : seen.map { "the newest was decided by \($0)" } ?? "there is no conflict"
    case .reports(let device, let fact, let quantity):
      let count = try count(of: fact, on: try existing(device))
      finding = quantity.allows(count) ? nil : "\(device) reported \(fact.rawValue) \(count.counted("time"))"
    case .subscriptions, .requestsApart, .tokenUnused, .plainPush: finding = try self.finding(atTheCloud: expectation)
    case .running(let place, let isWanted):
      let isRunning = try isRunning(place)
      finding = isRunning == isWanted ? nil : "\(place.text) is \(isRunning ? "running" : "dead")"
    case .deviceID, .differentDeviceIDs, .balance: finding = try self.finding(onDevices: expectation)
    case .statusLine(let device, _) where try !app(on: existing(device)).hasSyncLine:
      throw .refused("the app has no such line")
    case .subscription(let device, _), .drought(let device, _), .storm(let device, _), .state(let device, _),
      .statusLine(let device, _), .fetchReason(let device, _), .fetchShown(let device, _), .channel(let device, _),
      .migration(let device, _):
      finding = try status(of: try existing(device)).finding(against: expectation)
    case .noWrites, .noRequests, .nobodyAsks, .convergence, .noEditLost, .currentViews, .copiesToldApart, .nothingLeft:
      throw .refused("this takes time to be looked at")
    }
    return finding.map { [$0] } ?? []
  }

  private func name(of record: RecordReference) throws(Refusal) -> Name { try id(of: record).recordName }

  private func decisions(
    of device: String, on record: RecordReference?
  ) throws(Refusal) -> [(record: RecordID, rule: String)] {
    let all = try decisions(of: try existing(device))
    guard let record else { return all }
    let id = try id(of: record)
    return all.filter { $0.record == id }
  }

  private func finding(
    _ field: ScenarioField, of record: RecordReference, at place: Place
  ) throws(Refusal) -> String? {
    guard let content = try content(of: record, at: place) else { return "\(place.text) has no such record" }
    guard let fields = try? content.fields.decoded() else { return "the fields cannot be read" }
    return field.finding(in: fields, of: try app(of: record)).map { "\(place.text) \($0)" }
  }

  private func findings(against checks: [CounterCheck], on device: Device) throws(Refusal) -> [String] {
    var found: [String] = []
    for check in checks {
      let seen = try count(check.counter, on: device)
      if !check.quantity.allows(seen) { found.append("\(check.counter.rawValue) \(seen)") }
    }
    return found
  }

  private func finding(atTheCloud expectation: Expectation) throws(Refusal) -> String? {
    switch expectation {
    case .subscriptions(let quantity, let device):
      guard let count = try subscriptions(of: try existing(device)) else { return "nobody is signed in" }
      return quantity.allows(count) ? nil : "the cloud holds \(count) of it"
    case .requestsApart(let device, let span):
      guard let gap = try closestRequests(of: try existing(device)), gap < span.milliseconds else { return nil }
      return "two are \(TimeSpan(milliseconds: gap).text) apart"
    case .tokenUnused(let device, let account):
      return try hasUsed(tokenOf: account, on: try existing(device)) ? "\(device) asked with one" : nil
    case .plainPush(let outcome):
      let seen = plainClient.outcome ?? "none"
      return seen == outcome ? nil : "it ended as \(seen)"
    default: preconditionFailure("\(expectation) is not about the cloud")
    }
  }

  private func finding(onDevices expectation: Expectation) throws(Refusal) -> String? {
    switch expectation {
    case .deviceID(let device, let hasChanged):
      guard let ids = try deviceIDs(of: try existing(device)) else { return "\(device) has none yet" }
      return (ids.first != ids.last) == hasChanged ? nil : "it is \(ids.last), and was \(ids.first) at first"
    case .differentDeviceIDs(let one, let other):
      let id = try deviceIDs(of: try existing(one))?.last
      return try id != deviceIDs(of: existing(other))?.last ? nil : "both are \(id ?? "none")"
    case .balance(let device, let person, let value):
      let device = try existing(device)
      return app(on: device).finding(balance: value, of: person, in: try view(of: device))
    default: preconditionFailure("\(expectation) is not about devices")
    }
  }
}

extension ObservedStatus {
  /// What is wrong if a device is to say that of itself; nil if nothing is.
  fileprivate func finding(against expectation: Expectation) -> String? {
    func difference(_ wanted: String, _ seen: String) -> String? { seen == wanted ? nil : "it is \(seen)" }
    switch expectation {
    case .subscription(_, let state):
      let seen = subscription.joined(separator: ", ") + (subscriptionError.map { ": \($0)" } ?? "")
      return subscription.contains(state) ? nil : "it is \(seen)"
    case .drought(_, let isOne): return hasDrought == isOne ? nil : "there is \(isOne ? "none" : "one")"
    case .storm(_, let isOne):
      return (storm != nil) == isOne ? nil : "there is \(storm.map { "one on \($0)" } ?? "none")"
    case .state(let device, let wanted): return state == wanted ? nil : "\(device) is \(state)"
    case .statusLine(_, let wanted):
      return line?.hasPrefix(wanted) == true ? nil : "it reads \"\(line ?? "")\""
    case .fetchReason(_, let reason):
      let seen = fetchReason ?? "none"
      return seen.split(separator: "+").contains { $0 == reason } ? nil : "it was for \(seen)"
    case .fetchShown(_, let span): return finding(fetchWithin: span)
    case .channel(_, let state): return difference(state, channel)
    case .migration(_, let state): return difference(state, migration)
    default: preconditionFailure("\(expectation) is not about a status")
    }
  }

  private func finding(fetchWithin span: TimeSpan) -> String? {
    guard let fetchAge else { return "they show none" }
    let shown = "they show one \(TimeSpan(milliseconds: max(0, fetchAge)).text) ago"
    guard (0...span.milliseconds).contains(fetchAge) else { return shown }
    guard let trueFetchAge, trueFetchAge != fetchAge else { return nil }
    return "\(shown); it was \(TimeSpan(milliseconds: trueFetchAge).text) ago"
  }
}
