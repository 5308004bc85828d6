import ZoneKitRecords

/// A saved copy of the cloud and the devices.
package struct Snapshot: Hashable, Sendable {
  /// The name of the snapshot.
  package var name: String
  /// When it was saved; nil if its note cannot be read.
  package var savedAt: WallTime?
  /// The size of its files in bytes.
  package var bytes: Int64
  /// The devices in it, in ascending order.
  package var devices: [String]
  /// The path of its folder.
  package var path: String
}
