import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// How all devices of a data directory stand to their clouds, and the way of the newest changes to them. Nothing is written, and
/// processes may be running.
package struct Agreement {
  /// A device and how it stands.
  package struct Device {
    /// The device's name.
    package let name: String
    /// The device's app.
    package let app: DeviceApp
    /// Its standing; nil if it could not be compared.
    package var standing: DeviceStanding?
  }

  /// The number of changes whose way is described.
  package static let changeLimit = 20

  /// The devices whose app is known and whose files can be read, in the order of their names.
  package private(set) var devices: [Device] = []
  /// One sentence for each device, and one for all devices of an account that hold the same.
  package private(set) var sentences: [String] = []
  /// The newest changes of records, newest first.
  package private(set) var changes: [ChangeWay] = []

  /// What the next comparison need not read again.
  package private(set) var cache: AgreementCache
  private let data: DataDirectory
  private let now: WallTime
  private let dump: JSON
  private let sights: PushSights
  private let traces: TraceTable
  /// The names of the devices by their IDs.
  private var names: [String: String] = [:]

  /// Compares the devices of those apps in a data directory. `dump` is its diagnostics dump, made right before.
  package init(
    in data: DataDirectory, apps: [DeviceApp], dump: JSON, cache: AgreementCache = AgreementCache(), now: WallTime
  ) {
    self.init(OpenedDevices(in: data), apps: apps, dump: dump, cache: cache, now: now)
  }

  /// The same of devices that are opened already. `cache` is that of the comparison before; devices that have not changed since
  /// are not read again.
  init(_ opened: OpenedDevices, apps: [DeviceApp], dump: JSON, cache: AgreementCache, now: WallTime) {
    (data, self.now, self.dump, self.cache) = (opened.data, now, dump, cache)
    sights = PushSights(in: dump)
    traces = TraceTable(dump)
    // A store that cannot be read is an error in the dump.
    let readings = opened.made(by: apps)
    for (reading, _) in readings { names[reading.values[.deviceID]?.text ?? ""] = reading.name }
    let groups = Dictionary(grouping: readings) { "\($0.1.fullName) \($0.0.account?.text ?? "")" }
    for (name, members) in groups.sorted(by: { $0.key < $1.key }) {
      compare(members.map(\.0), of: members[0].1, group: name)
    }
    devices.sort { $0.name < $1.name }
    changes = Array(changes.sorted { $0.committedAt > $1.committedAt }.prefix(Self.changeLimit))
  }

  /// Compares the devices of one app and account.
  private mutating func compare(_ readings: [DeviceReading], of app: DeviceApp, group: String) {
    guard let user = readings.first?.account else {
      for reading in readings {
        devices.append(Device(name: reading.name, app: app, standing: nil))
        sentences.append("\(reading.name) is signed out")
      }
      return
    }
    do throws(StoreError) {
      let standings = try standings(of: readings, app, user: user, group: group)
      sentences += DeviceStanding.sentences(of: standings)
      devices += standings.map { Device(name: $0.device, app: app, standing: $0) }
    } catch {
      devices += readings.map { Device(name: $0.name, app: app, standing: nil) }
      sentences.append(
        "\(readings.map(\.name).joined(separator: ", ")) cannot be compared with the cloud: \(error)")
    }
  }

  private mutating func standings(
    of readings: [DeviceReading], _ app: DeviceApp, user: Name, group: String
  ) throws(StoreError) -> [DeviceStanding] {
    let state = cloudState(of: app, user: user)
    var standings: [DeviceStanding] = []
    var read: [(place: Int, device: AppDevice, stamps: [FileStamp?])] = []
    let subscriptions = try? CloudReading(app.database(of: user, in: .development), root: data.cloud).subscriptions()
    for reading in readings {
      if let known = cache.standing(of: reading.name, reading.stamps, state) {
        standings.append(known)
      } else {
        let device = AppDevice(reading, app, user: user, sights.way(to: reading, subscriptions))
        read.append((standings.count, device, reading.stamps))
        standings.append(DeviceStanding(device: reading.name))
      }
    }
    var newest = cache.newest(of: group, state)
    var reasons: [String: DifferenceReason] = [:]
    if newest == nil || !read.isEmpty {
      var current: [NewChange] = []
      let cloud = try CloudContent(of: app, account: user, in: data, at: now)
      let any = AppDevice(readings[0], app, user: user, DeviceSighting.PushWay())
      let zones = readings.reduce(into: any.comparable(try cloud.zoneIDs())) {
        $0.formUnion(any.comparable($1.zoneIDs))
      }
      for name in zones.sorted() {
        var zone = try cloud.zone(name)
        let sides = try read.map { (entry) throws(StoreError) in (entry.place, try entry.device.unlike(name, zone)) }
        // What differs is compared with a cloud that is read after the devices, so that none is ahead of it.
        if sides.contains(where: { !$1.names.isEmpty }) { zone = try cloud.zone(name) }
        let found = compare(sides, with: zone, leavingOut: app.cloudsOwnField, &standings)
        for (record, device, reason) in found { reasons["\(name)/\(record) \(device)"] = reason }
        current += NewChange.newest(in: zone, named: name, leavingOut: app.cloudsOwnField)
      }
      newest = current
      cache.note(current, of: group, state)
    }
    for (place, _, stamps) in read { cache.note(standings[place], stamps, state) }
    changes += (newest ?? []).map { change in
      ChangeWay(change, app: app, user: user, devices: readings.map(\.name), names: names, traces) {
        reasons["\(change.key) \($0)"]
      }
    }
    return standings
  }

  /// Adds the records of a zone to the standings. Returns why records differ.
  private func compare(
    _ sides: [(place: Int, unlike: AppDevice.Unlike)], with zone: CloudReading.Zone, leavingOut field: Name?,
    _ standings: inout [DeviceStanding]
  ) -> [(record: Name, device: String, reason: DifferenceReason)] {
    var reasons: [(record: Name, device: String, reason: DifferenceReason)] = []
    for (place, unlike) in sides {
      standings[place].add(alike: unlike.alike)
      let side = unlike.zone
      for record in unlike.names {
        let sighting = zone[record].leavingOut(field)
        guard sighting.content != nil || side.content(record) != nil else { continue }
        let type = zone.types[record] ?? side.records[record]?.recordType
        let reason = side.difference(record, type: type, cloud: sighting, now: now)
        standings[place].add(reason)
        if let reason { reasons.append((record, side.name, reason)) }
      }
    }
    return reasons
  }

  /// What the cloud says of the zones of an account; nil if that does not tell whether something has changed.
  private func cloudState(of app: DeviceApp, user: Name) -> JSON? {
    // Own tables have no zones in the report.
    if case .tables(let tables) = app.cloud, tables.relations != nil { return nil }
    guard let zones = dump["cloud"]?["zones"]?.array else { return nil }
    return .array(zones.filter { $0["user"]?.string == user.text && $0["container"]?.string == app.container.text })
  }
}
