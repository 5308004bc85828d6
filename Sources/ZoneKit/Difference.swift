import ZoneKitRecords
import ZoneKitSync

/// A record that differs between a device and the cloud.
struct Difference {
  var device: Device
  var id: RecordID
  var own: RecordContent?
  var cloud: CloudSighting
  /// The number of different records in the zone.
  var count: Int
}
