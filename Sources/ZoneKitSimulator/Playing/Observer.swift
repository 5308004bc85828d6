import ZoneKitScenarios
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// The state of a play besides the simulation, to resolve the references in a scenario: who made which record, and the
/// counters at `count from here`.
struct Observer: Sendable {
  /// A record that a command on a device made.
  struct Made: Hashable, Sendable {
    var id: RecordID
    var type: Name
  }

  /// The app on the devices that name no other.
  let app: DeviceApp
  /// The other apps, by the device's name.
  var others: [String: DeviceApp] = [:]
  /// The records by the device's name, oldest first.
  private(set) var made: [String: [Made]] = [:]
  /// The zones of the records that the scenario itself named.
  private(set) var named: [String: ZoneID] = [:]
  /// The counters at `count from here`, by device.
  private(set) var baselines: [DeviceCounters] = []
  /// The device IDs at the first start, by the device's name.
  private(set) var firstIDs: [String: String] = [:]

  init(of app: DeviceApp) { self.app = app }

  /// The app on the device of that name.
  func app(on device: String) -> DeviceApp { others[device] ?? app }

  // MARK: Recording

  mutating func remember(_ record: Made, of device: String) {
    if made[device]?.contains(record) != true { made[device, default: []].append(record) }
  }

  mutating func remember(zone: ZoneID, of name: String) { named[name] = zone }

  mutating func count(from world: World) { baselines = world.devices.map(\.counters) }

  mutating func meet(_ devices: SimulatedDevices) {
    for number in devices.indices where devices[number].isRunning && firstIDs[devices[number].name] == nil {
      firstIDs[devices[number].name] = devices[number].coordinator.deviceID
    }
  }

  /// The counters of a device at the start of counting.
  func baseline(of device: Int) -> DeviceCounters {
    baselines.indices.contains(device) ? baselines[device] : DeviceCounters()
  }

  // MARK: Records

  /// The record that a scenario names.
  func record(_ reference: RecordReference) throws(StepRefusal) -> RecordID {
    switch reference {
    case .named(let name):
      return named[name].map { RecordID(recordName: Name(name), zoneID: $0) } ?? app.recordID(named: name)
    case .last(let owner, let kind):
      guard let last = try records(of: owner, kind).last else { throw StepRefusal("\(owner) has made no \(kind) yet") }
      return last.id
    case .nth(let number, let owner, let kind):
      let records = try records(of: owner, kind)
      guard records.count >= number else {
        throw StepRefusal(
          "\(owner) has made \(records.count) of these so far, so there is no \(Ordinal.text(number)) \(kind)")
      }
      return records[number - 1].id
    }
  }

  private func records(of owner: String, _ kind: String) throws(StepRefusal) -> [Made] {
    let kinds = app(on: owner).kinds
    guard let type = kinds.first(where: { $0.word == kind })?.type else {
      let known = kinds.map(\.word).joined(separator: ", ")
      throw StepRefusal("the app has no \(kind); " + (known.isEmpty ? "name the record" : "it has \(known)"))
    }
    return (made[owner] ?? []).filter { $0.type == type }
  }

  // MARK: Pictures

  /// The content of a device's zones.
  func picture(of device: SimulatedDevice) -> [RecordID: RecordContent] {
    var picture: [RecordID: RecordContent] = [:]
    for zone in device.app.comparedZones {
      // A store that cannot be read counts as empty, which the comparison reports.
      for record in (try? device.store.records(in: zone, metBefore: .max)) ?? [] {
        if let local = record.local { picture[record.recordID] = local }
      }
    }
    return picture
  }

  /// A watch on the records that differ and that an expectation compares: all for one of everyone, and for none; nil if
  /// nothing differs.
  func watch(on expectation: Expectation?, in world: World) -> AgreementWatch? {
    if case .same(let choice)? = expectation {
      let names = choice.names(among: world.devices.map(\.name))
      let pictures = world.devices.filter { names.contains($0.name) }.map(picture)
      let ids = Set(pictures.flatMap(\.keys)).filter { id in !pictures.allSatisfy { $0[id] == pictures[0][id] } }
      return ids.isEmpty ? nil : AgreementWatch(of: ids.sorted(), on: names)
    }
    var ids: Set<RecordID> = []
    for device in world.devices {
      guard let account = device.account else { continue }
      let (own, held) = (picture(of: device), picture(ofCloudFor: account, in: world))
      ids.formUnion(
        Set(own.keys).union(held.keys).filter { own[$0] != held[$0] && device.local($0)?.quarantine == nil })
    }
    if let reference = expectation?.record, let meant = try? record(reference) { ids = ids.filter { $0 == meant } }
    return ids.isEmpty ? nil : AgreementWatch(of: ids.sorted(), on: nil)
  }

  /// The content of an account's zones in the cloud.
  func picture(ofCloudFor account: Name, in world: World) -> [RecordID: RecordContent] {
    var picture: [RecordID: RecordContent] = [:]
    for zone in world.app(of: account)?.comparedZones ?? [] {
      for record in world.cloudRecords(in: zone, of: account).values {
        let (id, content) = world.seen(record, in: zone, of: account)
        picture[id] = content
      }
    }
    return picture
  }
}
