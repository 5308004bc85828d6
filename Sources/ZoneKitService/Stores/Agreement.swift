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

  /// The number of changes whose way is told.
  package static let changeLimit = 20

  /// The devices whose app is known and whose files can be read, in the order of their names.
  package private(set) var devices: [Device] = []
  /// One sentence for each device, and one for all devices of an account that hold the same.
  package private(set) var sentences: [String] = []
  /// The newest changes of records, newest first.
  package private(set) var changes: [ChangeWay] = []

  private let data: DataDirectory
  private let now: WallTime
  private let sights: PushSights
  private let traces: TraceTable
  /// The names of the devices by their IDs.
  private var names: [String: String] = [:]

  /// Compares the devices of those apps. `dump` is the diagnostics dump of the directory, made right before.
  package init(in data: DataDirectory, apps: [DeviceApp], dump: JSON, now: WallTime) {
    self.data = data
    self.now = now
    sights = PushSights(in: dump)
    traces = TraceTable(dump)
    let variants = apps.flatMap(\.variants)
    // A store that cannot be read is an error in the dump.
    let readings = ((try? data.deviceNames()) ?? []).compactMap { name -> (DeviceReading, DeviceApp)? in
      guard let owner = try? data.owner(ofDevice: name, unmarkedApp: apps.first?.name ?? ""),
        let app = variants.first(where: { $0.storeName == owner.app }), let folder = try? data.device(name),
        let reading = try? DeviceReading(folder, name: name)
      else { return nil }
      return (reading, app)
    }
    for (reading, _) in readings { names[reading.values[.deviceID]?.text ?? ""] = reading.name }
    let groups = Dictionary(grouping: readings) { "\($0.1.fullName) \($0.0.account?.text ?? "")" }
    for (_, members) in groups.sorted(by: { $0.key < $1.key }) { compare(members.map(\.0), of: members[0].1) }
    devices.sort { $0.name < $1.name }
    changes = Array(changes.sorted { $0.committedAt > $1.committedAt }.prefix(Self.changeLimit))
  }

  /// Compares the devices of one app and account.
  private mutating func compare(_ readings: [DeviceReading], of app: DeviceApp) {
    guard let user = readings.first?.account else {
      for reading in readings {
        devices.append(Device(name: reading.name, app: app, standing: nil))
        sentences.append("\(reading.name) is signed out")
      }
      return
    }
    var standings = readings.map { DeviceStanding(device: $0.name) }
    do throws(StoreError) {
      try compare(readings, of: app, user: user, &standings)
      sentences += DeviceStanding.sentences(of: standings)
      devices += standings.map { Device(name: $0.device, app: app, standing: $0) }
    } catch {
      devices += readings.map { Device(name: $0.name, app: app, standing: nil) }
      sentences.append(
        "\(readings.map(\.name).joined(separator: ", ")) cannot be compared with the cloud: \(error)")
    }
  }

  private mutating func compare(
    _ readings: [DeviceReading], of app: DeviceApp, user: Name, _ standings: inout [DeviceStanding]
  ) throws(StoreError) {
    let database = app.database(of: user, in: .development)
    let subscriptions = try? CloudReading(database, root: data.cloud).subscriptions()
    let members = readings.map { AppDevice($0, app, user: user, sights.way(to: $0, subscriptions)) }
    let cloud = try CloudContent(of: app, account: user, in: data, at: now)
    let zones = members.reduce(into: members[0].comparable(try cloud.zoneIDs())) { $0.formUnion($1.zoneNames) }
    for name in zones.sorted() {
      // The devices are read before the cloud, so that none is ahead of it.
      let sides = try members.map { (device) throws(StoreError) in try device.zone(name) }
      let zone = try cloud.zone(name)
      compare(sides, with: zone, leavingOut: app.cloudsOwnField, &standings)
      changes += newest(in: zone, leavingOut: app.cloudsOwnField).map { record, sighting in
        ChangeWay(
          record, sighting, type: zone.types[record], zone: name, app: app, user: user, sides: sides,
          names: names, traces, now: now)
      }
    }
  }

  private func compare(
    _ sides: [AppDevice.Zone], with zone: CloudReading.Zone, leavingOut field: Name?,
    _ standings: inout [DeviceStanding]
  ) {
    for record in sides.reduce(into: Set(zone.sightings.keys), { $0.formUnion($1.records.keys) }) {
      let sighting = zone[record].leavingOut(field)
      for (place, side) in sides.enumerated() where sighting.content != nil || side.content(record) != nil {
        let type = zone.types[record] ?? side.records[record]?.recordType
        standings[place].add(side.difference(record, type: type, cloud: sighting, now: now))
      }
    }
  }

  /// The newest changes of a zone.
  private func newest(in zone: CloudReading.Zone, leavingOut field: Name?) -> [(Name, CloudSighting)] {
    let dated = zone.sightings.compactMap { name, sighting in sighting.changedAt.map { (name, sighting, $0) } }
    let newest = dated.sorted { ($0.2, $1.0) > ($1.2, $0.0) }.prefix(Self.changeLimit)
    return newest.map { ($0.0, $0.1.leavingOut(field)) }
  }
}
