import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// The way of a change of a record from the cloud to the devices of its account.
package struct ChangeWay {
  /// The way to one device.
  package struct Hop {
    /// The device's name.
    package let device: String
    /// The entry of the change in the device's traces; nil if it has none.
    package let trace: JSON?
    /// Whether the device has seen the change.
    package let isThere: Bool
    /// What keeps the change from the device; nil if nothing does, or nothing shows it.
    package let reason: String?
  }

  /// The record.
  package let recordID: RecordID
  /// Its type; nil for a deleted one.
  package let recordType: Name?
  /// The app and the account.
  package let app: DeviceApp
  package let user: Name
  /// The device that made the change; nil if it is not in the directory.
  package let author: String?
  /// The version; nil for a deletion.
  package let changeTag: ChangeTag?
  /// When the cloud committed it.
  package let committedAt: WallTime
  /// The ways to the other devices, in the order of their names.
  package let hops: [Hop]

  /// The way of a change to those devices. `names` are the names of the devices by their IDs, and `reason` says why a device
  /// differs in the record.
  init(
    _ change: NewChange, app: DeviceApp, user: Name, devices: [String], names: [String: String], _ traces: TraceTable,
    reason: (String) -> DifferenceReason?
  ) {
    recordID = RecordID(recordName: change.record, zoneID: ZoneID(zoneName: change.zone))
    recordType = change.type
    (self.app, self.user) = (app, user)
    committedAt = change.committedAt
    var author: String?
    if case .saved(let version) = change.sighting {
      changeTag = version.changeTag
      author = names[version.modified.author.deviceID]
    } else {
      changeTag = nil
    }
    self.author = author
    hops = devices.filter { $0 != author }.map { device in
      let reason = reason(device)
      var isThere = true
      if case .unseen? = reason?.event { isThere = false }
      return Hop(
        device: device, trace: traces.entry(of: change.record, at: change.committedAt, on: device), isThere: isThere,
        reason: isThere ? nil : reason?.cause(of: device))
    }
  }
}

/// The change that made a record what it is in the cloud.
struct NewChange: Sendable {
  /// The record's zone, name and type.
  let zone: Name
  let record: Name
  let type: Name?
  /// The record in the cloud, without what only the cloud has.
  let sighting: CloudSighting
  /// When it was committed.
  let committedAt: WallTime

  /// The zone and the record, as a key.
  var key: String { "\(zone)/\(record)" }

  /// The newest changes of a zone, newest first.
  static func newest(in zone: CloudReading.Zone, named name: Name, leavingOut field: Name?) -> [NewChange] {
    let changes = zone.sightings.compactMap { record, sighting in
      sighting.changedAt.map {
        NewChange(
          zone: name, record: record, type: zone.types[record], sighting: sighting.leavingOut(field), committedAt: $0)
      }
    }
    return Array(
      changes.sorted { ($0.committedAt, $1.record) > ($1.committedAt, $0.record) }.prefix(Agreement.changeLimit))
  }
}

/// The traces of a diagnostics dump.
struct TraceTable {
  private var entries: [String: JSON] = [:]

  /// The traces of that dump.
  init(_ dump: JSON) {
    for trace in dump["traces"]?.array ?? [] {
      guard let on = trace["on"]?.string, let record = trace["record"]?.string, let at = trace["committedAt"]?.string
      else { continue }
      entries[Self.key(record, at, on)] = trace
    }
  }

  private static func key(_ record: String, _ at: String, _ device: String) -> String { "\(device) \(at) \(record)" }

  /// The entry of the change of a record that was committed at that time, on a device; nil if it has none.
  func entry(of record: Name, at time: WallTime, on device: String) -> JSON? {
    entries[Self.key(record.text, time.iso8601, device)]
  }
}
