import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// A device of an app and an account, read from its files, for comparisons with the cloud.
struct AppDevice {
  /// The device's files.
  let reading: DeviceReading
  private let app: DeviceApp
  private let user: Name
  private let pushWay: DeviceSighting.PushWay

  /// The device of that account, with the way of pushes to it.
  init(_ reading: DeviceReading, _ app: DeviceApp, user: Name, _ pushWay: DeviceSighting.PushWay) {
    self.reading = reading
    self.app = app
    self.user = user
    self.pushWay = pushWay
  }

  /// The names of the zones of the device that are compared.
  var zoneNames: Set<Name> { comparable(reading.zoneIDs) }

  /// The names of those zones of the account whose records the app's devices sync and show.
  func comparable(_ zoneIDs: [ZoneID]) -> Set<Name> {
    let own = Set(zoneIDs.filter { $0.isOwn(of: user) }.map(\.zoneName)).subtracting([StoreComparison.journalZoneName])
    // A server of tables keeps more than rows in zones of the account, such as objects.
    return app.hasTables ? own.intersection(app.zones.map(\.zoneName)) : own
  }

  /// The device's records of a zone.
  func zone(_ name: Name) throws(StoreError) -> Zone {
    let zoneID = reading.zoneIDs.first { $0.zoneName == name && $0.isOwn(of: user) } ?? ZoneID(zoneName: name)
    return Zone(device: self, zoneID: zoneID, records: try reading.records(in: zoneID))
  }

  /// A device's records of a zone.
  struct Zone {
    fileprivate let device: AppDevice
    fileprivate let zoneID: ZoneID
    /// The records by name, including locally deleted ones.
    let records: [Name: LocalRecord]

    /// The device's name.
    var name: String { device.reading.name }

    /// What the device shows of a record, without what only the cloud has; nil for nothing.
    func content(_ name: Name) -> RecordContent? { records[name]?.local?.leavingOut(device.app.cloudsOwnField) }

    /// Why the device does not show what the cloud has; nil if it does. `cloud` is without what only the cloud has.
    func difference(_ name: Name, type: Name?, cloud: CloudSighting, now: WallTime) -> DifferenceReason? {
      guard content(name) != cloud.content else { return nil }
      var sighting = device.reading.sighting(records[name], in: zoneID)
      sighting.announcement = device.app.configuration.announcement(of: type)
      sighting.versionMark = device.app.versionMark
      sighting.pushWay = device.pushWay
      return DifferenceReason(of: sighting, cloud: cloud, now: now)
    }
  }
}

extension ZoneID {
  /// Whether a zone belongs to that account, with either spelling of its owner (CloudKit Web Services, b.1).
  func isOwn(of user: Name) -> Bool { resolved(for: UserRecordName.of(user: user)).owner == .caller }
}
