import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitService
import ZoneKitStorage

/// What can be observed of processes: what they answer and report, and their files.
extension ProcessPlayer: Observation {
  package var deviceNames: [String] { world.devices.map(\.name) }

  package func existing(_ device: String) throws(ProcessFailure) -> ProcessDevice { try world.device(device) }

  package func app(on device: ProcessDevice) -> DeviceApp { device.app }

  package func isRunning(_ place: Place) throws(ProcessFailure) -> Bool {
    switch place {
    case .cloud: return world.server?.hasEnded == false
    case .device(let name):
      let device = try world.device(name)
      return device.isRunning && !device.isForceQuit
    }
  }

  // MARK: Devices

  package func status(of device: ProcessDevice) throws(ProcessFailure) -> ObservedStatus {
    let json = try world.status(of: device)
    // An app with tables says of itself that it has nothing to do while nobody is signed in.
    let isSignedOut = device.app.hasTables && json["user"]?.string == nil
    var status = ObservedStatus(state: isSignedOut ? "signedOut" : json["state"]?.string ?? "unknown")
    let subscription = json["subscription"]
    status.subscription = [subscription?["state"]?.string, subscription?["origin"]?.string].compactMap { $0 }
    status.subscriptionError = subscription?["error"].flatMap { $0.isNull ? nil : $0.text() }
    status.hasDrought = json["push"]?["drought"]?.bool ?? false
    status.storm = json["conflicts"]?["storm"].flatMap { $0.isNull ? nil : $0.text() }
    status.line = json["sync"]?["text"]?.string
    status.fetchReason = json["fetch"]?["lastReason"]?.string
    let last = json["fetch"]?["lastFinishedAt"]?.string.flatMap { WallTime(iso8601: $0) }
    // The times are those of the device's own clock.
    let now = device.standsAt ?? SystemClock.wall.advanced(byMilliseconds: device.clock.offset(at: world.now))
    status.fetchAge = last.map { now.milliseconds - $0.milliseconds }
    status.channel = json["realtime"]?["state"]?.string ?? "off"
    status.migration = json["migration"]?["state"]?.string ?? "none"
    return status
  }

  package func decisions(of device: ProcessDevice) throws(ProcessFailure) -> [(record: RecordID, rule: String)] {
    let zone = try zone(nil, of: device.app)
    return (try world.status(of: device)["conflicts"]?["last"]?.array ?? []).map {
      (RecordID(recordName: Name($0["record"]?.string ?? ""), zoneID: zone), $0["rule"]?.string ?? "")
    }
  }

  package func isQuarantined(
    _ record: RecordReference, on device: ProcessDevice
  ) throws(ProcessFailure) -> Bool {
    let name = try name(of: record)
    return try world.status(of: device)["send"]?["quarantined"]?.array?.contains { $0["record"]?.string == name }
      ?? false
  }

  package func view(of device: ProcessDevice) throws(ProcessFailure) -> AppView { try world.view(of: device) }

  package func deviceIDs(of device: ProcessDevice) -> (first: String, last: String)? {
    let ids = device.deviceIDs
    return ids.first.map { ($0, ids[ids.count - 1]) }
  }

  /// A device says where the photo of a row is: the path of a file, once it has the bytes.
  package func photoFinding(
    _ number: Int, of record: RecordReference, on device: ProcessDevice
  ) throws(ProcessFailure) -> String? {
    let place: String
    do throws(ProcessFailure) {
      let answer = try world.say("photo \(try name(of: record))", to: device)
      place = answer["photo"]?.string ?? "it does not say where the photo is"
    } catch {
      guard error.kind == .refused else { throw error }
      return error.message
    }
    guard Folder.isFile(place) else { return place }
    return try ProcessWorld.isPhoto(number, in: place) ? nil : "\(place) is another photo"
  }

  // MARK: Records

  package func content(of record: RecordReference, at place: Place) throws(ProcessFailure) -> RecordContent? {
    let id = try app(of: record).recordID(named: try name(of: record))
    let view =
      switch place {
      case .device(let name): try world.records(of: try world.device(name))
      case .cloud: try world.records(ofCloudFor: try account(about: record), of: try app(of: record))
      }
    // Of an app with one zone the name counts alone, because a scenario may have made records in others.
    let isOfZone = try app(of: record).zones.count > 1
    let found = view.records.first { key, _ in
      key.recordName == id.recordName && (!isOfZone || key.zoneName == id.zoneID.zoneName)
    }
    return found?.value
  }

  package func disagreements() throws(ProcessFailure) -> [String] {
    try world.disagreements(among: world.devices.filter { !$0.deviceIDs.isEmpty })
  }

  package func differences(among devices: [ProcessDevice]) throws(ProcessFailure) -> [String] {
    guard let first = devices.first else { return [] }
    let view = try world.records(of: first)
    for device in devices.dropFirst() {
      let differences = try world.records(of: device).differences(from: view)
      guard let record = differences.first else { continue }
      let count = differences.count.counted("record")
      return ["\(first.name) and \(device.name) differ in \(count), first \(record.recordID.words)"]
    }
    return []
  }

  package func leftovers(of account: String, on device: ProcessDevice) throws(ProcessFailure) -> [String] {
    let names =
      try world.records(ofCloudFor: account, of: device.app).records.keys.map(\.recordName)
      + device.made.filter { $0.account == account }.map { Name($0.name) }
    let held = try world.records(of: device)
    var found = names.filter(held.shows).map { "\(device.name) holds \($0)" }
    if let current = device.account, current != account {
      let cloud = try world.records(ofCloudFor: current, of: device.app)
      found += names.filter(cloud.shows).map { "the cloud of \(current) holds \($0)" }
    }
    return found
  }

  /// The account of the device that made a record; that of the first device if the record is named.
  func account(about record: RecordReference) throws(ProcessFailure) -> String {
    guard let owner = try owner(of: record) ?? world.devices.first else {
      throw .refused("there is no device whose account could be meant")
    }
    guard let account = owner.account else { throw .refused("no account is signed in on \(owner.name)") }
    return account
  }

  // MARK: Numbers

  package func count(_ counter: Counter, on device: ProcessDevice) throws(ProcessFailure) -> Int {
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

  package func count(of fact: Fact.Kind, on device: ProcessDevice) -> Int {
    device.events(fact.event, since: marks[device.name] ?? 0).count { $0["fact"]?.string == fact.rawValue }
  }

  package func closestRequests(of device: ProcessDevice) -> Int64? { device.traffic.closest }

  package func hasUsed(tokenOf account: String, on device: ProcessDevice) -> Bool {
    world.tokens.hasUsed(device.name, tokenOf: account)
  }

  package func subscriptions(of device: ProcessDevice) throws(ProcessFailure) -> Int? {
    guard device.account != nil else { return nil }
    return try world.admin.subscriptions(of: try account(of: .device(device.name))).count
  }
}
