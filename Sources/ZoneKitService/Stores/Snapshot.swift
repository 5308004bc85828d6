import ZoneKitRecords

/// A copy of cloud and devices, saved under a name.
package struct Snapshot: Hashable, Sendable {
  /// Its name.
  package var name: String
  /// When it was saved; nil where its note cannot be read.
  package var savedAt: WallTime?
  /// The size of its files in bytes.
  package var bytes: Int64
  /// The devices in it, ascending.
  package var devices: [String]
  /// Its folder.
  package var path: String
}
