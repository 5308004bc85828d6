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
  /// The records that devices removed because the cloud did not show them any more.
  package private(set) var removals: [Removal] = []
  private let cloudsOwnField: Name?
  private let versionMark: DeviceSighting.VersionMark
  /// The zones that the app's devices sync; nil if they sync all of the account.
  private let zones: Set<Name>?

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
    cloudsOwnField = app.cloudsOwnField
    versionMark = app.versionMark
    // A server of tables keeps more than rows in zones of the account, such as objects.
    zones = app.hasTables ? Set(app.zones.map(\.zoneName)) : nil
    let announcement = app.configuration.announcement(of:)
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
    let zones = CloudReading(database, root: data.cloud)
    let sights = PushSights(in: data, subscriptions: try? zones.subscriptions())
    let ways = (sights.way(to: one), sights.way(to: other))
    try StoresError.from { () throws(StoreError) in
      try compare(
        one, other, ways, with: try CloudContent(of: app, account: user, in: data, environment, at: now), user: user,
        now: now, announcement)
    }
  }

  /// Compares all zones. The devices are read before the cloud, so that neither is ahead of it.
  private mutating func compare(
    _ first: DeviceReading, _ second: DeviceReading, _ ways: (DeviceSighting.PushWay, DeviceSighting.PushWay),
    with cloud: CloudContent, user: Name, now: WallTime, _ announcement: (Name?) -> DeviceSighting.Announcement
  ) throws(StoreError) {
    for device in [first, second] {
      if let removal = try Removal(from: device) { removals.append(removal) }
    }
    let zoneIDs = first.zoneIDs + second.zoneIDs + (try cloud.zoneIDs())
    let names = Set(zoneIDs.filter { Self.isOwn($0, of: user) }.map(\.zoneName)).subtracting([Self.journalZoneName])
    for name in names.sorted() where zones?.contains(name) ?? true {
      let sides = (try Side(first, ways.0, zone: name, user: user), try Side(second, ways.1, zone: name, user: user))
      try compare(sides.0, sides.1, with: try cloud.zone(name), zone: name, now: now, announcement)
    }
  }

  private mutating func compare(
    _ first: Side, _ second: Side, with zone: CloudReading.Zone, zone name: Name, now: WallTime,
    _ announcement: (Name?) -> DeviceSighting.Announcement
  ) throws(StoreError) {
    let names = Set(first.records.keys).union(second.records.keys).union(zone.sightings.keys)
    for recordName in names.sorted() {
      let records = (first.records[recordName], second.records[recordName])
      let sighting = zone[recordName].leavingOut(cloudsOwnField)
      let contents = (
        records.0?.local?.leavingOut(cloudsOwnField), records.1?.local?.leavingOut(cloudsOwnField), sighting.content
      )
      if contents.0 == nil, contents.1 == nil, contents.2 == nil { continue }
      compared += 1
      let type = zone.types[recordName] ?? records.0?.recordType ?? records.1?.recordType
      let recordID = RecordID(recordName: recordName, zoneID: ZoneID(zoneName: name))
      guard
        var difference = try RecordDifference(
          of: recordID, type: type, first: contents.0, second: contents.1, cloud: contents.2)
      else { continue }
      difference.reasons = [first, second].compactMap {
        $0.reason(recordName, announcement(type), versionMark, cloud: sighting, now: now)
      }
      differences.append(difference)
    }
  }

  /// A device's records of a zone.
  private struct Side {
    let device: DeviceReading
    let pushWay: DeviceSighting.PushWay
    let zoneID: ZoneID
    let records: [Name: LocalRecord]

    init(
      _ device: DeviceReading, _ pushWay: DeviceSighting.PushWay, zone: Name, user: Name
    ) throws(StoreError) {
      self.device = device
      self.pushWay = pushWay
      let known = device.zoneIDs.first { $0.zoneName == zone && StoreComparison.isOwn($0, of: user) }
      zoneID = known ?? ZoneID(zoneName: zone)
      records = try device.records(in: zoneID)
    }

    func reason(
      _ name: Name, _ announcement: DeviceSighting.Announcement, _ versionMark: DeviceSighting.VersionMark,
      cloud: CloudSighting, now: WallTime
    ) -> String? {
      var sighting = device.sighting(records[name], in: zoneID)
      (sighting.announcement, sighting.versionMark) = (announcement, versionMark)
      sighting.pushWay = pushWay
      return DifferenceReason(of: sighting, cloud: cloud, now: now)?.sentence(device: device.name)
    }
  }

  /// Whether a zone belongs to the account, with either spelling of its owner (CloudKit Web Services, b.1).
  static func isOwn(_ zoneID: ZoneID, of user: Name) -> Bool {
    zoneID.resolved(for: UserRecordName.of(user: user)).owner == .caller
  }
}

extension DeviceApp {
  /// How a version on a device of the app is compared with the version in the cloud's files.
  fileprivate var versionMark: DeviceSighting.VersionMark {
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
