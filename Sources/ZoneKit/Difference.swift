import ZoneKitRecords
import ZoneKitSync

/// A record that a device shows otherwise than the cloud does.
struct Difference {
  var device: Device
  var id: RecordID
  var own: RecordContent?
  var cloud: CloudSighting
  /// How many records of the zone differ.
  var count: Int
}
