import ZoneKitRecords
import ZoneKitSync

/// A record that differs between a device and the cloud.
struct Difference {
  var device: Device
  var id: RecordID
  var own: RecordContent?
  var cloud: CloudSighting
  /// How many records of the zone differ.
  var count: Int
}
