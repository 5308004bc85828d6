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
  /// The device that made the change; nil if it is none of the directory.
  package let author: String?
  /// The version; nil for a deletion.
  package let changeTag: ChangeTag?
  /// When the cloud committed it.
  package let committedAt: WallTime
  /// The ways to the other devices, in the order of their names.
  package let hops: [Hop]

  /// The way of the change that made the record what it is in the cloud now.
  init(
    _ record: Name, _ cloud: CloudSighting, type: Name?, zone: Name, app: DeviceApp, user: Name,
    sides: [AppDevice.Zone], names: [String: String], _ traces: TraceTable, now: WallTime
  ) {
    recordID = RecordID(recordName: record, zoneID: ZoneID(zoneName: zone))
    recordType = type
    (self.app, self.user) = (app, user)
    let committedAt = cloud.changedAt ?? WallTime(milliseconds: 0)
    self.committedAt = committedAt
    var author: String?
    if case .saved(let version) = cloud {
      changeTag = version.changeTag
      author = names[version.modified.author.deviceID]
    } else {
      changeTag = nil
    }
    self.author = author
    hops = sides.filter { $0.name != author }.map { side in
      let reason = side.difference(record, type: type, cloud: cloud, now: now)
      var isThere = true
      if case .unseen? = reason?.event { isThere = false }
      return Hop(
        device: side.name, trace: traces.entry(of: record, at: committedAt, on: side.name), isThere: isThere,
        reason: isThere ? nil : reason?.cause(of: side.name))
    }
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
