import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitTables

/// Compares two devices of one account and their cloud record by record. Nothing is written, and processes may be
/// running.
package struct StoreComparison: Hashable, Sendable {
  /// The number of different records in the three places.
  package private(set) var compared = 0
  /// The records that are not equal in all three places, in ascending order of zone and record.
  package private(set) var differences: [RecordDifference] = []
  /// How each of the two devices stands to the cloud.
  package private(set) var standings: [DeviceStanding] = []
  /// The records that devices removed because the cloud did not show them any more.
  package private(set) var removals: [Removal] = []

  /// Records that a device removed because the cloud did not show them any more. Nobody need have deleted them.
  package struct Removal: Hashable, Sendable {
    /// The device.
    package let device: String
    /// The records, in ascending order.
    package let records: [RecordID]
    /// When the last of them was removed, by the device's clock.
    package let at: WallTime

    init?(from device: DeviceReading) throws(StoreError) {
      let entries = try device.leftOut()
      guard let last = entries.first else { return nil }
      self.device = device.name
      records = Set(entries.map(\.recordID)).sorted()
      at = last.at
    }
  }

  /// The name of the zones in which devices share their conflict journals. Apps do not show those records.
  package static let journalZoneName: Name = "ConflictJournal"

  /// Compares two devices with the database of their account that the app syncs. Throws an input error if a device does
  /// not exist or the accounts differ, and `unavailable` if a store cannot be read.
  package init(
    of first: String, and second: String, in data: DataDirectory, app: DeviceApp, environment: Environment,
    now: WallTime
  ) throws(StoresError) {
    let folders = (try data.existingDevice(first), try data.existingDevice(second))
    guard first != second else { throw .input("\(first) cannot be compared with itself; name another device") }
    guard Folder.exists(data.cloud) else { throw .unavailable("there is no cloud in \(data.cloud)") }
    let (one, other) = try StoresError.from { () throws(StoreError) in
      (try DeviceReading(folders.0, name: first), try DeviceReading(folders.1, name: second))
    }
    if let mine = one.account, let theirs = other.account, mine != theirs {
      let names = AccountNames(in: data, of: [app])
      throw .input(
        "\(first) holds data of \(names.name(of: mine)) and \(second) of \(names.name(of: theirs)); they have nothing in common"
      )
    }
    // Devices without an account have no database. The database of the empty name has no records.
    let user = one.account ?? other.account ?? ""
    let database = app.database(of: user, in: environment)
    let subscriptions = try? CloudReading(database, root: data.cloud).subscriptions()
    let sights = PushSights(in: data)
    let devices = [one, other].map { AppDevice($0, app, user: user, sights.way(to: $0, subscriptions)) }
    try StoresError.from { () throws(StoreError) in
      try compare(
        devices[0], devices[1], app.cloudsOwnField,
        with: try CloudContent(of: app, account: user, in: data, environment, at: now),
        now: now)
    }
  }

  /// Compares all zones. The devices are read before the cloud, so that neither is ahead of it.
  private mutating func compare(
    _ first: AppDevice, _ second: AppDevice, _ cloudsOwnField: Name?, with cloud: CloudContent, now: WallTime
  ) throws(StoreError) {
    standings = [first, second].map { DeviceStanding(device: $0.reading.name) }
    for device in [first, second] {
      if let removal = try Removal(from: device.reading) { removals.append(removal) }
    }
    for name in first.zoneNames.union(second.zoneNames).union(first.comparable(try cloud.zoneIDs())).sorted() {
      let sides = (try first.zone(name), try second.zone(name))
      try compare(sides.0, sides.1, cloudsOwnField, with: try cloud.zone(name), zone: name, now: now)
    }
  }

  private mutating func compare(
    _ first: AppDevice.Zone, _ second: AppDevice.Zone, _ cloudsOwnField: Name?, with zone: CloudReading.Zone,
    zone name: Name, now: WallTime
  ) throws(StoreError) {
    let names = Set(first.records.keys).union(second.records.keys).union(zone.sightings.keys)
    for recordName in names.sorted() {
      let records = (first.records[recordName], second.records[recordName])
      let sighting = zone[recordName].leavingOut(cloudsOwnField)
      let contents = (first.content(recordName), second.content(recordName), sighting.content)
      if contents.0 == nil, contents.1 == nil, contents.2 == nil { continue }
      compared += 1
      let type = zone.types[recordName] ?? records.0?.recordType ?? records.1?.recordType
      let reasons = [first, second].map { $0.difference(recordName, type: type, cloud: sighting, now: now) }
      for (place, reason) in reasons.enumerated() { standings[place].add(reason) }
      let recordID = RecordID(recordName: recordName, zoneID: ZoneID(zoneName: name))
      guard
        var difference = try RecordDifference(
          of: recordID, type: type, first: contents.0, second: contents.1, cloud: contents.2)
      else { continue }
      difference.reasons = zip(reasons, standings).compactMap { $0?.sentence(device: $1.device) }
      differences.append(difference)
    }
  }
}

extension DeviceApp {
  /// How a version on a device of the app is compared with the version in the cloud's files.
  var versionMark: DeviceSighting.VersionMark {
    switch cloud {
    case .zones: .changeTag
    case .tables(let app): app.relations == nil ? .commitTime : .changeTag
    case .documents: .commitTime
    }
  }

  /// The field of the cloud's records that devices do not have, or only those over one of its protocols; nil if there is
  /// none.
  var cloudsOwnField: Name? {
    switch cloud {
    case .zones: nil
    case .tables(let app): app.relations == nil ? AppliedChanges.field : nil
    case .documents: DailySummary.parts
    }
  }
}
