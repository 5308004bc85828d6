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
    let zoneID = zoneID(name)
    return Zone(device: self, zoneID: zoneID, records: try reading.records(in: zoneID))
  }

  private func zoneID(_ name: Name) -> ZoneID {
    reading.zoneIDs.first { $0.zoneName == name && $0.isOwn(of: user) } ?? ZoneID(zoneName: name)
  }

  /// The records of a zone of which the device does not show the version that the cloud has, with the number of the others. A
  /// version that the device got is taken for what it shows; its content is not read.
  func unlike(_ name: Name, _ cloud: CloudReading.Zone) throws(StoreError) -> Unlike {
    let zoneID = zoneID(name)
    let (synced, others) = try reading.versions(in: zoneID)
    var known: Set<Name> = []
    known.reserveCapacity(synced.count)
    var records: [Name: LocalRecord] = [:]
    for version in synced {
      known.insert(version.recordName)
      guard !isThat(version, cloud[version.recordName]) else { continue }
      records[version.recordName] = try reading.record(RecordID(recordName: version.recordName, zoneID: zoneID))
    }
    let alike = synced.count - records.count
    for record in others {
      known.insert(record.recordID.recordName)
      records[record.recordID.recordName] = record
    }
    let missing = cloud.sightings.filter { $0.value.content != nil && !known.contains($0.key) }.map(\.key)
    return Unlike(
      zone: Zone(device: self, zoneID: zoneID, records: records), names: missing + records.keys, alike: alike)
  }

  private func isThat(_ version: SyncedVersion, _ cloud: CloudSighting) -> Bool {
    guard case .saved(let saved) = cloud else { return false }
    return switch app.versionMark {
    case .changeTag: version.changeTag == saved.changeTag
    case .commitTime: version.modifiedAt == saved.modified.at
    }
  }

  /// The records of a zone that differ between a device and the cloud, as far as their versions tell.
  struct Unlike {
    /// The device's records, without the others of the zone.
    let zone: Zone
    /// The names of the records that differ, also of those that the device lacks.
    let names: [Name]
    /// The number of the other records.
    let alike: Int
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
